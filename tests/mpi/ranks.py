"""Runs the program under mpirun, for tests and benches."""
import os
import pathlib
import re
import shutil
import subprocess

# More ranks than cores, as root, in a container: what Open MPI wants to be told. Other launchers do not read it.
FLAGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "ASAN_OPTIONS": "detect_leaks=0",  # MPI's own
}


def available():
    return shutil.which("mpirun") is not None


def environment(**more):
    """Of a user who has not asked for threads; Slurm's variables would be taken for a launcher's."""
    kept = {k: v for k, v in os.environ.items() if not re.match(r"(OMPI_|PMI|SLURM_|OMP_NUM_THREADS)", k)}
    return {**kept, **FLAGS, **more}


def command(ranks, program, *arguments):
    return ["mpirun", "-n", str(ranks), str(program), *map(str, arguments)]


def run(ranks, program, *arguments, environment_more=None, **options):
    """ranks = 0: without mpirun."""
    words = command(ranks, program, *arguments) if ranks else [str(program), *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, env=environment(**(environment_more or {})), **options)


def run_each(commands, environment_more=None, **options):
    """A command for each rank: lists of words."""
    words = ["mpirun"]
    for k, command_of_rank in enumerate(commands):
        words += [":"] * (k > 0) + ["-n", "1", *map(str, command_of_rank)]
    return subprocess.run(words, capture_output=True, text=True, env=environment(**(environment_more or {})), **options)


def start(ranks, program, *arguments, environment_more=None, **options):
    return subprocess.Popen(command(ranks, program, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env=environment(**(environment_more or {})), **options)


def processes(launcher):
    """The process of each rank of an mpirun on this machine: {rank: process number}."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent != launcher:
                continue
            rank = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", (folder / "environ").read_bytes())
        except OSError:
            continue
        if rank:
            found[int(rank[1])] = int(folder.name)
    return found


def is_stopped(process):
    """Whether a process stands still, as by SIGSTOP."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    except OSError:
        return False


def own_lines(text):
    """What evident wrote to standard error, without the launcher's words."""
    return [line for line in text.splitlines() if line.startswith("evident: ")]
