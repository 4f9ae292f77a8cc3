"""Full disks and ranks that may not write, under mpirun. Skipped where there is no mpirun."""
import pathlib
import shutil
import sys
import unittest

import disk
import program

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "mpi"))
import case  # noqa: E402
import ranks  # noqa: E402

NO_FILES = ("sh", "-c", 'ulimit -f 0; exec "$0" "$@"')  # files of no byte


@unittest.skipUnless(ranks.available(), "there is no mpirun")
class OnRanks:
    """What is run as one program elsewhere is run on two ranks, and of what they say the words of the launcher are left out."""

    places = 3

    def run_program(self, *arguments, **options):
        return self.spoken(ranks.run(2, program.PROGRAM, *arguments, cwd=self.folder, timeout=300, **options))

    def run_with_one_that_may_not_write(self, *arguments):
        commands = [[program.PROGRAM, *arguments], [*NO_FILES, program.PROGRAM, *arguments]]
        return self.spoken(ranks.run_each(commands, cwd=self.folder, timeout=300))

    @staticmethod
    def spoken(done):
        done.stderr = "".join(line + "\n" for line in ranks.own_lines(done.stderr))
        return done


class Comparisons(OnRanks, disk.FullAnywhere):
    def test_a_rank_that_may_not_write(self):
        """Files are written by rank 0 alone."""
        whole = self.succeeds(*disk.COMPARE, "whole", "--replicates", "3")
        done = self.run_with_one_that_may_not_write(*disk.COMPARE, "out", "--replicates", "3", "--checkpoint", "kept")
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", whole.stdout.replace("whole", "out")))
        self.assertEqual(self.results(self.folder / "out"), self.results(self.folder / "whole"))

    def test_a_rank_that_may_not_write_its_reports(self):
        """These are written by the rank that has the data set: that one says so, and --resume does what is left."""
        for k in range(6):
            self.write(f"d{k}.csv", (self.folder / "data.csv").read_text() + f"{k}\n")
        batch = ("batch", "study.toml", "--data", "d*.csv", "--reports", "--no-report", "--quiet", "--out")
        self.succeeds(*batch, "whole")
        done = self.run_with_one_that_may_not_write(*batch, "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"\Aevident: rank 1: [^\n]*File too large; what is done is kept in out: repeat [^\n]*--resume[^\n]*\n\Z")
        self.succeeds(*batch, "out", "--resume")
        self.assertEqual(self.results(self.folder / "out"), self.results(self.folder / "whole"))


class Pet(OnRanks, disk.FullDisk):
    def setUp(self):
        super().setUp()
        case.PROGRAM = program.PROGRAM
        case.Case.make_scan(self, voxels=12)

    def results(self, out):
        return case.tree(out)

    def pet(self, out):
        return ("pet", "scan", out, "participant", "--mask", self.mask, "--preset", "fast", "--delay", "0", "--chunk", "2",
                "--particles", "48", "--quiet")

    def test_full(self):
        self.run_full(self.pet("disk/out"), "what is done is kept in disk/out/sub-01/pet: repeat the command with --resume to go on")

    def test_a_rank_that_may_not_write(self):
        self.succeeds(*self.pet("out"))  # the files name the folder
        wanted = self.results(self.folder / "out")
        shutil.rmtree(self.folder / "out")
        done = self.run_with_one_that_may_not_write(*self.pet("out"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(self.results(self.folder / "out") == wanted)  # to show how megabytes differ takes for ever
