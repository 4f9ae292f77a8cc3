"""Batches under mpirun: the ranks share the data sets, and the files are those of one process."""
import csv
import re
import shutil

import case
import ranks
from case import Case

STUDY = ('[data]\nfile = "none.csv"\n[sampler]\nparticles = {}\ncess = {}\nreplicates = 1\n'
         '[[model]]\nname = "flat"\n[model.parameters]\nmu = "normal(0, 10)"\n[model.likelihood]\ny = "normal(mu, 1)"\n'
         '[[model]]\nname = "line"\n[model.parameters]\nmu = "normal(0, 10)"\nb = "normal(0, 3)"\n'
         '[model.likelihood]\ny = "normal(mu + b * t, 1)"\n')


class BatchTest(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "d").mkdir()
        for k in range(12):
            rows = "".join(f"{t},{k % 3 * t + ((7 * t + 5 * k) % 11 - 5) / 4}\n" for t in range(8))
            (self.folder / f"d/s{k:02}.csv").write_text("t,y\n" + rows)
        (self.folder / "batch.toml").write_text(STUDY.format(100, 0.9))

    def arguments(self, *more, out="out"):
        return ("batch", "batch.toml", "--data", "d/*.csv", "--out", out, "--quiet", *more)

    def results(self, out="out"):
        folder = self.folder / out
        with open(folder / "results.csv", newline="") as file:
            table = [[cell for j, cell in enumerate(row) if j != 11] for row in csv.reader(file)]
        document = re.sub(r'"seconds":[-+0-9.e]+', "", (folder / "results.json").read_text())
        return table, document, (folder / "parameters.csv").read_bytes()

    def whole(self):
        done = self.run_ranks(0, *self.arguments(out="whole"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.results("whole")

    def test_same_bytes(self):
        wanted = self.whole()
        for count, more in ((1, ()), (2, ()), (3, ()), (2, ("--threads", 2))):
            done = self.run_ranks(count, *self.arguments("--force", "--reports", "--no-report", *more))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.results(), wanted, f"{count} ranks {more}")
            self.assertEqual(len(list((self.folder / "out/reports").iterdir())), 12)
        for i in (1, 2):  # shards, each on two ranks
            done = self.run_ranks(2, *self.arguments("--shard", f"{i}/2", out="shards"))
            self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_ranks(2, "gather", "shards", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.results("shards"), wanted)

    def test_a_bad_data_set(self):
        (self.folder / "d/s05.csv").write_text("t,y\n1,x\n")
        done = self.run_ranks(3, *self.arguments())
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len(ranks.own_lines(done.stderr)), 1, done.stderr)
        self.assertRegex(ranks.own_lines(done.stderr)[0], "1 of 12 data sets failed .s05: .*d/s05.csv:2: ")
        done = self.run_ranks(0, *self.arguments(out="one"))
        self.assertEqual(self.results("one"), self.results())
        done = self.run_ranks(3, *self.arguments("--strict", out="strict"))
        self.assertEqual(len(ranks.own_lines(done.stderr)), 1, done.stderr)
        self.assertRegex(ranks.own_lines(done.stderr)[0], "s05: .*d/s05.csv:2: .*--resume")

    def test_bad_input_is_told_once(self):
        (self.folder / "batch.toml").write_text("[data\n")
        done = self.run_ranks(3, *self.arguments())
        self.assertEqual(len(ranks.own_lines(done.stderr)), 1, done.stderr)
        self.assertIn("batch.toml:1", done.stderr)

    def test_folders_that_cannot_be_written(self):
        """One message, before any work; and where only reports cannot be, nothing of the rest is lost."""
        (self.folder / "file").write_text("x")
        (self.folder / "out").mkdir()
        (self.folder / "out/reports").write_text("x")
        for words in (self.arguments(out="file/out"), self.arguments("--reports"),
                      ("compare", "study.toml", "--out", "file/out", "--quiet"),
                      ("compare", "study.toml", "--checkpoint", "file", "--quiet")):
            done = self.run_ranks(2, *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(ranks.own_lines(done.stderr)), 1, done.stderr)
            self.assertRegex(ranks.own_lines(done.stderr)[0], "(file|out/reports).*(cannot be made|not an existing folder)")

    def test_a_report_that_one_rank_cannot_write(self):
        wanted = self.whole()
        reports = self.folder / "out/reports"
        reports.mkdir(parents=True)
        blocked = [reports / f"{k:02}-s{k - 1:02}" for k in (3, 8)]
        for path in blocked:
            path.write_text("x")
        done = self.run_ranks(2, *self.arguments("--reports", "--no-report", "--resume"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex("\n".join(ranks.own_lines(done.stderr)), "2 of 12 data sets failed .s02: output folder .*--resume")
        for path in blocked:
            self.assertEqual(path.read_text(), "x")
            path.unlink()
        done = self.run_ranks(2, *self.arguments("--reports", "--no-report", "--resume"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.results(), wanted)

    def test_a_killed_rank(self):
        wanted = self.whole()
        for victim in (0, 1):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            process = self.held(*self.arguments("--threads", 1), appends=2)
            self.struck(process, victim)
            if victim != 0:
                self.let_go(process)
            _, errors = process.communicate(timeout=60)
            self.assertNotEqual(process.returncode, 0)
            self.assertRegex("\n".join(ranks.own_lines(errors)), f"rank {victim} .*died; what is done is kept in out")
            done = self.run_ranks(2, *self.arguments("--resume"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.results(), wanted)
