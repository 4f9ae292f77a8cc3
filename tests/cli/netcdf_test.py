"""evident compare --netcdf, opened by ArviZ.

    netcdf_test.py PROGRAM [PYTHON]     PYTHON has ArviZ and netCDF4; else this one and those in the path are tried
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

STUDY = """\
[data]
file = "data.csv"
[sampler]
particles = 200
islands = 4
seed = 3
[[model]]
name = "one"
kind = "gaussian-mixture"
components = 1
[[model]]
name = "two"
kind = "gaussian-mixture"
components = 2
"""
DATA = "y\n" + "".join(f"{x}\n" for x in (1.5, -0.5, 2.25, 3.0, -1.0, 0.125, 2.5, 1.0))


def find_arviz():
    """Goes on in a Python that has what is needed, or skips."""
    if os.environ.get("EVIDENT_NETCDF_TEST"):
        return
    for python in [*sys.argv[2:], sys.executable, shutil.which("python3"), "/usr/bin/python3"]:
        if python and shutil.which(python) and subprocess.run([python, "-c", "import arviz, netCDF4"], capture_output=True).returncode == 0:
            os.environ["EVIDENT_NETCDF_TEST"] = "1"
            os.execv(python, [python, "-B", *sys.argv[:2]])
    print("skipped: no Python with ArviZ and netCDF4 was found; set EVIDENT_ARVIZ_PYTHON")
    sys.exit(77)


class Netcdf(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "study.toml").write_text(STUDY)
        (self.folder / "data.csv").write_text(DATA)

    def compare(self, *arguments):
        return subprocess.run([PROGRAM, "compare", "study.toml", "--quiet", *arguments], cwd=self.folder,
                              capture_output=True, text=True)

    def test_arviz_opens_it(self):
        done = self.compare("--json", "--netcdf", "draws.nc")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = sorted(p.name for p in self.folder.iterdir())
        self.assertEqual(names, ["data.csv", "draws.one.nc", "draws.two.nc", "study.toml"])
        result = json.loads(done.stdout)
        for k, name in enumerate(("one", "two")):
            idata = az.from_netcdf(str(self.folder / f"draws.{name}.nc"))
            model = result["models"][k]
            self.assertAlmostEqual(float(idata.posterior.attrs["log_evidence"]), model["log_evidence"], places=12)
            self.assertEqual(idata.posterior.attrs["model"], name)
            self.assertEqual(dict(idata.posterior.sizes)["chain"], 1)
            self.assertIn("lp", idata.sample_stats)
            self.assertEqual(idata.observed_data["y"].values.tolist(), [float(x) for x in DATA.split()[1:]])
            draws = idata.posterior.sizes["draw"]
            self.assertEqual(idata.posterior_predictive["y"].shape, (1, draws, 8))
            summary = az.summary(idata, kind="stats")
            self.assertGreaterEqual(len(summary), 2)
            for variable in idata.posterior.data_vars:
                self.assertIn(variable, idata.prior)
        two = az.from_netcdf(str(self.folder / "draws.two.nc"))
        vectors = [v for v in two.posterior.data_vars if two.posterior[v].ndim == 3]
        self.assertTrue(vectors, "parameters called name[1], name[2] are one variable")
        self.assertEqual(two.posterior[vectors[0]].shape[2], 2)

    def test_one_model_is_one_file(self):
        done = self.compare("--model", "one", "--netcdf", "draws.nc")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("draws.nc", done.stdout)
        az.from_netcdf(str(self.folder / "draws.nc"))
        refused = self.compare("--model", "one", "--netcdf", "draws.nc", "--out", "other")
        self.assertEqual(refused.returncode, 2)
        self.assertRegex(refused.stderr, "--force")
        self.assertFalse((self.folder / "other").exists())

    def test_bad_paths(self):
        for path, pattern in (("no/draws.nc", "existing folder"), (".", "folder|name of a file")):
            done = self.compare("--json", "--model", "one", "--netcdf", path)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, pattern)


if __name__ == "__main__":
    PROGRAM = sys.argv[1]
    find_arviz()
    import arviz as az
    if "built without netCDF" in subprocess.run([PROGRAM, "compare", os.devnull, "--netcdf", "x.nc"],
                                                capture_output=True, text=True).stderr:
        print("skipped: the program was built without netCDF")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
