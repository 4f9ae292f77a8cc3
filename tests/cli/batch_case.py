"""A folder with a study and some data sets for each test of `evident batch`."""
import csv
import json
import pathlib
import re

from program import ProgramCase

MODELS = ('[[model]]\nname = "flat"\n[model.parameters]\nmu = "normal(0, 10)"\n[model.likelihood]\n'
          'y = "normal(mu, 1)"\n'
          '[[model]]\nname = "line"\n[model.parameters]\nmu = "normal(0, 10)"\nslope = "normal(0, 3)"\n'
          '[model.likelihood]\ny = "normal(mu + slope * t, 1)"\n')
STUDY = '[data]\nfile = "none.csv"\n[sampler]\nparticles = 100\ncess = 0.9\nreplicates = 1\nseed = 5\n' + MODELS
NOISE = (0.3, -0.8, 0.5, 1.1, -0.4, 0.2, -1.3, 0.6)
NAMES = ("s01", "s02", "s03", "s04", "s05", "s06", "s07")


def rows(k):
    """Every second data set has a slope."""
    return [(t, 2 * t * (k % 2) + NOISE[(t + k) % 8]) for t in range(8)]


def table(k):
    return "t,y\n" + "".join(f"{t},{y}\n" for t, y in rows(k))


class BatchCase(ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("study.toml", STUDY)
        (self.folder / "data.csv").unlink()
        (self.folder / "d").mkdir()
        for k, name in enumerate(NAMES):
            self.write(f"d/{name}.csv", table(k))

    def batch(self, *more, out="out", data="d/*.csv"):
        return ("batch", "study.toml", "--data", data, "--out", out, "--quiet", *more)

    def succeeds(self, *arguments):
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def fails(self, pattern, *arguments):
        """A run that did its work and then says in one line what is not as it should be."""
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"\Aevident: [^\n]+\n\Z")
        self.assertRegex(done.stderr, pattern)
        return done

    def table(self, out="out", name="results.csv"):
        with open(self.folder / out / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def document(self, out="out"):
        return json.loads((self.folder / out / "results.json").read_text(encoding="utf-8"))

    def results(self, out="out"):
        """The files of results with their bytes, times apart."""
        folder = self.folder / out
        files = {n: (folder / n).read_bytes() for n in ("results.csv", "results.json", "parameters.csv")}
        files["results.json"] = re.sub(rb'"seconds":[-+0-9.e]+', b'"seconds":0', files["results.json"])
        lines = files["results.csv"].decode().splitlines()
        column = lines[0].split(",").index("seconds")
        self.assertEqual(lines[0].split(",")[-2:], ["seconds", "message"])
        kept = []
        with open(folder / "results.csv", newline="", encoding="utf-8") as file:
            for row in csv.reader(file):
                if row[0] != "name":
                    self.assertGreater(float(row[column]), 0)
                    row[column] = "0"
                kept.append(row)
        files["results.csv"] = kept
        return files


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file()}
