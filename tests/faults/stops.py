"""Signals at random moments: the run ends soon and nothing is left half-written."""
import json
import random
import signal
import subprocess
import time

import program
from fault_case import STUDY, FaultCase

FILES = ("result.json", "m-draws.csv", "m-trace.csv", "study.json")


class Stops(FaultCase):
    def setUp(self):
        super().setUp()
        self.random = random.Random(20161)
        self.write("study.toml", STUDY.format(20000).replace("cess = 0.9", "cess = 0.97"))
        started = time.monotonic()
        self.succeeds("compare", "study.toml", "--quiet", "--threads", 1, "--out", "whole")
        self.length = time.monotonic() - started
        self.before = self.entries()

    def stopped(self, number, *arguments):
        process = subprocess.Popen([program.PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        started = time.monotonic()
        try:
            process.wait(self.random.uniform(0, 1.1 * self.length))
            self.length = time.monotonic() - started  # the machine was busier when it was measured
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_compare(self):
        seen = set()
        for turn in range(16):
            number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[turn % 3]
            status, out, err = self.stopped(number, "compare", "study.toml", "--quiet", "--threads", "1", "--out", "out")
            # Before the program watches for signals there is nothing to clean up, and the signal ends it.
            self.assertIn(status, (0, 128 + number, -number), err)
            seen.add(status)
            if status > 0:
                self.assertEqual(err, f"evident: stopped by {number.name}; nothing was written\n")
            if status == 0:
                for name in FILES:
                    self.assertEqual((self.folder / "out" / name).exists(), True, name)
                json.loads((self.folder / "out/result.json").read_text())
                self.assertEqual((self.folder / "out/m-draws.csv").read_bytes(),
                                 (self.folder / "whole/m-draws.csv").read_bytes())
                subprocess.run(["rm", "-r", self.folder / "out"], check=True)
            self.assertEqual(self.entries(), self.before, f"turn {turn}, status {status}")
        self.assertTrue(any(status > 0 for status in seen), seen)

    def test_batch(self):
        self.write("study.toml", STUDY.format(2000))
        for k in range(6):
            self.write(f"d{k}.csv", "y\n" + "".join(f"{x * k % 7}\n" for x in range(9)))
        batch = ("batch", "study.toml", "--data", "d[0-9].csv", "--quiet", "--threads", "1", "--out")
        started = time.monotonic()
        self.succeeds(*batch, "wanted")
        self.length = time.monotonic() - started
        wanted = (self.folder / "wanted/parameters.csv").read_bytes()
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGKILL) * 2:
            status, _, err = self.stopped(number, *batch, "b", "--resume")
            self.assertIn(status, (0, 128 + number, -number), err)
        self.succeeds(*batch, "b", "--resume")
        self.assertEqual((self.folder / "b/parameters.csv").read_bytes(), wanted)
        left = {p.name for p in (self.folder / "b").iterdir()}  # what a kill has left is gone, too
        self.assertEqual(left, {p.name for p in (self.folder / "wanted").iterdir()})

    def test_what_a_kill_leaves_goes_with_the_next_run(self):
        compare = ("compare", "study.toml", "--quiet", "--threads", "1", "--out", "out")
        process = subprocess.Popen([program.PROGRAM, *compare, "--particles", "1000000"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        while not any(name.startswith(".out.") for name in self.entries()):
            self.assertIsNone(process.poll())
            time.sleep(0.002)
        process.send_signal(signal.SIGSTOP)
        done = self.run_program(*compare[:-1], "other", "--particles", "64", "--no-pilot")  # while the first one lives
        self.assertEqual(done.returncode, 0, done.stderr)
        process.kill()
        process.communicate()
        hidden = [name for name in self.entries() if name.startswith(".out.")]
        self.assertEqual(len(hidden), 1, self.entries())
        for name in (".out.aB3xYz", hidden[0][:-3] + "-Yz"):  # such as other programs make
            (self.folder / name).mkdir()
        self.succeeds(*compare)
        self.assertEqual([name for name in self.entries() if name.startswith(".")], sorted((".out.aB3xYz", hidden[0][:-3] + "-Yz")))

    def test_a_broken_pipe_elsewhere_is_nothing(self):
        status, _, err = self.stopped(signal.SIGPIPE, "compare", "study.toml", "--quiet", "--threads", "1", "--out", "out")
        self.assertIn(status, (0, -signal.SIGPIPE), err)  # the latter before main() has begun
        if status == 0:
            self.assertTrue((self.folder / "out/result.json").exists())
