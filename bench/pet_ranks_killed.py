"""Kills one rank of a PET run at random moments, resumes it, and compares all files with those of one process.

    python3 bench/pet_ranks_killed.py build/release/evident [--kills 10] [--voxels 200] [--ranks 3]

Prints one line a kill: which rank, when, how long until the end, the exit status and the message. The exit status is 1
when a message is missing, an end takes more than 30 s, a status is 0 or a file differs.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/mpi"))
import ranks as launch  # noqa: E402


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--voxels", type=int, default=200)
    parser.add_argument("--ranks", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program, chance, bad = pathlib.Path(options.program).resolve(), random.Random(options.seed), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        out = folder / "out"

        def run(count, *more):
            done = launch.run(count, program, *arguments, *more, cwd=folder)
            if done.returncode != 0:
                sys.exit(f"the run failed: {done.stderr}")

        launch.run(0, program, "simulate", "pet-image", "--truth", "brain", "--voxels", options.voxels, "--out", "scan",
                   cwd=folder)
        mask = "scan/derivatives/truth/sub-01/pet/sub-01_desc-brain_mask.nii.gz"
        arguments = ["pet", "scan", "out", "participant", "--mask", mask, "--preset", "fast", "--quiet", "--chunk", 4]
        run(0, "--threads", 1)
        expected = tree(out)
        shutil.rmtree(out)
        begun = time.monotonic()
        run(options.ranks)
        whole = time.monotonic() - begun
        bad += tree(out) != expected
        kills = 0
        while kills < options.kills:
            shutil.rmtree(out)
            process = launch.start(options.ranks, program, *arguments, cwd=folder)
            after = chance.uniform(0.02, 0.95) * whole
            time.sleep(after)
            victim = chance.randrange(options.ranks)
            number = launch.processes(process.pid).get(victim)
            if number is None or process.poll() is not None:  # not yet begun, or over already
                process.communicate()
                out.mkdir(exist_ok=True)
                continue
            os.kill(number, signal.SIGKILL)
            kill = time.monotonic()
            _, errors = process.communicate(timeout=120)
            took, lines = time.monotonic() - kill, launch.own_lines(errors)
            kills += 1
            named = len(lines) == 1 and f"rank {victim} " in lines[0]
            journal = list(out.rglob("journal")) if out.is_dir() else []
            run(options.ranks, "--resume")
            same = tree(out) == expected
            good = named and took < 30 and process.returncode != 0 and same
            bad += not good
            print(f"kill {kills}: rank {victim} after {after:.1f} s of {whole:.1f} s; ended after {took:.2f} s with "
                  f"{process.returncode}; {'resumed' if journal else 'begun again'}, files "
                  f"{'the same' if same else 'DIFFER'}; {lines[0] if lines else 'NO MESSAGE ' + errors!r}", flush=True)
    print(f"{options.kills} kills, {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
