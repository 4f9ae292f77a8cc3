"""Ctrl-C: the program stops soon, says so, and leaves nothing behind."""
import signal
import subprocess
import time

import program
from program import STUDY, ProgramCase


class Signals(ProgramCase):
    def start(self, *more):
        # Enough work for minutes; a few particles a step keep the steps short.
        self.write("study.toml", STUDY.replace("particles = 64", "particles = 20000").replace("cess = 0.9", "cess = 0.9999999"))
        process = subprocess.Popen([program.PROGRAM, "compare", "study.toml", *more], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.wait_for_the_folder(process, ["data.csv", "study.toml"])
        return process

    def wait_for_the_folder(self, process, before):
        """The temporary folder shows that the program watches for signals and that the run has begun."""
        deadline = time.time() + 60
        while self.entries() == before and time.time() < deadline:
            time.sleep(0.01)
        self.assertNotEqual(self.entries(), before)
        self.assertIsNone(process.poll(), "the run ended before it could be stopped")

    def stopped_by(self, number, name, *more):
        process = self.start(*more)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + number, err)
        self.assertIn(f"evident: stopped by {name}; nothing was written\n", err)
        self.assertEqual(out, "")
        self.assertEqual(self.entries()[:1], ["data.csv"])
        return err

    def test_interrupt(self):
        self.stopped_by(signal.SIGINT, "SIGINT")
        self.assertEqual(self.entries(), ["data.csv", "study.toml"])

    def test_terminate_quietly(self):
        err = self.stopped_by(signal.SIGTERM, "SIGTERM", "--quiet")
        self.assertEqual(err.count("\n"), 1)
        self.assertEqual(self.entries(), ["data.csv", "study.toml"])

    def test_interrupt_keeps_the_earlier_result(self):
        self.run_program("compare", "study.toml", "--quiet")
        old = (self.folder / "study.evident/result.json").read_text()
        before = self.entries()
        self.write("study.toml", STUDY.replace("cess = 0.9", "cess = 0.9999999").replace("particles = 64", "particles = 20000"))
        process = subprocess.Popen([program.PROGRAM, "compare", "study.toml", "--force", "--quiet"], cwd=self.folder,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.wait_for_the_folder(process, before)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGINT)
        self.assertEqual(self.entries(), before)
        self.assertEqual((self.folder / "study.evident/result.json").read_text(), old)
