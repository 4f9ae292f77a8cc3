"""Runs the program in a folder of its own, for the tests."""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
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

    def held(self, start, appends):
        """A run of start(env=...) that stops itself when it has added so many times to its journal (hold_journal.cpp);
        signals reach it with SIGCONT."""
        process = start(env={**os.environ, "LD_PRELOAD": os.environ["EVIDENT_HOLD_LIBRARY"],
                             "EVIDENT_HOLD_AFTER": str(appends)})
        self.addCleanup(process.kill)
        watchdog = threading.Timer(240, process.kill)
        watchdog.start()
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        watchdog.cancel()
        if process.poll() is not None:
            self.fail(f"the run ended before it could be stopped: {process.communicate()}")
        return process

    def entries(self):
        return sorted(p.name for p in self.folder.iterdir())

    def lasting_entries(self):
        """Without what killed runs have left, which any later run may remove."""
        return [name for name in self.entries() if not re.match(r"\..+\.evident-[0-9a-f]{8}\.", name)]

    def refused(self, pattern, *arguments):
        """Bad input: exit 2, one line on standard error, nothing on standard output, nothing written."""
        before = self.lasting_entries()
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"\Aevident: [^\n]+\n\Z")
        self.assertRegex(done.stderr, pattern)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.lasting_entries(), before)
