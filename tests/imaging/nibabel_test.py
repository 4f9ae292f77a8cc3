"""Images by other hands: nibabel writes and we read, we write and nibabel (and mrinfo, where it is installed) reads.

    python3 nibabel_test.py IMAGING_COPY
"""

import gzip
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import nibabel
import numpy as np

PROGRAM = None
TYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"]
ORDERS = "<>"
VERSIONS = {1: nibabel.Nifti1Image, 2: nibabel.Nifti2Image}
SCALINGS = [None, (0.25, -3.0), (0.0, 7.0)]
SHAPES = [(3, 4, 5), (4, 3, 2, 3), (3, 2, 2, 1, 4)]
OBLIQUE = np.array([[1.9, 0.3, 0.1, -90.25], [-0.28, 1.95, 0.2, -126.5], [-0.12, -0.22, 2.4, -72.125], [0, 0, 0, 1]])


def stored_values(dtype, shape, seed):
    rng = np.random.default_rng(seed)
    count = int(np.prod(shape))
    if np.issubdtype(dtype, np.integer):
        limits = np.iinfo(dtype)
        values = rng.integers(limits.min, limits.max, count, dtype=dtype, endpoint=True)
        values[:2] = limits.min, limits.max
    else:
        values = (rng.standard_normal(count) * 10.0 ** rng.integers(-20, 20, count)).astype(dtype)
        values[:4] = np.nan, np.inf, -np.inf, 0
    return values.reshape(shape, order="F")


def write_raw(path, version, dtype, order, values, scaling, extension=False, sform=OBLIQUE, qform=OBLIQUE):
    """Stored values as they are: nibabel makes the header, so that slope and intercept can be anything."""
    header = (nibabel.Nifti1Header if version == 1 else nibabel.Nifti2Header)(endianness=order)
    header.set_data_dtype(np.dtype(dtype))
    header.set_data_shape(values.shape)
    header.set_sform(sform, code="scanner")
    header.set_qform(qform, code="scanner", strip_shears=True)
    header["scl_slope"], header["scl_inter"] = scaling if scaling else (1, 0)
    header["descrip"] = b"written by nibabel"
    header["magic"] = b"n+1" if version == 1 else header["magic"]
    if extension:
        header.extensions.append(nibabel.nifti1.Nifti1Extension("comment", b"to be skipped" * 20))
    least = 352 if version == 1 else 544
    header["vox_offset"] = least + header.extensions.get_sizeondisk()
    with (gzip.open if str(path).endswith(".gz") else open)(path, "wb") as file:
        header.write_to(file)
        if file.tell() < least:
            file.write(b"\0" * (least - file.tell()))
        assert file.tell() == header["vox_offset"], (file.tell(), header["vox_offset"])
        file.write(values.astype(np.dtype(dtype).newbyteorder(order)).tobytes(order="F"))


def run(*arguments, status=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != status:
        raise AssertionError(f"{arguments}: exit {done.returncode}\n{done.stderr}")
    return done.stdout if status == 0 else done.stderr


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def read_both(self, path):
        """The header, and the values as doubles and as floats."""
        names = [self.folder / "doubles", self.folder / "floats"]
        header = json.loads(run("read", path, *names))
        shape = header["shape"] + ([header["frames"]] if header["frames"] > 1 else [])
        return header, *(np.fromfile(n, t).reshape(shape, order="F") for n, t in zip(names, [np.float64, np.float32]))

    def read(self, path):
        return self.read_both(path)[:2]


class Read(Folder):
    """What nibabel writes."""

    def test_every_kind(self):
        cases = list(itertools.product(TYPES, ORDERS, VERSIONS, [".nii", ".nii.gz"]))
        for seed, (dtype, order, version, suffix) in enumerate(cases):
            scaling = SCALINGS[seed % 3]
            shape = SHAPES[seed // 2 % 3]
            with self.subTest(dtype=dtype, order=order, version=version, suffix=suffix, scaling=scaling, shape=shape):
                path = self.folder / f"image{suffix}"
                write_raw(path, version, dtype, order, stored_values(np.dtype(dtype), shape, seed), scaling,
                          extension=seed % 5 == 0)
                image = nibabel.load(path)
                header, values, floats = self.read_both(path)
                self.assertEqual((header["type"], header["version"]), (dtype, version))
                self.assertEqual(header["big_endian"], order == ">")
                self.assertEqual(header["compressed"], suffix == ".nii.gz")
                self.assertEqual(header["description"], "written by nibabel")
                np.testing.assert_array_equal(np.array(header["affine"]), image.affine[:3])
                expected = image.get_fdata().reshape(values.shape, order="F")
                np.testing.assert_array_equal(values, expected)
                with np.errstate(over="ignore"):
                    np.testing.assert_array_equal(floats, expected.astype(np.float32))

    def test_every_scaling_of_every_integer(self):
        for dtype, scaling in itertools.product(TYPES[:8], SCALINGS):
            with self.subTest(dtype=dtype, scaling=scaling):
                path = self.folder / "image.nii"
                write_raw(path, 1, dtype, "<", stored_values(np.dtype(dtype), (3, 4, 5), 1), scaling)
                np.testing.assert_array_equal(self.read(path)[1], nibabel.load(path).get_fdata())

    def test_images_that_nibabel_scales_itself(self):
        data = np.random.default_rng(1).normal(100, 30, (5, 4, 3, 2))
        for version, dtype in itertools.product(VERSIONS, ["uint8", "int16", "uint16"]):
            image = VERSIONS[version](data, OBLIQUE)
            image.set_data_dtype(dtype)
            path = self.folder / "scaled.nii.gz"
            nibabel.save(image, path)
            header, values = self.read(path)
            self.assertEqual(header["type"], dtype)
            np.testing.assert_array_equal(values, nibabel.load(path).get_fdata())
            np.testing.assert_allclose(values, data, atol=1)

    def test_content_decides_not_the_name(self):
        path, liar = self.folder / "image.nii.gz", self.folder / "image.nii"
        write_raw(path, 1, "int16", "<", stored_values(np.dtype("int16"), (3, 4, 5), 2), None)
        shutil.copy(path, liar)
        self.assertTrue(self.read(liar)[0]["compressed"])
        np.testing.assert_array_equal(self.read(liar)[1], nibabel.load(path).get_fdata())

    def test_qform_alone(self):
        rng = np.random.default_rng(3)
        for flip, order in itertools.product([1, -1], ORDERS):
            turn, _ = np.linalg.qr(rng.standard_normal((3, 3)))
            affine = np.eye(4)
            affine[:3, :3] = turn * np.linalg.det(turn) * flip * [1.5, 2, 2.5]
            affine[:3, 3] = rng.standard_normal(3) * 50
            header = nibabel.Nifti1Header(endianness=order)
            header.set_data_shape((3, 4, 5))
            header.set_data_dtype("uint8")
            header.set_qform(affine, code="scanner")
            header["vox_offset"], header["scl_slope"], header["scl_inter"], header["magic"] = 352, 1, 0, b"n+1"
            path = self.folder / "qform.nii"
            path.write_bytes(header.binaryblock + bytes(4 + 60))
            np.testing.assert_allclose(np.array(self.read(path)[0]["affine"]), affine[:3], atol=2e-5)
            np.testing.assert_allclose(np.array(self.read(path)[0]["affine"]), header.get_qform()[:3], atol=1e-5)

    def test_forms_that_disagree(self):
        path = self.folder / "image.nii"
        moved = OBLIQUE.copy()
        moved[0, 3] += 0.5
        write_raw(path, 1, "uint8", "<", stored_values(np.dtype("uint8"), (3, 4, 5), 2), None, qform=moved)
        header, _ = self.read(path)
        self.assertEqual(len(header["warnings"]), 1)
        self.assertIn("sform and qform disagree", header["warnings"][0])
        np.testing.assert_array_equal(np.array(header["affine"]), nibabel.load(path).affine[:3])

    def test_refused(self):
        path = self.folder / "image.nii"
        for number, bits, word in [(32, 64, "complex"), (1792, 128, "complex"), (128, 24, "RGB"), (2304, 32, "RGB"),
                                   (1536, 128, "float128"), (1, 1, "binary"), (0, 0, "datatype 0")]:
            header = nibabel.Nifti1Header()
            header.set_data_shape((2, 2, 2))
            header["datatype"], header["bitpix"], header["magic"], header["vox_offset"] = number, bits, b"n+1", 352
            header["scl_slope"], header["scl_inter"] = 1, 0
            path.write_bytes(header.binaryblock + bytes(4 + bits))
            message = run("read", path, self.folder / "d", self.folder / "f", status=2)
            self.assertIn(word, message)
            self.assertIn(str(path), message)
        nibabel.save(nibabel.Nifti1Pair(np.ones((2, 2, 2), np.uint8), np.eye(4)), self.folder / "pair.hdr")
        self.assertIn(".img", run("read", self.folder / "pair.hdr", self.folder / "d", self.folder / "f", status=2))


class Written(Folder):
    """What we write."""

    def header_fields(self, header):
        names = ["qform_code", "sform_code", "quatern_b", "quatern_c", "quatern_d", "qoffset_x", "qoffset_y",
                 "qoffset_z", "srow_x", "srow_y", "srow_z"]
        space = np.array(header["xyzt_units"]) & 7
        return b"".join(np.asarray(header[n]).tobytes() for n in names) + header["pixdim"][:4].tobytes() + space.tobytes()

    def test_every_kind(self):
        for seed, (version, dtype, suffix, shape) in enumerate(
                itertools.product(VERSIONS, ["float32", "uint8", "int16"], [".nii", ".nii.gz"], [(3, 4, 5), (4, 3, 2, 3)])):
            with self.subTest(version=version, dtype=dtype, suffix=suffix, shape=shape):
                source, path = self.folder / "in.nii", self.folder / f"out{suffix}"
                write_raw(source, version, dtype, "<", stored_values(np.dtype(dtype), shape, seed), None)
                run("write", source, path, dtype)
                before, after = nibabel.load(source), nibabel.load(path)
                self.assertIsInstance(after, VERSIONS[version])
                self.assertEqual(after.get_data_dtype(), np.dtype(dtype))
                self.assertEqual(after.shape, shape)
                self.assertEqual(after.affine.tobytes(), before.affine.tobytes())
                self.assertEqual(self.header_fields(after.header), self.header_fields(before.header))
                self.assertEqual(bytes(after.header["descrip"].item()), b"a copy")
                np.testing.assert_array_equal(after.get_fdata(), before.get_fdata())
                self.assertEqual((after.dataobj.slope, after.dataobj.inter), (1, 0))
                if len(shape) == 4:
                    self.assertEqual(after.header.get_zooms()[3], 2.5)
                    self.assertEqual(after.header.get_xyzt_units()[1], "sec")
                self.assertEqual(nibabel.nifti1.Nifti1Header.diagnose_binaryblock(after.header.binaryblock)
                                 if version == 1 else "", "")

    def test_equal_bytes_and_no_time(self):
        source = self.folder / "in.nii"
        write_raw(source, 1, "float32", "<", stored_values(np.dtype("float32"), (9, 8, 7), 5), None)
        contents = []
        for name in ["a.nii.gz", "b.nii.gz"]:
            run("write", source, self.folder / name, "float32")
            contents.append((self.folder / name).read_bytes())
        self.assertEqual(*contents)
        self.assertEqual(contents[0][:10], bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a.nii.gz", "b.nii.gz", "in.nii"])

    @unittest.skipUnless(shutil.which("mrinfo"), "mrinfo (MRtrix3) is not installed")
    def test_mrinfo_sees_the_same_place(self):
        def place(path):
            return [subprocess.run(["mrinfo", "-quiet", option, path], check=True, capture_output=True, text=True).stdout
                    for option in ["-transform", "-spacing", "-size"]]

        for version in VERSIONS:
            source, path = self.folder / "in.nii", self.folder / "out.nii.gz"
            write_raw(source, version, "int16", ">", stored_values(np.dtype("int16"), (3, 4, 5), 7), None)
            run("write", source, path, "float32")
            self.assertEqual(place(source), place(path))
            # mrinfo turns axes so that they are nearest to the scanner's; these are, already.
            transform = np.array([line.split() for line in place(path)[0].splitlines()], float)
            spacing = np.array(place(path)[1].split(), float)
            affine = transform.copy()
            affine[:3, :3] *= spacing
            np.testing.assert_allclose(affine[:3], np.array(self.read(path)[0]["affine"]), atol=1e-3)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    if not shutil.which("mrinfo"):
        print("mrinfo (MRtrix3) is not installed: its check of the geometry is skipped")
    unittest.main(verbosity=1)
