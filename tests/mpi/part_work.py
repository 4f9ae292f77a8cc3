"""Ranks that are not about to do the same work, or cannot join, are refused before anything is done."""
import os
import pathlib
import shutil
import time

import case
import ranks
from case import DATA, Case


class WorkTest(Case):
    def refused(self, pattern, *commands, status=2, within=10, lines=1):
        """What was said, by evident."""
        before = sorted(p.name for p in self.folder.iterdir())
        begun = time.monotonic()
        done = ranks.run_each(commands, cwd=self.folder, timeout=120)
        took = time.monotonic() - begun
        own = ranks.own_lines(done.stderr)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(len(own), lines, done.stderr)
        self.assertRegex("\n".join(own), pattern)
        self.assertLess(took, within + self.slack)
        self.assertEqual(done.stdout, "")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before)

    def setUp(self):
        super().setUp()
        begun = time.monotonic()
        self.run_ranks(2, "--version")
        self.slack = 3 * (time.monotonic() - begun)  # of a machine that others use, too

    def compare(self, *more, study="study.toml"):
        return (case.PROGRAM, "compare", study, "--quiet", *more)

    def test_another_study(self):
        (self.folder / "other.toml").write_text((self.folder / "study.toml").read_text().replace("200", "300"))
        self.refused("rank 1 is not about to do the work of rank 0: ", self.compare(), self.compare(study="other.toml"))

    def test_other_options(self):
        for option, name in ((("--seed", 2), "seed"), (("--particles", 300), "particles"), (("--islands", 4), "islands"),
                             (("--model", "two"), "")):
            self.refused(f"rank 1 is not about to do the work of rank 0: .*{name}", self.compare(), self.compare(*option))
            self.refused(f"rank 1 is not about to do the work of rank 0: .*{name}", self.compare(*option), self.compare())

    def test_other_data(self):
        (self.folder / "there").mkdir()
        (self.folder / "there/study.toml").write_text((self.folder / "study.toml").read_text())
        (self.folder / "there/data.csv").write_text(DATA.replace("2.25", "2.5"))
        self.refused("rank 1 is not about to do the work of rank 0: sum of the data", self.compare(),
                     ("-wdir", self.folder / "there", *self.compare()))

    def test_another_command(self):
        self.refused("rank 1 is not about to do the work of rank 0: command is models there and compare on rank 0",
                     self.compare(), (case.PROGRAM, "models"))
        self.refused("rank 1 is not about to do the work of rank 0: command is pet there and compare on rank 0",
                     self.compare(), (case.PROGRAM, "pet", "--image", "x.nii", "--out", "o"))

    def test_a_batch_with_other_data(self):
        for name in ("here", "there"):
            (self.folder / name).mkdir()
            (self.folder / name / "study.toml").write_text((self.folder / "study.toml").read_text())
            for k in range(4):
                (self.folder / name / f"d{k}.csv").write_text(DATA)
        (self.folder / "there/d2.csv").write_text(DATA.replace("2.25", "2.5"))
        batch = (case.PROGRAM, "batch", "study.toml", "--data", "d0.csv", "d1.csv", "d2.csv", "d3.csv", "--quiet")
        self.refused("rank 1 is not about to do the work of rank 0: sum of the data of d2",
                     ("-wdir", self.folder / "here", *batch), ("-wdir", self.folder / "there", *batch))
        self.assertFalse((self.folder / "here/study.batch").exists())

    def test_a_rank_that_is_another_program(self):
        self.refused("rank 1 ended while the ranks were being started", self.compare(), ("/bin/true",), status=1)
        self.refused("rank 1 does not join, it is .*sleep", self.compare(), ("/bin/sleep", "100"), status=1)

    def test_a_rank_without_the_module(self):
        self.refused("rank 1: .*no module for MPI", self.compare(),
                     ("env", f"EVIDENT_MPI_MODULE={self.folder / 'none.so'}", *self.compare()), lines=2)

    def test_a_damaged_module(self):
        module = pathlib.Path(case.PROGRAM).parent / "evident_mpi.so"
        bad = self.folder / "bad.so"
        shutil.copy(module, bad)
        os.truncate(bad, module.stat().st_size // 2)
        bad_one = ("env", f"EVIDENT_MPI_MODULE={bad}", *self.compare())
        self.refused("no module for MPI that can be used .*bad.so", bad_one, bad_one)
