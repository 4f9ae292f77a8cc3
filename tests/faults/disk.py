"""Disks that are full, files that may not grow, folders that may not be written to. (`evident pet`: tests/cli.)"""
import csv
import os
import re
import shutil
import subprocess

from fault_case import FaultCase, limits

COMPARE = ("compare", "study.toml", "--quiet", "--out")


class Full(FaultCase):
    """A file system that has no room, at several places of the writing."""

    def test_compare(self):
        for size in (4, 16, 64):
            self.mount(f"size={size}k")
            done = self.run_program(*COMPARE, "disk/out")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, r"\Aevident: [^\n]*No space left on device[^\n]*\n\Z")
            self.assertEqual(os.listdir(self.folder / "disk"), [], f"{size} KiB")
            subprocess.run(["umount", "-l", self.folder / "disk"], check=True)

    def test_keeps_the_earlier_result(self):
        self.mount("size=4m")
        self.succeeds(*COMPARE, "disk/out")
        wanted = (self.folder / "disk/out/result.json").read_bytes()
        with open(self.folder / "disk/filler", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass
        done = self.run_program(*COMPARE, "disk/out", "--force")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual((self.folder / "disk/out/result.json").read_bytes(), wanted)
        self.assertEqual(sorted(os.listdir(self.folder / "disk")), ["filler", "out"])

    def test_report(self):
        self.succeeds(*COMPARE, "out")
        self.mount("size=16k")
        done = self.run_program("report", "out", "--out", "disk/report.html")
        if "was built without" in done.stderr:
            self.skipTest("built without reports")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"\Aevident: disk/report.html: [^\n]*No space left on device[^\n]*\n\Z")
        self.assertEqual(os.listdir(self.folder / "disk"), [])

    def test_batch_goes_on(self):
        self.mount("size=8k")
        done = self.run_program("batch", "study.toml", "--data", "data.csv", "--out", "disk/out", "--quiet")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], "evident: .*No space left on device")
        self.assertFalse((self.folder / "disk/out/results.csv").exists())
        subprocess.run(["mount", "-o", "remount,size=1m", self.folder / "disk"], check=True)
        self.succeeds("batch", "study.toml", "--data", "data.csv", "--out", "disk/out", "--quiet", "--resume")
        self.assertTrue((self.folder / "disk/out/results.csv").exists())


class FullDisk(FaultCase):
    """A disk that is full at some moment of the run: a message, what is done is kept, and the run ends with the same bytes
    when there is room. EVIDENT_FULL_DISKS says at how many places, evenly between nothing and enough."""

    places = 5

    def results(self, out):
        """Bytes, times apart; the list of the files has their sums."""
        found = {}
        for file in sorted(out.rglob("*.json")):
            if file.name != "manifest.json":
                found[str(file.relative_to(out))] = re.sub(r'"seconds": ?[-+0-9.e]+', "", file.read_text())
        for file in sorted(out.rglob("*.csv")):
            rows = csv.DictReader(file.read_text().splitlines())
            found[str(file.relative_to(out))] = [{k: v for k, v in row.items() if k != "seconds"} for row in rows]
        return found

    def run_full(self, arguments, way_on):
        """With a disk of each size."""
        self.mount("size=64m")
        self.succeeds(*arguments)
        out = self.folder / "disk/out"
        wanted = self.results(out)
        needed = sum(file.stat().st_size + 4096 for file in out.rglob("*"))
        subprocess.run(["umount", "-l", self.folder / "disk"], check=True)
        places = int(os.environ.get("EVIDENT_FULL_DISKS", self.places))
        stopped = 0
        for k in range(1, places + 1):
            self.mount(f"size={max(4096, needed * k // (places + 1)) // 4096 * 4}k")
            done = self.run_program(*arguments)
            if done.returncode != 0:
                stopped += 1
                self.assertRegex(done.stderr, r"\Aevident: [^\n]*No space left on device[^\n]*\n\Z")
                begun = list((self.folder / "disk").rglob("*journal"))
                self.assertEqual(way_on in done.stderr, bool(begun), done.stderr)
                self.assertIn(done.returncode, (1,) if begun else (1, 2))
            subprocess.run(["mount", "-o", "remount,size=64m", self.folder / "disk"], check=True)
            self.succeeds(*arguments, "--resume")
            self.assertTrue(self.results(out) == wanted, f"place {k}")  # to show how megabytes differ takes for ever
            self.assertEqual([p for p in (self.folder / "disk").iterdir() if p.name.startswith(".")], [])
            subprocess.run(["umount", "-l", self.folder / "disk"], check=True)
        self.assertGreaterEqual(stopped, places * 3 // 5)


class FullAnywhere(FullDisk):
    def test_compare(self):
        self.run_full((*COMPARE, "disk/out", "--checkpoint", "disk/kept", "--replicates", "3"),
                      "what is done is kept in disk/kept: repeat the command with --resume to go on")

    def test_batch(self):
        for k in range(6):
            self.write(f"d{k}.csv", (self.folder / "data.csv").read_text() + f"{k}\n")
        self.run_full(("batch", "study.toml", "--data", "d*.csv", "--out", "disk/out", "--reports", "--no-report", "--quiet"),
                      "what is done is kept in disk/out: repeat the command with --resume to go on")


class Limited(FaultCase):
    """ulimit -f: no signal ends the program."""

    def test_every_command_that_writes(self):
        self.succeeds(*COMPARE, "out")
        for words in ((*COMPARE, "new"), ("simulate", "goodwin", "--seed", "1", "--out", "new"),
                      ("batch", "study.toml", "--data", "data.csv", "--quiet", "--out", "new")):
            done = self.run_program(*words, preexec_fn=limits(("FSIZE", 100)))
            self.assertIn(done.returncode, (1, 2), f"{words}: {done.returncode} {done.stderr}")
            self.assertRegex(done.stderr, r"\Aevident: [^\n]*File too large[^\n]*\n\Z")
            shutil.rmtree(self.folder / "new", ignore_errors=True)


class ReadOnly(FaultCase):
    def test_every_command_that_writes(self):
        self.succeeds(*COMPARE, "out")
        self.mount("size=1m,ro")
        for words in ((*COMPARE, "disk/out"), ("batch", "study.toml", "--data", "data.csv", "--out", "disk/out"),
                      ("simulate", "goodwin", "--seed", "1", "--out", "disk/x"), ("report", "out", "--out", "disk/r.html"),
                      ("simulate", "pet-image", "--seed", "1", "--out", "disk/x")):
            done = self.run_program(*words)
            if "was built without" in done.stderr:
                continue
            self.assertIn(done.returncode, (1, 2), f"{words} {done.stderr}")
            self.assertRegex(done.stderr, r"\Aevident: disk/[^\n]*Read-only file system[^\n]*\n\Z|"
                                          r"\Aevident: output folder disk/[^\n]*Read-only file system[^\n]*\n\Z")
