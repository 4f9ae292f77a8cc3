"""A small PET scan with a known truth for the tests of `evident pet`, and what reads the maps."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

import nibabel
import numpy

import program
from program import ProgramCase

IMAGE, SIDECAR = "sub-01_pet.nii.gz", "sub-01_pet.json"
BLOOD, BLOOD_JSON = "sub-01_recording-manual_blood.tsv", "sub-01_recording-manual_blood.json"
MASK, ATLAS = "mask.nii.gz", "atlas.nii.gz"
QUICK = ("--preset", "fast", "--particles", 48, "--threads", 2, "--delay", 0)
VOXELS = 40

_phantoms = {}


def phantom(voxels=VOXELS):
    """The folder of a simulated BIDS data set; made once."""
    if voxels not in _phantoms:
        keep = tempfile.TemporaryDirectory()
        out = pathlib.Path(keep.name) / "study"
        subprocess.run([program.PROGRAM, "simulate", "pet-image", "--seed", "3", "--voxels", str(voxels), "--out", out],
                       check=True, capture_output=True)
        _phantoms[voxels] = (keep, out)
    return _phantoms[voxels][1]


def tree(folder):
    """All files below a folder with their bytes."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file()}


class PetCase(ProgramCase):
    """The folder holds the scan: image, sidecar, blood, mask and atlas."""
    voxels = VOXELS

    def setUp(self):
        super().setUp()
        study = phantom(self.voxels)
        for name in (IMAGE, SIDECAR, BLOOD, BLOOD_JSON):
            shutil.copy(study / "sub-01/pet" / name, self.folder / name)
        truth = study / "derivatives/truth/sub-01/pet"
        shutil.copy(truth / "sub-01_desc-brain_mask.nii.gz", self.folder / MASK)
        shutil.copy(truth / "sub-01_desc-regions_dseg.nii.gz", self.folder / ATLAS)
        shutil.copy(truth / "sub-01_desc-regions_dseg.tsv", self.folder / "atlas.tsv")

    # What goes in.

    def arguments(self, *more, image=IMAGE, blood=BLOOD, mask=MASK, out="out"):
        """The command for the scan; with None an option is left out."""
        options = [("--image", image), ("--blood", blood), ("--mask", mask), ("--out", out)]
        quick = [word for pair in zip(QUICK[::2], QUICK[1::2]) if pair[0] not in more for word in pair]
        return ("pet", *(word for pair in options if pair[1] is not None for word in pair), *quick, *more)

    def image_data(self):
        return numpy.asarray(nibabel.load(self.folder / IMAGE).dataobj)

    def affine(self):
        return nibabel.load(self.folder / IMAGE).affine

    def save(self, name, data, affine=None, kind=nibabel.Nifti1Image, header=None):
        image = kind(data, self.affine() if affine is None else affine, header)
        nibabel.save(image, self.folder / name)

    def inside(self):
        """Indices of the voxels within the mask."""
        return numpy.argwhere(nibabel.load(self.folder / MASK).get_fdata() > 0.5)

    def small_mask(self, count=6):
        """Leaves so many voxels in the mask."""
        data = numpy.zeros(self.image_data().shape[:3], dtype=numpy.uint8)
        for voxel in self.inside()[:count]:
            data[tuple(voxel)] = 1
        self.save(MASK, data)

    def change_json(self, name, remove=(), **fields):
        content = json.loads((self.folder / name).read_text())
        content.update(fields)
        for field in remove:
            del content[field]
        self.write(name, json.dumps(content))

    def sidecar(self):
        return json.loads((self.folder / SIDECAR).read_text())

    def blood_rows(self):
        lines = (self.folder / BLOOD).read_text().splitlines()
        return lines[0].split("\t"), [line.split("\t") for line in lines[1:]]

    def write_blood(self, header, rows):
        self.write(BLOOD, "\n".join("\t".join(map(str, row)) for row in [header, *rows]) + "\n")

    # What comes out.

    def succeeds(self, *arguments, **options):
        done = self.run_program(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def fits(self, *more, out="out", **options):
        return self.succeeds(*self.arguments(*more, out=out, **options))

    def map_of(self, measure, model=None, out="out", prefix="sub-01"):
        name = f"{prefix}{'' if model is None else '_model-' + model}_meas-{measure}_mimap.nii.gz"
        return numpy.asarray(nibabel.load(self.folder / out / name).dataobj)

    def maps(self, out="out"):
        """All maps of a folder: name -> values."""
        return {p.name: numpy.asarray(nibabel.load(p).dataobj) for p in sorted((self.folder / out).glob("*.nii.gz"))}

    def same_maps(self, a, b, tolerance=0.0):
        left, right = self.maps(a), self.maps(b)
        self.assertEqual(list(left), list(right))
        self.assertGreater(len(left), 10)
        for name, values in left.items():
            # A standard error depends on single draws far out, whose weights magnify the rounding of the data.
            allowed = 20 * tolerance if "logZse" in name else tolerance
            numpy.testing.assert_allclose(values, right[name], rtol=allowed, atol=0, err_msg=name)

    def warned(self, done, pattern):
        lines = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
        self.assertTrue(any(re.search(pattern, line) for line in lines), done.stderr)
        self.assertEqual(len(lines), len(set(lines)), "a warning is told twice")

    def table(self, file):
        """A .tsv as a list of dictionaries."""
        lines = (self.folder / file).read_text().splitlines()
        header = lines[0].split("\t")
        return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]
