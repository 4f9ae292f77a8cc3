"""A folder with a small study and a small PET scan for each test."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import ranks

PROGRAM = None  # set by mpi_test.py

DATA = "y\n" + "".join(f"{x}\n" for x in (1.5, -0.5, 2.25, 3.0, -1.0, 0.125, 2.5, 1.0))
MODELS = "".join(f'[[model]]\nname = "{name}"\nkind = "gaussian-mixture"\ncomponents = {k}\n'
                 for k, name in ((1, "one"), (2, "two")))
STUDY = '[data]\nfile = "data.csv"\n[sampler]\nparticles = 200\ncess = 0.9\n' + MODELS
TIMES = {"seconds", "time", "elapsed", "threads"}


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    if isinstance(value, list):
        return [without_times(v) for v in value]
    return value


def tree(folder):
    """All files below a folder with their bytes."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file()}


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "data.csv").write_text(DATA)
        (self.folder / "study.toml").write_text(STUDY)

    def run_ranks(self, count, *arguments, **options):
        options.setdefault("timeout", 300)
        return ranks.run(count, PROGRAM, *arguments, cwd=self.folder, **options)

    def held(self, *arguments, appends=1, environment_more=None):
        """A run on three ranks whose first one has added so many times to the journal and stopped itself
        (hold_journal.cpp); let_go() lets it go on."""
        more = {"LD_PRELOAD": os.environ["EVIDENT_HOLD_LIBRARY"], "EVIDENT_HOLD_AFTER": str(appends),
                **(environment_more or {})}
        process = ranks.start(3, PROGRAM, *arguments, cwd=self.folder, environment_more=more)
        self.addCleanup(process.kill)
        self.wait_until(process, lambda: ranks.is_stopped(ranks.processes(process.pid).get(0)))
        return process

    def wait_until(self, process, happened):
        """Looks every few milliseconds: there is nothing to wait on, for the ranks are children of mpirun."""
        deadline = time.monotonic() + 240
        while not happened():
            self.assertIsNone(process.poll(), "the run ended too early")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)

    def let_go(self, process):
        self.struck(process, 0, signal.SIGCONT)

    def struck(self, process, victim, number=signal.SIGKILL):
        """Sends a signal to a rank; the number of its process."""
        found = ranks.processes(process.pid)[victim]
        os.kill(found, number)
        return found

    def document(self, count, *arguments):
        done = self.run_ranks(count, "compare", "study.toml", "--json", "--quiet", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return without_times(json.loads(done.stdout))

    def make_scan(self, voxels=40):
        subprocess.run([PROGRAM, "simulate", "pet-image", "--seed", "3", "--voxels", str(voxels), "--out", "scan"],
                       cwd=self.folder, check=True, capture_output=True)
        self.mask = "scan/derivatives/truth/sub-01/pet/sub-01_desc-brain_mask.nii.gz"

    def pet(self, *more, particles=48):
        return ("pet", "scan", "out", "participant", "--mask", self.mask, "--preset", "fast", "--delay", 0, "--chunk",
                2, "--particles", particles, *more)
