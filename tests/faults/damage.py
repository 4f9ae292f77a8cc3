"""Journals with bytes that changed at random places: refused, or the work is done again; never taken for results."""
import functools
import random
import shutil
import subprocess
import sys

import program
from fault_case import STUDY, FaultCase

MANY = 10 if "--all" in sys.argv else 1  # by hand: many times as many changes


def damaged(data, chooser):
    """One to three bytes of it are others."""
    out = bytearray(data)
    for _ in range(chooser.randint(1, 3)):
        out[chooser.randrange(len(out))] ^= chooser.randint(1, 255)
    return bytes(out)


class Batch(FaultCase):
    def test_flips(self):
        self.write("study.toml", STUDY.format(100))
        for k in range(5):
            self.write(f"d{k}.csv", "y\n" + "".join(f"{x * k % 7}\n" for x in range(9)))
        batch = ("batch", "study.toml", "--data", "d[0-9].csv", "--quiet", "--out", "out")
        self.succeeds(*batch)
        names = ("parameters.csv",)
        wanted = {name: (self.folder / "out" / name).read_bytes() for name in names}
        whole = (self.folder / "out/journal").read_bytes()
        chooser, statuses = random.Random(7), []
        for turn in range(40 * MANY):
            data = damaged(whole, chooser)
            if turn % 4 == 0:
                data = data[:chooser.randrange(len(data))]
            (self.folder / "out/journal").write_bytes(data)
            for name in names:
                (self.folder / "out" / name).unlink()
            done = self.run_program(*batch, "--resume")
            statuses.append(done.returncode)
            if done.returncode == 0:
                for name in names:
                    self.assertEqual((self.folder / "out" / name).read_bytes(), wanted[name], turn)
            else:
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertRegex(done.stderr, r"\Aevident: journal out/journal: [^\n]+\n\Z")
                for name in names:
                    self.write(f"out/{name}", "")
        self.assertEqual(set(statuses), {0, 2})

    def test_gather(self):
        self.write("d1.csv", "y\n1\n2\n")
        batch = ("batch", "study.toml", "--data", "d*.csv", "--quiet", "--out", "out")
        for part in ("1/2", "2/2"):
            self.succeeds(*batch, "--shard", part)
        self.succeeds("gather", "out", "--out", "wanted", "--quiet")
        wanted = (self.folder / "wanted/results.csv").read_bytes()
        journal = self.folder / "out/shards/2-of-2.journal"
        whole, chooser = journal.read_bytes(), random.Random(8)
        for turn in range(25 * MANY):
            journal.write_bytes(damaged(whole, chooser))
            done = self.run_program("gather", "out", "--out", "again", "--quiet")
            # The command that made the shard may be gone: it is words only.
            self.assertIn(done.returncode, (0, 2), done.stderr)
            if done.returncode == 0:
                self.assertEqual((self.folder / "again/results.csv").read_bytes(), wanted, turn)
                shutil.rmtree(self.folder / "again")
            else:
                self.assertRegex(done.stderr, r"\Aevident: [^\n]+\n\Z")


class Pet(FaultCase):
    def test_flips(self):
        subprocess.run([program.PROGRAM, "simulate", "pet-image", "--seed", "3", "--voxels", "24", "--out", "bids"],
                       cwd=self.folder, check=True, capture_output=True)
        pet = self.folder / "bids/sub-01/pet"
        command = [program.PROGRAM, "pet", "--image", str(pet / "sub-01_pet.nii.gz"), "--blood",
                   str(pet / "sub-01_recording-manual_blood.tsv"), "--mask",
                   str(self.folder / "bids/derivatives/truth/sub-01/pet/sub-01_desc-brain_mask.nii.gz"), "--out", "out",
                   "--preset", "fast", "--particles", "100", "--threads", "1", "--delay", "0", "--chunk", "1", "--quiet"]
        journal = self.folder / "out/.sub-01.evident/journal"
        started = self.held(functools.partial(subprocess.Popen, command, cwd=self.folder, stderr=subprocess.PIPE), 4)
        started.kill()
        started.communicate()
        shutil.move(self.folder / "out", self.folder / "kept")
        kept = (self.folder / "kept/.sub-01.evident/journal").read_bytes()
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True)
        wanted = {p.name: p.read_bytes() for p in (self.folder / "out").iterdir() if p.name.endswith(".nii.gz")}
        self.assertGreater(len(wanted), 5)
        chooser, statuses = random.Random(9), set()
        for turn in range(8 * MANY):
            shutil.rmtree(self.folder / "out")
            shutil.copytree(self.folder / "kept", self.folder / "out")
            journal.write_bytes(damaged(kept, chooser))
            done = subprocess.run([*command, "--resume"], cwd=self.folder, capture_output=True, text=True)
            statuses.add(done.returncode)
            if done.returncode == 0:
                for name, data in wanted.items():
                    self.assertEqual((self.folder / "out" / name).read_bytes(), data, f"{turn}: {name}")
            else:
                self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(0, statuses)
