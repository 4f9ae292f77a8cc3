"""One signal is enough: whatever the program is doing, it is gone within two seconds, and says what is kept.

Each situation (situations.py) is started, watched until it is busy, and sent one signal. A few run with the other tests;
all of them by hand:

    python3 -B tests/faults/faults_test.py build/release/evident one_signal --all
"""
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import time

import program
import situations
from fault_case import FaultCase

LIMIT = 2.0  # seconds
ALL = "--all" in sys.argv
TICK = os.sysconf("SC_CLK_TCK")


def status_of(process):
    return pathlib.Path(f"/proc/{process}/status").read_text()


def watches(process):
    """Whether the program holds SIGTERM back to look at it."""
    held = next(line for line in status_of(process).splitlines() if line.startswith("SigBlk:"))
    return bool(int(held.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


def seconds_of(process):
    """Of computing, in all threads."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class OneSignal(FaultCase):
    def setUp(self):
        super().setUp()
        # What starting and ending takes on a machine that others use, too.
        begun = time.monotonic()
        self.run_program("--version")
        self.slack = 10 * (time.monotonic() - begun)

    def wait_until_busy(self, process, wanted):
        """It has computed so long; or, where it waits for something, it has come to where it waits."""
        deadline, last, since = time.monotonic() + 120, None, time.monotonic()
        while True:
            if process.poll() is not None:
                self.fail(f"ended before it could be stopped: {process.communicate()}")
            self.assertLess(time.monotonic(), deadline, "it is never busy")
            now = seconds_of(process.pid)
            if now != last:
                last, since = now, time.monotonic()
            if watches(process.pid):
                if wanted is not None and now >= wanted:
                    return
                if wanted is None and time.monotonic() - since > 0.5:
                    return
            select.select([], [], [], 0.01)

    def obeys(self, situation):
        number = situation.signal
        arguments = situation.make(self)
        process = subprocess.Popen([program.PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **situation.environment})
        self.addCleanup(process.kill)
        self.wait_until_busy(process, situation.busy)
        process.send_signal(number)
        begun = time.monotonic()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            self.fail(f"{situation.name}: still there after a minute")
        took = time.monotonic() - begun
        out, err = process.communicate()
        print(f"{situation.name}: {took:.2f} s, {process.returncode}, {err.splitlines()[-1] if err else ''}", flush=True)
        self.assertLess(took, LIMIT + self.slack, situation.name)
        self.assertEqual(process.returncode, 128 + number, err)
        self.assertRegex(err, rf"(?m)^evident: stopped by {number.name}; {situation.kept}$")
        self.assertEqual(err.count("evident: stopped by"), 1, err)
        parts = [str(p) for p in self.folder.rglob(".*") if re.search(r"\.(part|\w{6})$", p.name)]
        self.assertEqual(parts, [], "something half-written is left")


def add_tests():
    for situation in situations.SITUATIONS:
        if ALL or situation.quick:
            name = "test_" + "".join(c if c.isalnum() else "_" for c in situation.name)
            setattr(OneSignal, name, lambda self, s=situation: self.obeys(s))


add_tests()
