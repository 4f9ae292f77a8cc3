"""The scripts of examples/cluster, run by a Slurm of this test's own:  python3 cluster_test.py PROGRAM EXAMPLE_FOLDER

Exits with 77, and says why, where Slurm is not installed or does not start.
"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import slurm

QUICK = ("--particles", "100", "--cess", "0.9", "--replicates", "1")
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
PROGRAM = EXAMPLE = SLURM = None


def results(folder):
    with open(folder / "results.csv", newline="", encoding="utf-8") as file:
        table = [[cell for j, cell in enumerate(row) if j != 11] for row in csv.reader(file)]
    document = re.sub(r'"seconds":[-+0-9.e]+', "", (folder / "results.json").read_text(encoding="utf-8"))
    return table, document, (folder / "parameters.csv").read_bytes()


class ScriptCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name) / "cluster"
        shutil.copytree(EXAMPLE, self.folder)

    def evident(self, *arguments, **options):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, **options)

    def whole(self):
        done = self.evident("batch", "study.toml", "--data", "subjects/*.csv", "--out", "whole", "--quiet", *QUICK)
        self.assertEqual(done.returncode, 0, done.stderr)
        return results(self.folder / "whole")

    def logs(self):
        return "".join(f"--- {p.name}\n{p.read_text()}" for p in sorted(self.folder.glob("*.log")))

    def submit(self, *arguments, check=True):
        return SLURM.run("sbatch", *arguments, cwd=self.folder, check=check).stdout.strip()

    def in_queue(self, jobs):
        """A controller that is too busy to answer has not said that they are done."""
        done = SLURM.run("squeue", "-h", "--jobs", ",".join(jobs), check=False)
        return bool(done.stdout.strip()) or (done.returncode != 0 and "Invalid job id" not in done.stderr)

    def wait(self, *jobs, seconds=120):
        deadline = time.time() + seconds
        while self.in_queue(jobs):
            self.assertLess(time.time(), deadline, SLURM.run("squeue", check=False).stdout + self.logs())
            time.sleep(0.2)


class SlurmScripts(ScriptCase):
    def test_array_and_gather(self):
        wanted = self.whole()
        array = self.submit("--parsable", "slurm-array.sh", *QUICK)
        gather = self.submit("--parsable", f"--dependency=afterany:{array}", "slurm-gather.sh")
        self.wait(array, gather)
        self.assertTrue((self.folder / "results/results.csv").exists(), self.logs())
        self.assertEqual(results(self.folder / "results"), wanted)
        self.assertIn("8 data sets", (self.folder / "evident-gather.log").read_text())

    def test_tasks_that_are_missing(self):
        """Of an array some tasks are lost; gather names them, and they are made as the script says."""
        wanted = self.whole()
        some = self.submit("--parsable", "--array=1,4", "slurm-array.sh", *QUICK)
        gather = self.submit("--parsable", f"--dependency=afterany:{some}", "slurm-gather.sh")
        self.wait(some, gather)
        log = (self.folder / "evident-gather.log").read_text()
        self.assertIn("of 4 shards 2 are missing: 2, 3; shard 2 is made by: evident batch study.toml", log)
        self.assertFalse((self.folder / "results/results.csv").exists())
        rest = self.submit("--parsable", "--array=2-3", "slurm-array.sh", *QUICK)
        gather = self.submit("--parsable", f"--dependency=afterany:{rest}", "slurm-gather.sh")
        self.wait(rest, gather)
        self.assertEqual(results(self.folder / "results"), wanted, self.logs())

    def test_a_requeued_task_goes_on(self):
        wanted = self.whole()
        for _ in range(2):  # all of it twice: the second time everything is there
            array = self.submit("--parsable", "slurm-array.sh", *QUICK)
            self.wait(array)
        self.assertEqual(self.logs().count("2 from before"), 4, self.logs())
        done = self.evident("gather", "results", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(results(self.folder / "results"), wanted)

    def mpi(self, **launch):
        wanted = self.whole()
        exported = ",".join(["ALL", *(f"{k}={v}" for k, v in launch.items())])
        self.wait(self.submit("--parsable", f"--export={exported}", "slurm-mpi.sh", *QUICK))
        self.assertTrue((self.folder / "results/results.csv").exists(), self.logs())
        self.assertIn("2 ranks on 1 machine, 1 thread each", (self.folder / "evident-mpi.log").read_text())
        self.assertEqual(results(self.folder / "results"), wanted)

    def test_mpi_by_mpirun(self):
        if not shutil.which("mpirun"):
            self.skipTest("there is no mpirun (Debian package openmpi-bin)")
        self.mpi(LAUNCH="mpirun")

    def test_mpi_by_srun(self):
        if "pmix" not in SLURM.run("srun", "--mpi=list").stderr + SLURM.run("srun", "--mpi=list").stdout:
            self.skipTest("this Slurm knows no PMIx")
        self.mpi()


class GridEngineScript(ScriptCase):
    def test_array(self):
        """Grid Engine itself is not at hand: its variables are."""
        wanted = self.whole()
        bare = {k: v for k, v in os.environ.items() if not k.startswith("SLURM_")}
        tasks = int(re.search(r"(?m)^#\$ -t 1-(\d+)$", (self.folder / "sge-array.sh").read_text())[1])
        for task in range(1, tasks + 1):
            subprocess.run(["bash", "sge-array.sh", "--quiet", *QUICK], cwd=self.folder, check=True, capture_output=True,
                           env={**bare, "SGE_TASK_ID": str(task), "SGE_TASK_FIRST": "1", "SGE_TASK_LAST": str(tasks),
                                "SGE_TASK_STEPSIZE": "1"})
        done = self.evident("gather", "results", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(results(self.folder / "results"), wanted)


def main():
    global PROGRAM, EXAMPLE, SLURM
    PROGRAM, EXAMPLE = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2]
    # The scripts call the program by its name.
    os.environ["PATH"] = os.pathsep.join([str(pathlib.Path(PROGRAM).parent), os.environ["PATH"]])
    os.environ.update(OPEN_MPI)
    with tempfile.TemporaryDirectory() as folder:
        try:
            with slurm.Slurm(folder) as SLURM:
                outcome = unittest.TextTestRunner(verbosity=2).run(
                    unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__]))
        except slurm.Unavailable as reason:
            print(f"skipped: no Slurm here: {reason}")
            sys.exit(77)
    sys.exit(0 if outcome.wasSuccessful() and outcome.testsRun else 1)


if __name__ == "__main__":
    main()
