"""Comparisons that are stopped: what is done is kept, --resume goes on with it, and nothing else is taken for it."""
import functools
import json
import re
import resource
import signal
import subprocess

import program
from batch_case import tree
from program import ProgramCase

STUDY = """\
[data]
file = "data.csv"
[sampler]
seed = 3
particles = 4000
cess = 0.999
replicates = 2
[[model]]
name = "flat"
[model.parameters]
mu = "normal(0, 10)"
[model.likelihood]
y = "normal(mu, 1)"
[[model]]
name = "line"
[model.parameters]
mu = "normal(0, 10)"
slope = "normal(0, 3)"
[model.likelihood]
y = "normal(mu + slope * t, 1)"
"""
DATA = "t,y\n" + "".join(f"{t},{(7 * t % 11) / 5 - 1 + 0.1 * t}\n" for t in range(60))
WAY_ON = "what is done is kept in study.evident.checkpoint: repeat the command with --resume to go on\n"


class CompareResume(ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("study.toml", STUDY)
        self.write("data.csv", DATA)
        self.journal = self.folder / "study.evident.checkpoint/journal"

    def start(self, *more, threads=1, **options):
        return subprocess.Popen([program.PROGRAM, "compare", "study.toml", "--no-report", "--quiet", "--threads", str(threads), *more],
                                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def started(self, *more):
        """A run whose journal has grown, and that stands still."""
        return self.held(functools.partial(self.start, "--resume", *more), 1)

    def succeeds(self, *more, **options):
        process = self.start(*more, **options)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, err)
        self.assertFalse(self.journal.parent.exists())
        return out

    def result(self):
        text = (self.folder / "study.evident/result.json").read_text()
        return re.sub(r'"seconds": [^,\n]*', '"seconds": 0', text)

    def whole(self):
        self.succeeds()
        wanted = self.result()
        subprocess.run(["rm", "-r", self.folder / "study.evident"], check=True)
        return wanted

    def test_interrupted(self):
        wanted = self.whole()
        for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
            process = self.started()
            process.send_signal(number)
            process.send_signal(signal.SIGCONT)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out), (128 + number, ""), err)
            self.assertEqual(err, f"evident: stopped by {name}; {WAY_ON}")
        self.succeeds("--resume", threads=2)
        self.assertEqual(self.result(), wanted)
        self.assertEqual(self.entries(), ["data.csv", "study.evident", "study.toml"])

    def test_another_study(self):
        process = self.started()
        process.kill()
        process.communicate()
        self.refused("a run that was stopped is kept here; add --resume to go on with it, or --force to begin again$",
                     "compare", "study.toml")
        self.refused("belongs to another run: .*seed = 3, this run has 4", "compare", "study.toml", "--resume", "--seed", 4)
        self.refused("belongs to another run: .*method", "compare", "study.toml", "--resume", "--method", "ais")
        self.write("data.csv", DATA.replace("59,", "58.5,"))
        self.refused("belongs to another run: .*'line' at two draws", "compare", "study.toml", "--resume")
        self.write("data.csv", DATA + "\n")
        self.refused("belongs to another run: .*sum of data.csv", "compare", "study.toml", "--resume")
        self.write("data.csv", DATA)
        self.write("study.toml", STUDY + "# changed\n")
        self.refused("belongs to another run: .*sum of study.toml", "compare", "study.toml", "--resume")
        self.write("study.toml", STUDY)
        self.journal.write_bytes(b"x" + self.journal.read_bytes()[1:])
        for way in ("--resume", "--force"):  # whosever it is
            self.refused("journal study.evident.checkpoint/journal: is not a journal", "compare", "study.toml", way)
        self.journal.write_bytes(b"E" + self.journal.read_bytes()[1:])
        self.succeeds("--force", "--particles", "100")  # begins again, and clears up

    def test_from_the_start_and_after_the_end(self):
        wanted = self.whole()
        self.succeeds("--resume")
        self.assertEqual(self.result(), wanted)
        files = tree(self.folder / "study.evident")
        for _ in range(2):
            out = self.succeeds("--resume")
            self.assertRegex(out, r"\AThe run is finished already; its results are in study.evident\n")
        self.assertEqual(json.loads(self.succeeds("--resume", "--json")), json.loads(files["result.json"]))
        self.assertEqual(tree(self.folder / "study.evident"), files)
        self.refused("output folder study.evident: exists; give --force", "compare", "study.toml", "--resume", "--seed", 4)
        self.assertEqual(tree(self.folder / "study.evident"), files)

    def test_killed_when_all_is_written(self):
        """The results are there, and the checkpoint still is."""
        wanted = self.whole()
        process = self.started()
        process.kill()
        process.communicate()
        subprocess.run(["cp", "-r", self.journal.parent, self.folder / "copy"], check=True)
        self.succeeds("--resume")
        subprocess.run(["mv", self.folder / "copy", self.journal.parent], check=True)
        self.assertIn("finished already", self.succeeds("--resume"))
        self.assertEqual(self.result(), wanted)

    def test_damage_is_reported(self):
        wanted = self.whole()
        process = self.held(functools.partial(self.start, "--resume"), 2)
        process.kill()
        process.communicate()
        data = bytearray(self.journal.read_bytes())
        data[-200] ^= 0x10  # within the payload of the last piece
        self.journal.write_bytes(data)
        done = self.start("--resume")
        _, err = done.communicate(timeout=300)
        self.assertEqual(err, "evident: 1 finished piece of work was damaged on the disk and is done again\n")
        self.assertEqual(self.result(), wanted)
        self.assertEqual(json.loads((self.folder / "study.evident/manifest.json").read_text())["pieces_done_again"], 1)

    def test_two_at_once(self):
        process = self.started()
        self.refused("is in use by another run", "compare", "study.toml", "--resume")
        process.kill()
        process.communicate()

    def test_full_disk(self):
        wanted = self.whole()

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

        process = self.start("--resume", preexec_fn=limit)
        _, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(err, r"\Aevident: .*journal study.evident.checkpoint/journal: cannot be written: File too large; "
                              r".* to go on\n\Z")
        self.succeeds("--resume")
        self.assertEqual(self.result(), wanted)

    def test_document_alone(self):
        done = self.run_program("compare", "study.toml", "--json", "--quiet", "--particles", 200, "--checkpoint", "here")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["models"]), 2)
        self.assertEqual(self.entries(), ["data.csv", "study.toml"])
        self.refused("--checkpoint must not be empty", "compare", "study.toml", "--checkpoint", "")
        self.refused("checkpoint data.csv: cannot be made", "compare", "study.toml", "--checkpoint", "data.csv")
