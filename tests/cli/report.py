"""evident report, and the report that compare writes."""
import json
import re
import shutil
import unittest

import program
from program import STUDY, ProgramCase

HOSTILE = "</script><img src=x onerror=alert(1)>"


@unittest.skipUnless(program.REPORTS, "built without reports")
class Report(ProgramCase):
    def good(self, *arguments):
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def data(self, file):
        """The JSON inside a page."""
        page = file.read_text(encoding="utf-8")
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])

    def compare(self, *arguments):
        self.good("compare", "study.toml", "--quiet", "--force", *arguments)
        return self.folder / "study.evident"

    def test_compare_writes_it(self):
        results = self.compare()
        data = self.data(results / "report.html")
        self.assertEqual([m["name"] for m in data["models"]], ["one", "two"])
        self.assertEqual(data["missing"], [m for m in data["missing"] if "interval" in m])
        self.assertEqual(data["averaged"]["models"], ["one", "two"])
        for model in data["models"]:
            self.assertTrue(model["trace"] and model["draws"] and model["predictive"]["series"])
            self.assertTrue(all(p["density"]["prior"] for p in model["parameters"]))
        self.assertLess((results / "report.html").stat().st_size, 1_500_000)

    def test_not_when_it_is_not_wanted(self):
        self.assertFalse((self.compare("--no-report") / "report.html").exists())
        self.good("compare", "study.toml", "--quiet", "--json", "--out", "named")
        self.assertTrue((self.folder / "named/report.html").exists())

    def test_the_folder_is_enough(self):
        results = self.compare()
        first = (results / "report.html").read_bytes()
        (self.folder / "study.toml").unlink()
        (self.folder / "data.csv").unlink()
        self.refused("exists already; --force replaces it", "report", "study.evident")
        done = self.good("report", "study.evident", "--force")
        self.assertEqual(done.stdout, "The report is study.evident/report.html\n")
        self.assertEqual((results / "report.html").read_bytes(), first)
        self.good("report", "study.evident", "--out", "mine.html")
        self.assertEqual((self.folder / "mine.html").read_bytes(), first)

    def test_same_bytes_for_any_number_of_threads(self):
        seen = set()
        for threads in (1, 2, 5):
            results = self.compare("--threads", threads)
            names = sorted(p.name for p in results.iterdir() if p.name.endswith(("-prior.csv", "-predictive.json", "study.json")))
            self.assertEqual(len(names), 6)
            seen.add(tuple((results / name).read_bytes() for name in names))
        self.assertEqual(len(seen), 1)

    def test_a_model_alone_predicts_what_it_predicts_in_company(self):
        together = (self.compare() / "two-predictive.json").read_bytes()
        self.assertEqual((self.compare("--model", "two") / "two-predictive.json").read_bytes(), together)

    def test_every_method_has_a_report(self):
        own = {"population-mcmc": "chains = 6\nburn_in = 50\niterations = 60", "chib": "burn_in = 20\niterations = 200",
               "rjmcmc": "chains = 3\nburn_in = 100\niterations = 200", "bic": "", "ais": "particles = 64\ncess = 0.9",
               "harmonic-mean": "chains = 6\nburn_in = 50\niterations = 60", "all-in-one": "particles = 64\ncess = 0.9",
               "relative": "particles = 64\ncess = 0.9", "data-tempering": "particles = 64"}
        for method, text in own.items():
            with self.subTest(method):
                self.write("study.toml", STUDY.replace("particles = 64\ncess = 0.9", f'method = "{method}"\n{text}'))
                data = self.data(self.compare() / "report.html")
                self.assertEqual(len(data["models"]), 2)
                self.assertTrue(data["verdict"][0])
                missing = " ".join(data["missing"])
                self.assertEqual("No posterior" in missing, method in ("bic", "chib"))
                self.assertEqual("No log evidences" in missing, method == "rjmcmc")
                self.assertEqual("No predictions" in missing, method in ("bic", "chib"))
                self.assertEqual("No evidence path" in missing, method in ("bic", "chib", "rjmcmc", "harmonic-mean"))
                self.assertEqual(bool(data["union_trace"]), method == "all-in-one")

    def test_islands_have_intervals(self):
        self.write("study.toml", STUDY.replace("replicates = 1\n", ""))
        data = self.data(self.compare() / "report.html")
        self.assertEqual(data["missing"], [])
        self.assertEqual(len(data["verdict"]), 2)
        self.assertTrue(all(m["probability_interval"] and m["log_evidence_interval"] for m in data["models"]))

    def test_hostile_names_are_escaped(self):
        self.write("study.toml", STUDY.replace('"one"', f"'{HOSTILE}'"))
        results = self.compare()
        page = (results / "report.html").read_text(encoding="utf-8")
        self.assertNotIn(HOSTILE, page)
        self.assertNotIn("<img", page)
        self.assertEqual(self.data(results / "report.html")["models"][0]["name"], HOSTILE)

    def test_bad_folders_are_refused(self):
        self.refused("nowhere: there is no such folder", "report", "nowhere")
        self.refused("data.csv: not a folder", "report", "data.csv")
        (self.folder / "empty").mkdir()
        self.refused("empty: no results of 'evident compare' are here", "report", "empty")
        self.refused("--out must not be empty", "report", "empty", "--out", "")
        self.refused("empty: is a folder", "report", "empty", "--out", "empty")
        results = self.compare()
        self.refused("there is no such folder to write into", "report", results, "--out", "no/where.html")
        (results / "report.html").unlink()
        (results / "manifest.json").unlink()  # not read here
        for name in sorted(p.name for p in results.iterdir()):
            shutil.copytree(results, self.folder / "damaged")
            file = self.folder / "damaged" / name
            file.write_bytes(file.read_bytes()[:-7])
            with self.subTest(name):
                self.refused(re.escape(f"damaged/{name}:"), "report", "damaged")
                file.write_bytes(b"\xff\xfe\x00garbage")
                self.refused(re.escape(f"damaged/{name}:"), "report", "damaged")
            shutil.rmtree(self.folder / "damaged")

    def test_an_old_folder_without_the_extra_files(self):
        results = self.compare()
        for file in results.iterdir():
            if file.name.endswith(("-prior.csv", "-predictive.json", "study.json", "report.html")):
                file.unlink()
        self.good("report", "study.evident")
        missing = " ".join(self.data(results / "report.html")["missing"])
        self.assertIn("No prior draws", missing)
        self.assertIn("No predictions", missing)


@unittest.skipIf(program.REPORTS, "built with reports")
class WithoutReports(ProgramCase):
    def test_compare_works_and_report_says_why_not(self):
        done = self.run_program("compare", "study.toml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("report", done.stdout + done.stderr)
        self.assertFalse((self.folder / "study.evident/report.html").exists())
        done = self.run_program("report", "study.evident")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Aevident: [^\n]*built without HTML reports[^\n]*\n\Z")
