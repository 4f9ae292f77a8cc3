"""The simulated PET data set: complete, the same for the same seed, and true to its word."""
import gzip
import json
import math
import pathlib
import struct
import subprocess
import sys

from program import ProgramCase

TRUTH = "derivatives/truth/sub-01/pet/sub-01_"
FILES = sorted([
    ".bidsignore", "manifest.json", "README.md", "dataset_description.json", "participants.json", "participants.tsv",
    "sub-01/pet/sub-01_pet.json", "sub-01/pet/sub-01_pet.nii.gz",
    "sub-01/pet/sub-01_recording-manual_blood.json", "sub-01/pet/sub-01_recording-manual_blood.tsv",
    "derivatives/truth/dataset_description.json", "derivatives/truth/truth.json",
    *(TRUTH + name + end for end in (".nii.gz", ".json")
      for name in ("desc-brain_mask", "desc-regions_dseg", "meas-order_mimap", "meas-VT_mimap", "meas-K1_mimap")),
    TRUTH + "desc-regions_dseg.tsv",
])

NIBABEL = f"""
import json, nibabel, sys
image = nibabel.load(sys.argv[1] + "/sub-01/pet/sub-01_pet.nii.gz")
mask = nibabel.load(sys.argv[1] + "/{TRUTH}desc-brain_mask.nii.gz")
print(json.dumps([image.shape[3], int(mask.get_fdata().sum()), bool((mask.affine == image.affine).all()),
                  bool((image.get_fdata()[mask.get_fdata() == 0] == 0).all()), nibabel.aff2axcodes(image.affine)]))
"""


def plain_read(path):
    """Shape and values of a little-endian NIfTI-1 file of float32 or uint8, as the standard says and no more."""
    data = gzip.decompress(path.read_bytes())
    assert struct.unpack_from("<i", data)[0] == 348 and data[344:348] == b"n+1\0"
    dim = struct.unpack_from("<8h", data, 40)
    shape = dim[1:1 + dim[0]]
    kind = {16: "f", 2: "B"}[struct.unpack_from("<h", data, 70)[0]]
    start = int(struct.unpack_from("<f", data, 108)[0])
    return shape, struct.unpack_from(f"<{math.prod(shape)}{kind}", data, start)


class PetImage(ProgramCase):
    def make(self, name, *options):
        done = self.run_program("simulate", "pet-image", "--out", name, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / name

    def tree(self, folder):
        return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}

    def test_the_tree_is_complete_and_the_same_for_the_same_seed(self):
        first = self.tree(self.make("a", "--seed", 5))
        self.assertEqual(sorted(first), FILES)
        self.assertEqual(first, self.tree(self.make("b", "--seed", 5)))
        other = self.tree(self.make("c", "--seed", 6))
        self.assertNotEqual(first["sub-01/pet/sub-01_pet.nii.gz"], other["sub-01/pet/sub-01_pet.nii.gz"])
        self.assertLess(sum(map(len, first.values())), 300_000)

    def test_image_blood_and_maps_say_the_same(self):
        out = self.make("a", "--noise", "none", "--voxels", 40)
        sidecar = json.loads((out / "sub-01/pet/sub-01_pet.json").read_text())
        shape, image = plain_read(out / "sub-01/pet/sub-01_pet.nii.gz")
        self.assertEqual(shape[3], len(sidecar["FrameTimesStart"]))
        self.assertEqual(shape[3], len(sidecar["FrameDuration"]))
        space = math.prod(shape[:3])
        maps = {}
        for name in ("desc-brain_mask", "desc-regions_dseg", "meas-order_mimap", "meas-VT_mimap", "meas-K1_mimap"):
            map_shape, maps[name] = plain_read(out / (TRUTH + name + ".nii.gz"))
            self.assertEqual(map_shape[:3], shape[:3])
            self.assertEqual(sum(v != 0 for v in maps[name]), 40)
        truth = json.loads((out / "derivatives/truth/truth.json").read_text())
        self.assertEqual(sum(r["voxels"] for r in truth["regions"]), 40)
        regions = {r["label"]: r for r in truth["regions"]}
        rows = (out / "sub-01/pet/sub-01_recording-manual_blood.tsv").read_text().splitlines()
        self.assertEqual(rows[0].split("\t")[:2], ["time", "plasma_radioactivity"])
        blood = [[float(x) for x in row.split("\t")] for row in rows[1:]]
        self.assertGreaterEqual(blood[-1][0], sidecar["FrameTimesStart"][-1] + sidecar["FrameDuration"][-1])
        # The parent's area up to the middle of the first frames, by the trapezium rule, in kBq/mL s.
        end = sidecar["FrameTimesStart"][2] + sidecar["FrameDuration"][2] / 2
        area = sum((b[0] - a[0]) * (a[1] * a[3] + b[1] * b[3]) / 2 for a, b in zip(blood, blood[1:]) if b[0] <= end + 1)
        for i in range(space):
            region = regions.get(maps["desc-regions_dseg"][i])
            if not maps["desc-brain_mask"][i]:
                self.assertIsNone(region)
                self.assertEqual([image[i + space * f] for f in range(shape[3])], [0.0] * shape[3])
                continue
            self.assertEqual(maps["meas-order_mimap"][i], region["compartments"])
            self.assertAlmostEqual(maps["meas-K1_mimap"][i] / region["rates_per_minute"]["K1"], 1, delta=0.101)
            self.assertAlmostEqual(maps["meas-VT_mimap"][i] / region["VT"], 1, delta=0.3)
            if region["compartments"] == 1:  # at first nearly all that flowed in is there; the image is in Bq/mL
                inflow = maps["meas-K1_mimap"][i] / 60 * area * 1000
                self.assertAlmostEqual(image[i + space * 2] / inflow, 1, delta=0.1)

    def test_nibabel_reads_it(self):
        # The package is Debian's, which another Python in front of Debian's does not see.
        pythons = [p for p in (sys.executable, "/usr/bin/python3")
                   if subprocess.run([p, "-c", "import nibabel"], capture_output=True).returncode == 0]
        if not pythons:
            self.skipTest("needs python3-nibabel")
        out = self.make("a", "--truth", "brain", "--voxels", 500)
        done = subprocess.run([pythons[0], "-c", NIBABEL, out], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout), [32, 500, True, True, ["R", "A", "S"]])

    def test_own_input(self):
        self.write("plasma.csv", "time,CP,CB\n" + "".join(f"{t},{5 if t else 0},4\n" for t in range(0, 5401, 60)))
        out = self.make("a", "--input", "plasma.csv", "--vb", 0.05, "--voxels", 10)
        rows = (out / "sub-01/pet/sub-01_recording-manual_blood.tsv").read_text().splitlines()
        self.assertEqual(rows[2].split("\t"), ["60", "5", "4", "1"])
        self.assertEqual(json.loads((out / "derivatives/truth/truth.json").read_text())["blood_volume"], 0.05)

    def test_bad_options(self):
        base = ("simulate", "pet-image", "--out", "x")
        self.refused("--voxels must be a whole number", *base, "--voxels", 0)
        self.refused("--voxels must be a whole number", *base, "--voxels", 10**9)
        self.refused("--noise must be none, low, medium or high, was 'loud'", *base, "--noise", "loud")
        self.refused("--truth must be small, brain or prior", *base, "--truth", "huge")
        self.refused("--vb must be", *base, "--vb", 1)
        self.refused("absent.csv", *base, "--input", "absent.csv")
        self.write("short.csv", "time,CP\n0,0\n60,1\n")
        self.refused("the last frame ends at 5160.* s but the blood is known until 60", *base, "--input", "short.csv")
        self.write("none.csv", "time,plasma\n0,0\n60,1\n")
        self.refused("CP", *base, "--input", "none.csv")

    def test_only_its_own_folder_is_replaced(self):
        out = self.make("a", "--voxels", 10)
        self.refused("exists; give --force", "simulate", "pet-image", "--out", "a")
        self.make("a", "--voxels", 10, "--force")
        (out / "derivatives/truth/truth.json").unlink()
        self.make("a", "--voxels", 10, "--force")
        (out / "manifest.json").unlink()
        self.refused("--force does not replace the folder", "simulate", "pet-image", "--out", "a", "--force")
        self.assertTrue(pathlib.Path(out / "README.md").exists())
