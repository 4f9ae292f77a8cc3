"""Files of 0 bytes, of every kind that is read: a message that names the file, and exit status 2."""
import subprocess

import program
from fault_case import FaultCase

PET = "sub-01/pet/sub-01"


class Empty(FaultCase):
    def empty(self, name):
        self.assertTrue((self.folder / name).exists(), name)
        self.write(name, "")

    def refused_for(self, name, *arguments):
        self.refused(f"{name.split('/')[-1]}.*(empty|no data|too short|JSON|is not a journal|ends within)", *arguments)

    def test_study_and_data(self):
        for name in ("study.toml", "data.csv"):
            kept = (self.folder / name).read_bytes()
            self.empty(name)
            self.refused_for(name, "compare", "study.toml")
            self.refused_for(name, "check", "study.toml")
            self.write(name, kept)

    def test_other_formats_of_data(self):
        for name in ("d.tsv", "d.txt"):
            self.write(name, "")
            self.write("study.toml", (self.folder / "study.toml").read_text().replace("data.csv", name))
            self.refused_for(name, "compare", "study.toml")
            self.write("study.toml", (self.folder / "study.toml").read_text().replace(name, "data.csv"))

    def test_batch(self):
        self.write("list.csv", "")
        self.refused_for("list.csv", "batch", "study.toml", "--list", "list.csv", "--out", "out")
        self.succeeds("batch", "study.toml", "--data", "data.csv", "--out", "out", "--quiet")
        self.empty("out/journal")
        self.refused_for("out/journal", "batch", "study.toml", "--data", "data.csv", "--out", "out", "--resume")
        self.succeeds("batch", "study.toml", "--data", "data.csv", "--out", "parts", "--shard", "1/1", "--quiet")
        self.empty("parts/shards/1-of-1.journal")
        self.refused_for("1-of-1.journal", "gather", "parts")

    def test_an_empty_data_set_of_a_batch(self):
        self.write("d1.csv", "")
        done = self.run_program("batch", "study.toml", "--data", "d*.csv", "--out", "out", "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"1 of 2 data sets failed \(d1: d1.csv: is empty\)")

    def test_results(self):
        self.succeeds("compare", "study.toml", "--out", "out", "--quiet", "--no-report")
        for name in ("result.json", "study.json", "m-draws.csv", "m-trace.csv"):
            kept = (self.folder / "out" / name).read_bytes()
            self.empty(f"out/{name}")
            self.refused_for(name, "report", "out")
            self.write(f"out/{name}", kept)

    def test_pet(self):
        subprocess.run([program.PROGRAM, "simulate", "pet-image", "--seed", "3", "--voxels", "20", "--out", "bids"],
                       cwd=self.folder, check=True, capture_output=True)
        names = [f"bids/{PET}_pet.nii.gz", f"bids/{PET}_pet.json", f"bids/{PET}_recording-manual_blood.tsv",
                 f"bids/{PET}_recording-manual_blood.json"]
        truth = f"bids/derivatives/truth/{PET}"
        image, _, blood, _ = names
        names += [f"{truth}_desc-brain_mask.nii.gz", f"{truth}_desc-regions_dseg.nii.gz", f"{truth}_desc-regions_dseg.tsv"]
        command = ("pet", "--image", image, "--blood", blood, "--mask", names[4], "--atlas", names[5], "--out", "out",
                   "--quiet")
        for name in names:
            kept = (self.folder / name).read_bytes()
            self.empty(name)
            self.refused_for(name, *command)
            self.write(name, kept)
        for name in ("t_tacs.tsv", "t.tac", "t.dft", "t.csv"):
            self.write(name, "")
            self.refused_for(name, "pet", "--tacs", name, "--blood", blood, "--out", "out")
        self.write("frames.tsv", "")
        self.refused_for("frames.tsv", *command, "--frames", "frames.tsv")
        self.write("aif.tsv", "")
        self.refused_for("aif.tsv", "pet", "--image", image, "--input-function", "aif.tsv", "--out", "out")
