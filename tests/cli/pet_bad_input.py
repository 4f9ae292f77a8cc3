"""What `evident pet` says to scans that are wrong: one clear line and nothing written, or a warning and a mark."""
import gzip
import os
import struct

import nibabel
import numpy

from pet_case import ATLAS, BLOOD, BLOOD_JSON, IMAGE, MASK, SIDECAR, PetCase

FITTED, NOT_FINITE, CONSTANT, IRREVERSIBLE, NEGATIVE = 1, 2, 4, 16, 128
C11_HALF_LIFE = 20.38 * 60  # s
SLOPE_AT = 112  # bytes, in the header of NIfTI-1


class Frames(PetCase):
    def test_row_01_counts_of_frames_and_sidecar(self):
        starts, durations = self.sidecar()["FrameTimesStart"], self.sidecar()["FrameDuration"]
        self.change_json(SIDECAR, FrameTimesStart=[*starts, starts[-1] + durations[-1]])
        self.refused("sub-01_pet.json: the image has 32 frames, but there are 33 frame starts and 32 frame durations; "
                     "FrameTimesStart has one entry too many, the last, .*: remove it", *self.arguments())
        self.change_json(SIDECAR, FrameTimesStart=starts, FrameDuration=durations[:-1])
        self.refused("32 frames, .* 32 frame starts and 31 frame durations", *self.arguments())
        self.change_json(SIDECAR, FrameTimesStart=starts[:30], FrameDuration=durations[:30])
        self.refused("32 frames, .* 30 frame starts and 30 .*another image", *self.arguments())

    def test_row_02_frames_that_overlap_or_leave_gaps(self):
        starts = self.sidecar()["FrameTimesStart"]
        self.change_json(SIDECAR, FrameTimesStart=[*starts[:4], starts[4] - 5, *starts[5:]])
        self.refused("sub-01_pet.json: frames 4 and 5 overlap: 30 to 40 s, and from 35 s", *self.arguments())
        self.change_json(SIDECAR, FrameTimesStart=[*starts[:4], 20, *starts[5:]])
        self.refused("frame 5 begins at 20 s, not after frame 4.*in order", *self.arguments())
        self.change_json(SIDECAR, FrameTimesStart=[*starts[:-1], starts[-1] + 60])
        self.small_mask()
        done = self.succeeds(*self.arguments("--dry-run"))
        self.assertRegex(done.stdout, "note: +1 gap between frames, 60 s in all; the first before frame 32")
        self.assertNotIn("warning", done.stderr)

    def test_row_03_times_in_minutes(self):
        seconds = self.sidecar()
        minutes = {key: [t / 60 for t in seconds[key]] for key in ("FrameTimesStart", "FrameDuration")}
        self.change_json(SIDECAR, **minutes)
        self.refused("sub-01_pet.json: 32 frames end at 86 s, which looks like minutes; say --time-unit min",
                     *self.arguments())
        self.small_mask()
        done = self.succeeds(*self.arguments("--dry-run", "--time-unit", "min"))
        self.assertIn("0 to 5160 s from injection", done.stdout)

    def test_row_04_dimensions(self):
        data = self.image_data()
        self.save("one.nii.gz", data[..., 0])
        self.write("one.json", (self.folder / SIDECAR).read_bytes())
        self.refused("one.nii.gz: this is a single volume .*a dynamic image with several frames is needed",
                     *self.arguments(image="one.nii.gz"))
        self.small_mask()
        self.fits()
        self.save(IMAGE, data[:, :, :, None, :])
        self.fits(out="five")
        self.same_maps("out", "five")

    def test_row_05_few_frames(self):
        data, sidecar = self.image_data(), self.sidecar()
        self.small_mask()

        def keep(count):
            self.save(IMAGE, data[..., -count:])
            self.change_json(SIDECAR, FrameTimesStart=sidecar["FrameTimesStart"][-count:],
                             FrameDuration=sidecar["FrameDuration"][-count:])
            self.change_json(SIDECAR, ScanStart=sidecar["FrameTimesStart"][-count])

        keep(9)
        done = self.fits()
        self.warned(done, "3TCM is left out: it has 8 parameters and needs 10 frames, there are 9")
        self.assertFalse(any("3TCM" in name for name in self.maps()))
        self.assertTrue(any("2TCM" in name for name in self.maps()))
        keep(4)
        self.refused("4 frames are too few for every model that was asked for", *self.arguments(out="none"))


class Masks(PetCase):
    def test_row_06_shape(self):
        self.save(MASK, numpy.ones((5, 9, 9), dtype=numpy.uint8))
        self.refused("mask.nii.gz: the mask has the shape 5 x 9 x 9, the image 9 x 9 x 7; bring it to the image's grid",
                     *self.arguments())
        self.save(ATLAS, numpy.ones((5, 9, 9), dtype=numpy.uint8))
        self.refused("atlas.nii.gz: the atlas has the shape 5 x 9 x 9", *self.arguments("--atlas", ATLAS, mask=None))

    def test_names_of_labels(self):
        """Found before any work, as everything else."""
        for text, why in (("", "is empty"), ("index\tname\n1.5\ta\n", ":2: column 'index': 1.5 is no label"),
                          ("index\tname\n1e300\ta\n", ":2: column 'index': 1e.300 is no label"),
                          ("index\tlabel\n1\ta\n", "has no column 'name'")):
            self.write("atlas.tsv", text)
            self.refused("atlas.tsv:? ?" + why.lstrip(":"), *self.arguments("--atlas", ATLAS))

    def test_row_07_place(self):
        moved = self.affine()
        moved[0, 3] += 1.5
        mask = nibabel.load(self.folder / MASK).get_fdata().astype(numpy.uint8)
        self.save(MASK, mask, moved)
        self.refused("mask.nii.gz: the mask has the image's shape but lies up to 1.5 mm away", *self.arguments())

    def test_row_08_values(self):
        self.small_mask()
        mask = nibabel.load(self.folder / MASK).get_fdata().astype(numpy.float32)
        inside = self.inside()
        self.save(MASK, 0 * mask)
        self.refused("mask.nii.gz: the mask is empty", *self.arguments())
        mask[tuple(inside[0])], mask[tuple(inside[1])], mask[tuple(inside[2])] = 0.25, 0.75, numpy.nan
        self.save(MASK, mask)
        done = self.fits()
        self.warned(done, "2 voxels of the mask are neither 0 nor 1; inside is what is above 0.5")
        self.warned(done, "1 voxels of the mask are NaN; they are outside|1 voxel of the mask is NaN; it is outside")
        fitted = self.map_of("status") & FITTED
        self.assertEqual([fitted[tuple(v)] for v in inside], [0, 1, 0, 1, 1, 1])

    def test_row_09_qform_and_sform(self):
        self.small_mask()
        loaded = nibabel.load(self.folder / IMAGE)
        other = loaded.affine.copy()
        other[:3, 3] += 7
        loaded.set_qform(other, code=1)
        loaded.set_sform(loaded.affine, code=2)
        nibabel.save(nibabel.Nifti1Image(numpy.asarray(loaded.dataobj), None, loaded.header), self.folder / "q.nii.gz")
        self.write("q.json", (self.folder / SIDECAR).read_bytes())
        done = self.fits(image="q.nii.gz")
        self.warned(done, "sform")
        numpy.testing.assert_array_equal(nibabel.load(self.folder / "out/q_meas-order_mimap.nii.gz").affine,
                                         self.affine())


class Values(PetCase):
    def setUp(self):
        super().setUp()
        self.small_mask(8)
        self.data, self.places = self.image_data().astype(numpy.float32), [tuple(v) for v in self.inside()]

    def marked(self, bit):
        status = self.map_of("status")
        return [bool(status[place] & bit) for place in self.places]

    def first(self, count):
        return [i < count for i in range(len(self.places))]

    def test_row_10_not_finite(self):
        self.data[self.places[0]][3], self.data[self.places[1]][5] = numpy.nan, numpy.inf
        self.save(IMAGE, self.data)
        done = self.fits()
        self.warned(done, "2 of 8 curves hold NaN or infinity and are skipped")
        self.assertRegex(done.stdout, "6 of 8 voxels fitted.(.|\n)*2 voxels: NaN or infinity in the curve; not fitted")
        self.assertEqual(self.marked(NOT_FINITE), self.first(2))
        self.assertEqual(self.map_of("order")[self.places[0]], 0)
        self.assertTrue(numpy.isnan(self.map_of("VT", "BMA")[self.places[0]]))
        for place in self.places[:5]:
            self.data[place][3] = numpy.nan
        self.save(IMAGE, self.data)
        self.refused("sub-01_pet.nii.gz: 5 of 8 curves hold NaN or infinity, .*mend the image or use a mask",
                     *self.arguments(out="none"))

    def test_row_11_negative_values_stay(self):
        self.data[self.places[0]][:2] = -50
        self.save(IMAGE, self.data)
        self.fits()
        self.assertTrue(self.marked(NEGATIVE)[0])
        self.assertEqual(self.marked(FITTED), self.first(8))
        self.assertTrue(numpy.isfinite(self.map_of("VT", "BMA")[self.places[0]]))

    def test_row_12_constant(self):
        self.data[self.places[0]][:], self.data[self.places[1]][:] = 0, 123
        self.save(IMAGE, self.data)
        done = self.fits()
        self.assertRegex(done.stdout, "2 voxels: all values are equal; not fitted")
        self.assertEqual(self.marked(CONSTANT), self.first(2))
        self.assertTrue(numpy.isnan(self.map_of("VT", "BMA")[self.places[1]]))

    def test_row_13_scaled_integers(self):
        whole = numpy.round(self.data / 4).astype(numpy.int16)
        self.save(IMAGE, (whole * 4.0 + 2.0).astype(numpy.float32))
        self.fits()

        def scaled(slope, intercept, values):
            image = nibabel.Nifti1Image(values, self.affine())
            image.header.set_slope_inter(1, 0)
            raw = bytearray(image.to_bytes())
            struct.pack_into("<ff", raw, SLOPE_AT, slope, intercept)
            self.write(IMAGE, gzip.compress(bytes(raw)))

        scaled(4, 2, whole)
        self.fits(out="scaled")
        self.same_maps("out", "scaled")
        scaled(0, 0, whole)
        self.fits(out="zero")
        scaled(1, 0, whole)
        self.fits(out="one")
        self.same_maps("one", "zero")
        scaled(float("nan"), 0, whole)
        self.refused("sub-01_pet.nii.gz: .*scl_slope.*nan", *self.arguments(out="none"))

    def test_row_14_kinds_of_images(self):
        whole = numpy.clip(numpy.round(self.data), 0, 65535)
        self.save(IMAGE, whole.astype(numpy.float32))
        self.fits()
        kinds = {"uint16": (whole.astype(numpy.uint16), nibabel.Nifti1Image),
                 "double": (whole.astype(numpy.float64), nibabel.Nifti1Image),
                 "nifti2": (whole.astype(numpy.float32), nibabel.Nifti2Image),
                 "big": (whole.astype(">f4"), nibabel.Nifti1Image)}
        for name, (values, kind) in kinds.items():
            header = kind.header_class(endianness=">") if name == "big" else None
            self.save(IMAGE, values, kind=kind, header=header)
            self.fits(out=name)
            self.same_maps("out", name)

    def test_row_15_damaged_files(self):
        good = (self.folder / IMAGE).read_bytes()
        promised = 352 + self.data.size * 4
        self.write(IMAGE, good[:len(good) // 2])
        self.refused(f"sub-01_pet.nii.gz: the header promises {promised} bytes .*32 frames.*, but only [0-9]+ can be read",
                     *self.arguments())
        self.write(IMAGE, good[:-8] + bytes(4) + good[-4:])
        self.refused(f"sub-01_pet.nii.gz: the header promises {promised} bytes .*, and {promised} can be read, but .*"
                     "(sum|check)", *self.arguments())
        self.write("short.nii", gzip.decompress(good)[:-1000])
        self.write("short.json", (self.folder / SIDECAR).read_bytes())
        self.refused(f"short.nii: the header promises {promised} bytes .*, but the file has {promised - 1000}; it is cut off",
                     *self.arguments(image="short.nii"))
        self.write(IMAGE, b"")
        self.refused("sub-01_pet.nii.gz: too short for a NIfTI file", *self.arguments())

    def test_row_25_irreversible(self):
        # Trapped: the tissue collects the parent in plasma and gives nothing back.
        header, rows = self.blood_rows()
        time, plasma, _, parent = numpy.array(rows, dtype=float).T
        grid = numpy.arange(0, 5161, 1.0)
        collected = numpy.cumsum(numpy.interp(grid, time, plasma * parent))
        sidecar = self.sidecar()
        mid = numpy.array(sidecar["FrameTimesStart"]) + numpy.array(sidecar["FrameDuration"]) / 2
        self.data[self.places[0]] = 1000 * 0.1 / 60 * numpy.interp(mid, grid, collected)
        self.save(IMAGE, self.data)
        done = self.fits("--particles", 200)
        self.assertTrue(self.marked(IRREVERSIBLE)[0])
        self.assertLess(sum(self.marked(IRREVERSIBLE)), 8)
        self.assertRegex(done.stdout, "washout is too slow to be seen within the scan; V_T is not defined")


class BloodFiles(PetCase):
    def setUp(self):
        super().setUp()
        self.small_mask()

    def column(self, name):
        header, rows = self.blood_rows()
        return header.index(name)

    def without(self, name):
        header, rows = self.blood_rows()
        at = header.index(name)
        self.write_blood(header[:at] + header[at + 1:], [row[:at] + row[at + 1:] for row in rows])

    def test_row_16_no_plasma(self):
        self.without("plasma_radioactivity")
        self.refused("blood.tsv: its JSON says PlasmaAvail, but there is no column 'plasma_radioactivity'; it has time, "
                     "whole_blood_radioactivity, metabolite_parent_fraction", *self.arguments())
        self.change_json(BLOOD_JSON, PlasmaAvail=False)
        self.refused("there is no plasma: .*blood.tsv has time, whole_blood_radioactivity, .*--plasma-from-blood",
                     *self.arguments())
        self.warned(self.fits("--plasma-from-blood"), "whole blood is taken for plasma, as asked for")

    def test_row_17_no_parent_fraction(self):
        self.without("metabolite_parent_fraction")
        self.refused("blood.tsv: its JSON says MetaboliteAvail, but no file has a column 'metabolite_parent_fraction'",
                     *self.arguments())
        self.change_json(BLOOD_JSON, MetaboliteAvail=False)
        self.warned(self.fits(), "no parent fraction: all plasma activity is taken as parent")

    def test_row_18_cells_and_order(self):
        header, rows = self.blood_rows()
        plasma = self.column("plasma_radioactivity")
        changed = [list(row) for row in rows]
        changed[60][plasma] = "n/a"
        self.write_blood(header, changed)
        done = self.fits(out="missing")
        self.assertNotIn("warning", done.stderr)
        self.write_blood(header, [*rows[:10], rows[9], *rows[10:40], rows[50], *rows[40:50], *rows[51:]])
        done = self.fits(out="order")
        self.warned(done, "plasma_radioactivity: .*(order|sorted)")
        self.warned(done, "plasma_radioactivity: .*(same time|averaged|average)")
        self.write_blood(header, rows)
        self.fits(out="good")
        self.same_maps("good", "order")
        changed = [list(row) for row in rows]
        changed[4][plasma] = "high"
        self.write_blood(header, changed)
        self.refused("blood.tsv:6: column 'plasma_radioactivity': 'high' is not a number", *self.arguments())

    def test_row_19_units(self):
        self.fits()
        data = self.image_data()
        for unit, factor in (("kBq/mL", 1e-3), ("MBq/cc", 1e-6), ("nCi/cc", 1 / 37), ("uCi/mL", 1 / 37e3)):
            self.save(IMAGE, (data * factor).astype(numpy.float64))
            self.change_json(SIDECAR, Units=unit)
            self.fits(out=unit[:4].replace("/", ""))
            self.same_maps("out", unit[:4].replace("/", ""), 2e-5)
        self.change_json(SIDECAR, Units="counts")
        self.refused("sub-01_pet.json: 'Units' is .counts., which is not a known unit of activity; use Bq, kBq, .*", *self.arguments(out="none"))
        self.change_json(SIDECAR, remove=["Units"])
        self.refused("sub-01_pet.json: 'Units' is missing; add it, or give --units", *self.arguments(out="none"))
        self.change_json(SIDECAR, Units="uCi/mL")
        self.change_json(BLOOD_JSON, plasma_radioactivity={"Description": "no unit"})
        self.refused("blood.tsv: the unit of column 'plasma_radioactivity' is not known; .*--blood-units",
                     *self.arguments(out="none"))

    def test_row_20_blood_ends_early(self):
        header, rows = self.blood_rows()
        self.write_blood(header, [row for row in rows if float(row[0]) <= 4600])
        done = self.fits()
        self.warned(done, "plasma from 4[0-9]+ to 5160 s is extrapolated with one exponential .half-life")
        self.write_blood(header, [row for row in rows if float(row[0]) <= 2000])
        self.refused("blood.tsv: the plasma ends at [0-9]+ s but the last frame at 5160 s, and no more than 20 % of the "
                     "scan are extrapolated; leave out late frames, or raise --blood-tail", *self.arguments(out="none"))
        self.warned(self.fits("--blood-tail", 0.7, out="raised"), "is extrapolated")

    def test_row_21_decay(self):
        self.fits()
        data, sidecar = self.image_data().astype(numpy.float64), self.sidecar()
        start, duration = numpy.array(sidecar["FrameTimesStart"]), numpy.array(sidecar["FrameDuration"])
        decay = numpy.log(2) / C11_HALF_LIFE
        counted = data * numpy.exp(-decay * start) * -numpy.expm1(-decay * duration) / (decay * duration)
        self.save(IMAGE, counted)
        self.change_json(SIDECAR, ImageDecayCorrected=False)
        done = self.succeeds(*self.arguments("--dry-run"))
        self.assertRegex(done.stdout, "note: +values were not corrected for decay and are now corrected to injection, "
                                      "with C11")
        self.fits(out="counted")
        self.same_maps("out", "counted", 1e-4)
        self.save(IMAGE, data * numpy.exp(-decay * 600))
        self.change_json(SIDECAR, ImageDecayCorrected=True, ImageDecayCorrectionTime=600)
        done = self.succeeds(*self.arguments("--dry-run"))
        self.assertRegex(done.stdout, "note: +decay reference moved from 600 s to injection")
        self.fits(out="moved")
        self.same_maps("out", "moved", 1e-4)
        self.change_json(SIDECAR, TracerRadionuclide="Xx99")
        self.refused("sub-01_pet.json: 'TracerRadionuclide'.*Xx99", *self.arguments(out="none"))


class Sidecars(PetCase):
    def setUp(self):
        super().setUp()
        self.small_mask()

    def test_row_22_sidecar(self):
        good = self.sidecar()
        rows = zip(good["FrameTimesStart"], good["FrameDuration"])
        self.write("frames.tsv", "start\tduration\n" + "".join(f"{a}\t{b}\n" for a, b in rows))
        self.fits()
        for field in ("FrameTimesStart", "FrameDuration"):
            self.change_json(SIDECAR, remove=[field])
            self.refused(f"sub-01_pet.json: '{field}' is missing; add it, or give --frames FILE", *self.arguments())
            self.fits("--frames", "frames.tsv", out=field)
            self.same_maps("out", field)
            self.change_json(SIDECAR, **{field: good[field]})
        for field, mend in (("InjectionStart", "--injection-start"), ("ImageDecayCorrected", "--decay-corrected"),
                            ("ImageDecayCorrectionTime", "--decay-reference"), ("TracerRadionuclide", "--nuclide")):
            self.change_json(SIDECAR, remove=[field])
            self.refused(f"sub-01_pet.json: '{field}' is missing; add it, or give {mend}", *self.arguments())
            self.change_json(SIDECAR, **{field: good[field]})
        self.change_json(SIDECAR, FrameDuration="long")
        self.refused("sub-01_pet.json: 'FrameDuration' must be a list of numbers, but is the text \"long\"",
                     *self.arguments())
        self.write(SIDECAR, '{"FrameTimesStart": [0,\n 10')
        self.refused("sub-01_pet.json:2:[0-9]+: is not valid JSON: the file ends too early", *self.arguments())
        (self.folder / SIDECAR).unlink()
        self.refused("sub-01_pet.nii.gz: there is no sidecar .*add one, or give --frames FILE", *self.arguments())
        self.fits("--frames", "frames.tsv", "--units", "Bq/mL", "--nuclide", "C11", "--decay-corrected", "yes",
                  out="bare")
        self.same_maps("out", "bare")

    def test_row_23_injection_after_time_zero(self):
        self.fits()
        sidecar = self.sidecar()
        header, rows = self.blood_rows()
        later = 304.0
        self.change_json(SIDECAR, InjectionStart=later, ScanStart=later, ImageDecayCorrectionTime=later,
                         FrameTimesStart=[t + later for t in sidecar["FrameTimesStart"]])
        # Blood is corrected for decay to time zero, as BIDS has it.
        decay = numpy.exp(numpy.log(2) / C11_HALF_LIFE * later)
        self.write_blood(header, [[float(row[0]) + later, float(row[1]) * decay, float(row[2]) * decay, row[3]]
                                  for row in rows])
        done = self.succeeds(*self.arguments("--dry-run"))
        self.assertRegex(done.stdout, "note: +injection at 304 s after time zero: all times are shifted to injection")
        self.assertRegex(done.stdout, "note: +blood is corrected for decay to time zero; brought to injection: times 0.8")
        self.assertIn("0 to 5160 s from injection", done.stdout)
        self.fits(out="later")
        self.same_maps("out", "later", 1e-5)
        # Two frames before the injection, with times below zero.
        self.change_json(SIDECAR, InjectionStart=0, ScanStart=-20, ImageDecayCorrectionTime=0,
                         FrameTimesStart=[t - 20 for t in sidecar["FrameTimesStart"]])
        self.write_blood(header, rows)
        self.warned(self.fits(out="before"), "2 frames before the injection are left out")

    def test_row_24_results_that_are_there(self):
        self.fits()
        before = {p: p.stat().st_mtime_ns for p in (self.folder / "out").iterdir()}
        self.refused("out/sub-01_.* exists already; add --force to replace it", *self.arguments())
        self.assertEqual(before, {p: p.stat().st_mtime_ns for p in (self.folder / "out").iterdir()})
        self.fits("--force", "--seed", 2)
        self.assertEqual(sorted(p.name for p in before), sorted(p.name for p in (self.folder / "out").iterdir()))
        self.write("file", "in the way")
        self.refused("file.*cannot be made .*choose another folder", *self.arguments(out="file/out"))
        if os.path.isdir("/proc/self"):
            self.refused("/proc/.*cannot be made .*choose another folder", *self.arguments(out="/proc/evident"))
