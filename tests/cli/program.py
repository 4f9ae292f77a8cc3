"""Runs the program in a folder of its own, for the tests."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = None  # set by program_test.py
REPORTS = True  # was the program built with HTML reports?

STUDY = """\
[data]
file = "data.csv"

[sampler]
particles = 64
cess = 0.9
replicates = 1
[[model]]
name = "one"
kind = "gaussian-mixture"
components = 1

[[model]]
name = "two"
kind = "gaussian-mixture"
components = 2
"""
DATA = "y\n" + "".join(f"{x}\n" for x in (1.5, -0.5, 2.25, 3.0, -1.0, 0.125, 2.5, 1.0))

# Who starts the tests in the background, or by nohup, has them ignore signals, and so would the program.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


class ProgramCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.write("study.toml", STUDY)
        self.write("data.csv", DATA)

    def write(self, name, text):
        data = text if isinstance(text, bytes) else text.encode()
        (self.folder / name).write_bytes(data)

    def run_program(self, *arguments, **options):
        options.setdefault("timeout", 300)
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              **options)

    def held(self, start, journal, times, is_done, *made):
        """A run of start() whose journal has been seen to grow so many times, and that SIGSTOP holds there: signals
        reach it with SIGCONT. Where it came to its end unseen, as on a busy machine, once more with the folders that it
        makes as they were."""
        with tempfile.TemporaryDirectory() as name:
            kept = [pathlib.Path(name) / str(i) for i in range(len(made))]
            for copy, folder in zip(kept, made):
                if folder.exists():
                    shutil.copytree(folder, copy)
            for _ in range(5):
                process = start()
                self.addCleanup(process.kill)
                if self.has_grown(process, journal, times):
                    process.send_signal(signal.SIGSTOP)
                    if process.returncode is None:  # until it stands still, or has ended
                        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
                    if process.poll() is None and not is_done():
                        return process
                    process.send_signal(signal.SIGCONT)
                out, err = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 0, f"the run failed before it could be stopped: {out} {err}")
                for copy, folder in zip(kept, made):
                    shutil.rmtree(folder, ignore_errors=True)
                    if copy.exists():
                        shutil.copytree(copy, folder)
        self.fail("the runs ended before they could be stopped")

    def has_grown(self, process, journal, times):
        deadline, sizes = time.time() + 120, set()
        while process.poll() is None and time.time() < deadline:
            try:
                sizes.add(journal.stat().st_size)
            except FileNotFoundError:  # not yet there, or no more
                pass
            if len(sizes - {0}) > times:
                return True
            time.sleep(0.002)
        return False

    def entries(self):
        return sorted(p.name for p in self.folder.iterdir())

    def refused(self, pattern, *arguments):
        """Bad input: exit 2, one line on standard error, nothing on standard output, nothing written."""
        before = self.entries()
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"\Aevident: [^\n]+\n\Z")
        self.assertRegex(done.stderr, pattern)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.entries(), before)
