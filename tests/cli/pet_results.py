"""The results of `evident pet`: complete, well formed, and the same whichever way the scan comes in."""
import gzip
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import subprocess

import nibabel
import numpy

from pet_case import ATLAS, BLOOD, BLOOD_JSON, IMAGE, MASK, QUICK, SIDECAR, PetCase, phantom, tree

MODELS = ("1TCM", "2TCM", "3TCM")
SUMMARIES = [a + b for a in ("VT", "K1") for b in ("", "sd", "q025", "q50", "q975")]
MEASURES = [("order", None), ("status", None), *((m, "BMA") for m in SUMMARIES),
            *((m, model) for model in MODELS for m in (*SUMMARIES, "postprob", "logZ", "logZse"))]


def map_name(measure, model):
    return f"sub-01{'' if model is None else '_model-' + model}_meas-{measure}_mimap"


class Complete(PetCase):
    """One run, looked at from all sides."""

    @classmethod
    def setUpClass(cls):
        cls.kept = None

    def setUp(self):
        super().setUp()
        if Complete.kept is None:  # one run serves all
            self.fits("--atlas", ATLAS)
            Complete.kept = tree(self.folder / "out")
        (self.folder / "out").mkdir(exist_ok=True)
        for name, data in Complete.kept.items():
            self.write("out/" + name, data)
        self.mask = nibabel.load(self.folder / MASK).get_fdata() > 0.5

    def test_files(self):
        wanted = [map_name(*m) + end for m in MEASURES for end in (".nii.gz", ".json")]
        wanted += ["sub-01_kinpar.tsv", "sub-01_kinpar.json", "sub-01_bloodproc.tsv", "sub-01_report.html",
                   "sub-01_manifest.json", "dataset_description.json", ".bidsignore"]
        self.assertEqual(sorted(Complete.kept), sorted(wanted))

    def test_maps_lie_where_the_image_lies(self):
        image = nibabel.load(self.folder / IMAGE)
        head = gzip.decompress((self.folder / IMAGE).read_bytes())[:348]
        for measure, model in MEASURES:
            file = self.folder / "out" / (map_name(measure, model) + ".nii.gz")
            loaded = nibabel.load(file)
            self.assertEqual(loaded.shape, image.shape[:3])
            # qform_code to srow_z, and the voxel sizes: the same bytes.
            own = gzip.decompress(file.read_bytes())[:348]
            self.assertEqual(own[252:328], head[252:328], file.name)
            self.assertEqual(own[76:92], head[76:92], file.name)
            self.assertEqual(loaded.affine.tobytes(), image.affine.tobytes())
            values = numpy.asarray(loaded.dataobj)
            if model is None:
                self.assertEqual(values.dtype, numpy.uint8)
                self.assertTrue((values[~self.mask] == 0).all())
            else:
                self.assertEqual(values.dtype, numpy.float32)
                self.assertTrue(numpy.isnan(values[~self.mask]).all(), file.name)
                self.assertTrue(numpy.isfinite(values[self.mask]).all(), file.name)

    def test_mrtrix_agrees(self):
        if not shutil.which("mrinfo") or not shutil.which("mrstats"):
            self.skipTest("mrinfo and mrstats (MRtrix3) are not installed")

        def ask(*command):
            return subprocess.run([*map(str, command)], cwd=self.folder, check=True, capture_output=True, text=True).stdout

        image = ask("mrinfo", "-quiet", "-transform", IMAGE)
        name = "out/" + map_name("VT", "BMA") + ".nii.gz"
        self.assertEqual(ask("mrinfo", "-quiet", "-transform", name), image)
        self.assertEqual(ask("mrinfo", "-quiet", "-spacing", name).split(),
                         ask("mrinfo", "-quiet", "-spacing", IMAGE).split()[:3])
        mean = float(ask("mrstats", "-quiet", "-output", "mean", "-mask", MASK, name))
        self.assertAlmostEqual(mean, numpy.nanmean(self.map_of("VT", "BMA").astype(float)), delta=1e-4 * mean)

    def test_sidecars(self):
        for measure, model in MEASURES:
            content = json.loads((self.folder / "out" / (map_name(measure, model) + ".json")).read_text())
            for field in ("Description", "Units", "Sources", "SoftwareName", "SoftwareVersion", "CommandLine", "Seed",
                          "Priors", "Noise", "Particles"):
                self.assertIn(field, content, map_name(measure, model))
            self.assertEqual(content["Seed"], 1)
            self.assertEqual(sorted(content["Priors"]), list(MODELS))
            self.assertEqual(content["Sources"], [IMAGE, BLOOD])
            self.assertTrue(content["CommandLine"].startswith(f"evident pet --image {IMAGE} --blood {BLOOD}"))
            self.assertEqual(content.get("ModelName"), model)
        units = {m: json.loads((self.folder / "out" / (map_name(m, "BMA") + ".json")).read_text())["Units"]
                 for m in ("VT", "K1")}
        self.assertEqual(units["VT"], "mL/cm3")
        self.assertRegex(units["K1"], "mL.*min")
        status = json.loads((self.folder / "out" / (map_name("status", None) + ".json")).read_text())
        self.assertEqual(sorted(map(int, status["Bits"])), [1, 2, 4, 8, 16, 32, 64, 128])
        about = json.loads((self.folder / "out/dataset_description.json").read_text())
        self.assertEqual((about["DatasetType"], about["GeneratedBy"][0]["Name"]), ("derivative", "evident"))
        self.assertIn("*_mimap.*", (self.folder / "out/.bidsignore").read_text().split())

    def test_probabilities_and_averages(self):
        of = {m: self.map_of("postprob", m)[self.mask].astype(float) for m in MODELS}
        total = sum(of.values())
        numpy.testing.assert_allclose(total, 1, atol=1e-6)
        for measure in ("VT", "K1"):
            mean = sum(of[m] * self.map_of(measure, m)[self.mask] for m in MODELS)
            numpy.testing.assert_allclose(self.map_of(measure, "BMA")[self.mask], mean, rtol=1e-5)
            square = sum(of[m] * (self.map_of(measure + "sd", m)[self.mask].astype(float) ** 2
                                  + self.map_of(measure, m)[self.mask].astype(float) ** 2) for m in MODELS)
            numpy.testing.assert_allclose(self.map_of(measure + "sd", "BMA")[self.mask], numpy.sqrt(square - mean ** 2),
                                          rtol=1e-3)
            low, mid, high = (self.map_of(measure + q, "BMA")[self.mask] for q in ("q025", "q50", "q975"))
            self.assertTrue((low <= mid).all() and (mid <= high).all() and (low < high).all())
        evidence = numpy.array([self.map_of("logZ", m)[self.mask].astype(float) for m in MODELS])
        error = numpy.array([self.map_of("logZse", m)[self.mask].astype(float) for m in MODELS])
        nodes, weights = numpy.polynomial.hermite_e.hermegauss(3)
        mean = 0  # over the errors of the log evidences
        for point in itertools.product(range(3), repeat=3):
            log = evidence + numpy.array([nodes[k] for k in point])[:, None] * error
            share = numpy.exp(log - log.max(axis=0))
            mean = mean + numpy.prod([weights[k] for k in point]) * share[1] / share.sum(axis=0)
        numpy.testing.assert_allclose(mean / weights.sum() ** 3, of["2TCM"], atol=1e-4)
        order = self.map_of("order")[self.mask]
        self.assertTrue((order == 1 + numpy.argmax([of[m] for m in MODELS], axis=0)).all())

    def test_atlas_table(self):
        labels = nibabel.load(self.folder / ATLAS).get_fdata().astype(int)
        names = {int(row["index"]): row["name"] for row in self.table("atlas.tsv")}
        rows = {row["region"]: row for row in self.table("out/sub-01_kinpar.tsv")}
        self.assertEqual(sorted(rows), sorted(names[k] for k in numpy.unique(labels[labels > 0])))
        vt, order = self.map_of("VT", "BMA"), self.map_of("order")
        for label in numpy.unique(labels[labels > 0]):
            row, inside = rows[names[label]], (labels == label) & self.mask
            self.assertEqual(int(row["voxels"]), inside.sum())
            self.assertAlmostEqual(float(row["VT"]) / vt[inside].mean(), 1, delta=1e-4)
            self.assertAlmostEqual(float(row["2TCM_share"]), (order[inside] == 2).mean(), delta=1e-4)

    def test_report_stands_alone(self):
        text = (self.folder / "out/sub-01_report.html").read_text()
        self.assertIn("PET model comparison", text)
        self.assertIsNone(re.search(r"""(src|href|action)\s*=\s*["']?\s*(https?:)?//""", text))
        self.assertIsNone(re.search(r"""url\(\s*["']?\s*(https?:)?//""", text))
        self.assertIsNone(re.search(r"""@import|\bimport\s*\(?\s*["']https?:|fetch\(\s*["'`]https?:""", text))

    def test_input_function(self):
        rows = self.table("out/sub-01_bloodproc.tsv")
        header, samples = self.blood_rows()
        self.assertEqual([float(r["time"]) for r in rows], [float(s[0]) for s in samples])
        for row, sample in zip(rows, samples):
            self.assertAlmostEqual(float(row["plasma_radioactivity"]), float(sample[1]) * float(sample[3]), delta=1e-9)


class SameEveryWay(PetCase):
    def setUp(self):
        super().setUp()
        self.small_mask(12)

    def test_threads(self):
        for threads in (1, 2, 3):
            self.fits("--threads", threads)
            (self.folder / "out").rename(self.folder / f"out{threads}")
        one = tree(self.folder / "out1")
        self.assertEqual(one, tree(self.folder / "out2"))
        self.assertEqual(one, tree(self.folder / "out3"))

    def test_neither_mask_nor_chunk_changes_a_voxel(self):
        self.fits()
        self.small_mask(5)
        self.fits("--chunk", 2, out="few")
        few = self.map_of("status", out="few") > 0
        self.assertEqual(few.sum(), 5)
        for measure in ("VT", "K1sd"):
            numpy.testing.assert_array_equal(self.map_of(measure, "BMA")[few], self.map_of(measure, "BMA", "few")[few])

    def test_units_of_image_and_blood(self):
        self.fits()
        self.save(IMAGE, self.image_data().astype(numpy.float64) / 1000)
        self.change_json(SIDECAR, Units="kBq/mL")
        self.fits(out="image")
        self.same_maps("out", "image", 1e-5)
        header, rows = self.blood_rows()
        self.write_blood(header, [[r[0], float(r[1]) * 1000, float(r[2]) * 1000, r[3]] for r in rows])
        for column in ("plasma_radioactivity", "whole_blood_radioactivity"):
            self.change_json(BLOOD_JSON, **{column: {"Units": "Bq/mL"}})
        self.fits("--vb", 0.05, out="blood")
        self.write_blood(header, rows)
        for column in ("plasma_radioactivity", "whole_blood_radioactivity"):
            self.change_json(BLOOD_JSON, **{column: {"Units": "kBq/mL"}})
        self.fits("--vb", 0.05, out="vb")
        self.same_maps("vb", "blood", 1e-5)

    def test_bids_and_single_files(self):
        study = self.folder / "study"
        shutil.copytree(phantom(), study)
        self.fits()
        self.succeeds("pet", "study", "derived", "participant", "--participant-label", "01", "--mask", MASK, *QUICK)
        self.assertTrue((self.folder / "derived/dataset_description.json").is_file())
        self.assertTrue((self.folder / "derived/.bidsignore").is_file())
        self.same_maps("out", "derived/sub-01/pet")
        self.refused("there is no participant '02'; found: 01", "pet", "study", "other", "participant",
                     "--participant-label", "02")

    def test_several_scans(self):
        study = self.folder / "study"
        shutil.copytree(phantom(), study)
        shutil.copytree(study / "sub-01", study / "sub-02")
        for file in list((study / "sub-02/pet").iterdir()):
            file.rename(file.with_name(file.name.replace("sub-01", "sub-02")))
        sidecar = study / "sub-02/pet/sub-02_pet.json"
        good = sidecar.read_text()
        sidecar.write_text("{}")
        # The mistake in the second scan is found before the first is computed.
        self.refused("sub-02_pet.json: 'FrameTimesStart' is missing", "pet", "study", "derived", "--mask", MASK, *QUICK)
        sidecar.write_text(good)
        image = study / "sub-02/pet/sub-02_pet.nii.gz"
        whole = image.read_bytes()
        image.write_bytes(whole[:-100])  # all voxels are read before the first scan is computed
        self.refused("sub-02_pet.nii.gz", "pet", "study", "derived", "--mask", MASK, *QUICK)
        image.write_bytes(whole)
        self.succeeds("pet", "study", "derived", "--participant-label", "01", "--mask", MASK, *QUICK)
        done = self.succeeds("pet", "study", "derived", "--resume", "--mask", MASK, *QUICK)
        self.assertRegex(done.stderr, "sub-01_pet.nii.gz\n.*sub-02_pet.nii.gz\n")
        self.assertRegex(done.stdout, r"\AThe run is finished already; its results are in [^\n]*sub-01[^\n]*\n")
        self.assertTrue((self.folder / "derived/sub-02/pet/sub-02_report.html").is_file())
        self.succeeds("pet", "study", "both", "--mask", MASK, "--atlas", MASK, *QUICK)
        self.same_maps("both/sub-01/pet", "derived/sub-01/pet")
        self.same_maps("both/sub-02/pet", "derived/sub-02/pet")
        self.assertTrue((self.folder / "both/sub-02/pet/sub-02_kinpar.tsv").is_file())

    def test_zero_outside(self):
        self.fits("--fill", 0)
        vt, status = self.map_of("VT", "BMA"), self.map_of("status")
        self.assertTrue((vt[status == 0] == 0).all() and (vt[status == 1] > 0).all())

    def test_dry_run_writes_nothing(self):
        before = self.entries()
        done = self.succeeds(*self.arguments("--dry-run"))
        self.assertEqual(self.entries(), before)
        for part in ("frames: +32 of 32", "units: +Bq/mL", "decay: +C11", "plasma: +121 points", "prior: +phi",
                     "voxels: +12 of", "forecast: .* on 2 threads"):
            self.assertRegex(done.stdout, part)
        notes = [line for line in done.stdout.splitlines() if "note:" in line]
        self.assertEqual(len(notes), len(set(notes)))


class Regions(PetCase):
    """A table of curves instead of an image."""

    def setUp(self):
        super().setUp()
        self.small_mask(3)
        starts, durations = self.sidecar()["FrameTimesStart"], self.sidecar()["FrameDuration"]
        data, self.places = self.image_data(), [tuple(v) for v in self.inside()]
        self.curves = [data[p] for p in self.places]
        text = "frame_start\tframe_end\tputamen\tcortex\tcerebellum\n"
        for f, (start, duration) in enumerate(zip(starts, durations)):
            text += "\t".join([str(start), str(start + duration), *(repr(float(c[f])) for c in self.curves)]) + "\n"
        self.write("sub-01_tacs.tsv", text)
        shutil.copy(self.folder / SIDECAR, self.folder / "sub-01_tacs.json")

    def run_table(self, *more, out="regions"):
        return self.succeeds("pet", "--tacs", "sub-01_tacs.tsv", "--blood", BLOOD, "--out", out, *QUICK, *more)

    def test_tables_instead_of_maps(self):
        done = self.run_table()
        rows = self.table("regions/sub-01_kinpar.tsv")
        self.assertEqual([r["region"] for r in rows], ["putamen", "cortex", "cerebellum"])
        self.assertEqual(sorted(p.name for p in (self.folder / "regions").iterdir()),
                         [".bidsignore", "dataset_description.json", "sub-01_bloodproc.tsv", "sub-01_kinpar.json",
                          "sub-01_kinpar.tsv", "sub-01_manifest.json", "sub-01_report.html"])
        self.assertRegex(done.stdout, "putamen +[123]TCM")
        for row in rows:
            self.assertAlmostEqual(sum(float(row[f"{m}_postprob"]) for m in MODELS), 1, delta=1e-5)
            mean = sum(float(row[f"{m}_postprob"]) * float(row[f"{m}_VT"]) for m in MODELS)
            self.assertAlmostEqual(float(row["BMA_VT"]) / mean, 1, delta=1e-4)

    def test_a_warning_names_its_option_on_the_screen_and_in_files(self):
        (self.folder / "sub-01_tacs.json").unlink()
        done = self.run_table("--nuclide", "C11", "--units", "Bq/mL")
        self.warned(done, "taken as corrected for decay; if not, give --decay-corrected no$")
        written = json.loads((self.folder / "regions/sub-01_kinpar.json").read_text())["Warnings"]
        self.assertIn("the curves are taken as corrected for decay; if not, give --decay-corrected no", written)

    def test_same_numbers_at_the_same_place(self):
        """A voxel's place in the image and a region's in the table start the same random numbers."""
        data = numpy.zeros((4, 1, 1, len(self.curves[0])), dtype=numpy.float32)
        for i, curve in enumerate(self.curves):
            data[i, 0, 0] = curve
        self.save(IMAGE, data)
        self.save(MASK, numpy.array([1, 1, 1, 0], dtype=numpy.uint8).reshape(4, 1, 1))
        self.fits()
        self.run_table()
        for i, row in enumerate(self.table("regions/sub-01_kinpar.tsv")):
            for model in MODELS:
                for measure in ("logZ", "VT", "K1sd", "postprob"):
                    value = float(self.map_of(measure, model)[i, 0, 0])
                    self.assertAlmostEqual(float(row[f"{model}_{measure}"]), value, delta=2e-5 * abs(value) + 1e-9)

    def test_only_some_regions(self):
        self.run_table()
        self.run_table("--region", "cerebellum", "--region", "putamen", out="some")
        all_rows, rows = (self.table(f"{out}/sub-01_kinpar.tsv") for out in ("regions", "some"))
        self.assertEqual(rows, [all_rows[0], all_rows[2]])
        base = ("pet", "--tacs", "sub-01_tacs.tsv", "--blood", BLOOD, "--out", "none")
        self.refused("--region: sub-01_tacs.tsv has no region 'putamn'; did you mean 'putamen'?", *base, "--region",
                     "putamn")
        self.refused("has no region 'zzzzzz'; it has putamen, cortex, cerebellum", *base, "--region", "zzzzzz")
        self.refused("--mask and --atlas are for images", *base, "--mask", MASK)


def data_folder():
    """None when no folder is named; tests that need the data are skipped then."""
    named = os.environ.get("EVIDENT_DATA")
    return pathlib.Path(named) if named else None


class Published(PetCase):
    """The published time-activity curve, as a user would give it to the program."""

    def test_series(self):
        if data_folder() is None or not (data_folder() / "pet/time-activity.csv").is_file():
            self.skipTest("no published data; set EVIDENT_DATA to their folder")
        data = data_folder() / "pet"
        common = ("pet", "--tacs", data / "time-activity.csv", "--input-function", data / "plasma-input.csv", "--prior",
                  "zhou2013-n", "--noise", "normal", "--noise-dt", "midtime-diff", "--interpolation", "spline",
                  "--delay", 0, "--units", "kBq/mL", "--blood-units", "kBq/mL", "--time-unit", "s", "--nuclide", "none",
                  "--decay-corrected", "yes", "--models", "1,2")
        dry = self.succeeds(*common, "--out", "none", "--dry-run", "--preset", "fast")
        self.assertRegex(dry.stdout, "note: +the column 'dt' of the curves is not used")
        self.assertRegex(dry.stdout, "regions: +1\n")
        self.succeeds(*common, "--out", "out", "--region", "y")
        row, = self.table("out/time-activity_kinpar.tsv")
        error = {}
        for model, wanted in (("1TCM", -40.8744), ("2TCM", -39.187)):
            error[model] = float(row[f"{model}_logZse"])
            self.assertLess(error[model], 0.25)
            self.assertLess(abs(float(row[f"{model}_logZ"]) - wanted), 3 * error[model] + 0.005)
        factor = float(row["2TCM_logZ"]) - float(row["1TCM_logZ"])
        self.assertLess(abs(factor - 1.687), 3 * math.hypot(*error.values()) + 0.005)
        # The standard error of a mean, from its spread and a cautious share of the particles.
        self.assertLess(abs(float(row["2TCM_VT"]) - 10.40), 3 * float(row["2TCM_VTsd"]) / math.sqrt(1000 / 5))
