"""Batches that are stopped, damaged or changed: --resume ends with the bytes of one that nobody stopped."""
import functools
import json
import shutil
import signal
import subprocess

import program
from batch_case import STUDY, BatchCase, table

SLOW = STUDY.replace("particles = 100", "particles = 2000").replace("cess = 0.9", "cess = 0.995")


class ResumeCase(BatchCase):
    def setUp(self):
        super().setUp()
        for k in range(7, 16):
            self.write(f"d/s{k + 1:02}.csv", table(k))
        self.write("study.toml", SLOW)
        self.journal = self.folder / "out/journal"

    def start(self, *more, **options):
        return subprocess.Popen([program.PROGRAM, *map(str, self.batch("--threads", 1, *more))], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def started(self, items=2, *more):
        """A run whose journal has grown so many times, and that stands still."""
        return self.held(functools.partial(self.start, *more), items)

    def killed(self, items=2, *more):
        process = self.started(items, *more)
        process.kill()
        process.communicate()
        self.assertFalse((self.folder / "out/results.csv").exists())

    def whole(self):
        self.succeeds(*self.batch(out="whole"))
        return self.results("whole")


class Resumed(ResumeCase):
    def test_killed(self):
        wanted = self.whole()
        for items in (1, 3):
            self.killed(items)
            self.killed(items, "--resume")
            done = self.succeeds(*[a for a in self.batch("--resume", "--threads", 2) if a != "--quiet"])
            self.assertRegex(done.stderr, r"16 of 16 data sets \(100 %\), [0-9]+ from before")
            self.assertEqual(self.results(), wanted)
            shutil.rmtree(self.folder / "out")

    def test_interrupted(self):
        wanted = self.whole()
        for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
            process = self.started(2)
            process.send_signal(number)
            process.send_signal(signal.SIGCONT)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out), (128 + number, ""), err)
            self.assertEqual(err, f"evident: stopped by {name}; what is done is kept in out: repeat the command with "
                                  "--resume to go on\n")
            self.succeeds(*self.batch("--resume"))
            self.assertEqual(self.results(), wanted)
            shutil.rmtree(self.folder / "out")

    def test_damaged_journal(self):
        wanted = self.whole()
        self.killed(4)
        data = bytearray(self.journal.read_bytes())
        data[len(data) // 2] ^= 0x10
        self.journal.write_bytes(data[:-5])
        done = self.succeeds(*self.batch("--resume"))
        self.assertRegex(done.stderr, r"\Aevident: 1 finished piece of work was damaged on the disk and is done again\n\Z")
        self.assertEqual(json.loads((self.folder / "out/manifest.json").read_text())["pieces_done_again"], 1)
        self.assertEqual(self.results(), wanted)
        self.journal.write_bytes(b"x" + bytes(self.journal.read_bytes())[1:])
        before = self.results()
        self.refused("journal out/journal: is not a journal", *self.batch("--resume"))
        self.assertEqual(self.results(), before)

    def test_nothing_to_do_and_nothing_there(self):
        self.write("study.toml", STUDY)
        self.succeeds(*self.batch("--resume"))  # nothing there: it begins
        before = self.folder.joinpath("out/results.csv").read_bytes()
        self.succeeds(*self.batch("--resume"))  # all is there: the same again, times included
        self.assertEqual(self.folder.joinpath("out/results.csv").read_bytes(), before)

    def test_changed_files(self):
        self.write("study.toml", STUDY)
        self.succeeds(*self.batch())
        before = self.results()["results.csv"]
        self.write("d/s04.csv", table(4))
        done = self.succeeds(*[a for a in self.batch("--resume") if a != "--quiet"])
        self.assertRegex(done.stderr, r"16 of 16 data sets \(100 %\), 15 from before, 1 again because files changed")
        after = self.results()["results.csv"]
        self.assertEqual([r for r in after if r[0] != "s04"], [r for r in before if r[0] != "s04"])
        self.assertNotEqual(after, before)

    def test_another_batch(self):
        self.write("study.toml", STUDY)
        self.succeeds(*self.batch())
        self.refused("out: a batch is here already; add --resume to do what is left of it, or --force", *self.batch())
        self.refused("belongs to another run: .*seed = 9", *self.batch("--resume", "--seed", 9))
        self.refused("belongs to another run: .*data sets = 16, this run has 7", *self.batch("--resume", data="d/s0[1-7].csv"))
        self.write("study.toml", STUDY + "# changed\n")
        self.refused("belongs to another run: .*sum of the study", *self.batch("--resume"))
        self.succeeds(*self.batch("--force", "--seed", 9))
        self.refused("holds a batch without shards", *self.batch("--shard", "1/2"))
        self.write("file", "")
        self.refused("output folder file: cannot be made", *self.batch(out="file"))

    def test_two_at_once(self):
        process = self.started(1)
        self.refused("is in use by another run", *self.batch("--resume"))
        process.kill()
        process.communicate()


class Gathered(BatchCase):
    def shards(self, n, out="out", only=None):
        for i in range(1, n + 1):
            if only is None or i in only:
                self.succeeds(*self.batch("--shard", f"{i}/{n}", out=out))

    def test_same_bytes(self):
        self.succeeds(*self.batch(out="whole"))
        wanted = self.results("whole")
        for n in (1, 2, 3, 7, 20):
            self.shards(n, out=f"of{n}")
            done = self.succeeds("gather", f"of{n}")
            self.assertEqual(self.results(f"of{n}"), wanted, n)
            self.assertRegex(done.stdout, r"\A7 data sets\n")
        before = self.results("of3")
        self.succeeds("gather", "of3")  # again
        self.assertEqual(self.results("of3"), before)

    def test_missing_and_unfinished(self):
        self.refused("out: does not exist", "gather", "out")
        (self.folder / "out").mkdir()
        self.refused("out: holds no shards; 'evident batch ... --shard i/n' makes them", "gather", "out")
        self.shards(4, only=(1, 3))
        self.refused(r"of 4 shards 2 are missing: 2, 4; shard 2 is made by: evident batch study.toml --data 'd/\*.csv' --out "
                     r"out --shard 2/4 --resume\n", "gather", "out")
        self.shards(4, only=(2, 4))
        path = self.folder / "out/shards/3-of-4.journal"
        whole = path.read_bytes()
        path.write_bytes(whole[:-40])
        self.refused("one is not finished: 3 with 1 of 2 data sets; shard 3 is made by: .*--shard 3/4 --resume\n", "gather", "out")
        self.succeeds(*self.batch("--shard", "3/4", "--resume"))
        self.succeeds("gather", "out", "--quiet")
        self.succeeds(*self.batch(out="whole"))
        self.assertEqual(self.results(), self.results("whole"))

    def test_what_does_not_belong_together(self):
        self.shards(3, only=(1, 2))
        self.write("study.toml", STUDY + "\n")
        self.shards(3, only=(3,))
        self.refused("1-of-3.journal and .*3-of-3.journal are of different batches: sum of the study", "gather", "out")
        self.write("study.toml", STUDY)
        self.succeeds(*self.batch("--shard", "3/3", "--force"))
        self.shards(4, only=(2,))
        self.refused("different batches: shards = 3 and 4", "gather", "out")
        (self.folder / "out/shards/2-of-4.journal").unlink()
        self.write("out/shards/x.journal", "nonsense")
        self.refused("x.journal: is not a journal", "gather", "out")
        (self.folder / "out/shards/x.journal").unlink()
        self.refused("out: holds shards; 'evident gather out' puts them together", *self.batch())
        self.refused("out: shard 1/3 is here already; add --resume", *self.batch("--shard", "1/3"))
        self.succeeds("gather", "out", "--quiet")

    def test_several_folders(self):
        self.succeeds(*self.batch("--reports", "--no-report", out="whole"))
        for i in (1, 2):
            self.succeeds(*self.batch("--shard", f"{i}/2", "--reports", "--no-report", out=f"node{i}"))
        self.refused("--out is needed", "gather", "node1", "node2")
        self.refused("of 2 shards 1 are missing: 2", "gather", "node1", "--out", "all")
        self.refused("shard 1/2 is there twice", "gather", "node1", "node1", "--out", "all")
        self.succeeds("gather", "node1", "node2", "--out", "all", "--quiet")
        self.assertEqual(self.results("all"), self.results("whole"))
        self.assertEqual([p.name for p in sorted((self.folder / "all/reports").iterdir())],
                         [p.name for p in sorted((self.folder / "whole/reports").iterdir())])
        self.refused("all: holds parameters.csv already; add --force", "gather", "node1", "node2", "--out", "all")
        self.refused("whole: holds a batch without shards", "gather", "whole")

    def test_failures_pass_through(self):
        self.write("d/s03.csv", "t,y\n")
        self.fails("1 of 7 data sets failed", *self.batch(out="whole"))
        self.fails("1 of 4 data sets failed", *self.batch("--shard", "1/2"))
        self.succeeds(*self.batch("--shard", "2/2"))
        self.fails("1 of 7 data sets failed .s03: .*; mend them, repeat their shards with --resume, and gather again",
                   "gather", "out", "--quiet")
        self.assertEqual(self.results(), self.results("whole"))

    def test_more_shards_than_data_sets(self):
        self.succeeds(*self.batch(out="whole"))
        for i in (*range(1, 9), 10**9):
            self.succeeds(*self.batch("--shard", f"{i}/{10**9}"))
        self.succeeds("gather", "out", "--quiet")
        self.assertEqual(self.results(), self.results("whole"))
