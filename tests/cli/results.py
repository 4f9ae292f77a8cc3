"""What a successful run prints and writes."""
import csv
import json
import math
import re
import subprocess

import program
from program import STUDY, ProgramCase


def without_seconds(value):
    if isinstance(value, dict):
        return {k: without_seconds(v) for k, v in value.items() if k != "seconds"}
    return [without_seconds(v) for v in value] if isinstance(value, list) else value


METHODS = ("direct", "all-in-one", "relative", "ais", "data-tempering", "population-mcmc", "rjmcmc", "harmonic-mean",
           "chib", "bic")
SMC = ("direct", "all-in-one", "relative", "ais", "data-tempering")
UNION = ("all-in-one", "relative", "rjmcmc")


def keys(value, path=""):
    """Every key of a document but those of the methods' own details; lists count once."""
    out = set()
    if isinstance(value, dict):
        for key, inner in value.items():
            out.add(f"{path}.{key}")
            if key not in ("details", "path_sampling"):
                out |= keys(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            out |= keys(inner, path + "[]")
    return out


class Results(ProgramCase):
    def good(self, *arguments, **options):
        done = self.run_program(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def rows(self, name):
        with open(self.folder / "study.evident" / name, newline="") as file:
            return list(csv.DictReader(file))

    def files_of(self, *models):
        """What a results folder holds."""
        parts = ("draws.csv", "trace.csv", "prior.csv", "predictive.json")
        names = {f"{m}-{part}" for m in models for part in parts} | {"manifest.json", "result.json", "study.json"}
        if len(models) > 1:
            names.add("all-models-predictive.json")
        return names | ({"report.html"} if program.REPORTS else set())

    def test_json_is_alone_on_standard_output(self):
        done = self.good("compare", "study.toml", "--json", "--out", "study.evident")
        result = json.loads(done.stdout)  # one document and nothing else
        self.assertEqual(result["schema"], 1)
        self.assertEqual(result["study"], "study.toml")
        self.assertEqual([m["name"] for m in result["models"]], ["one", "two"])
        self.assertAlmostEqual(sum(m["probability"] for m in result["models"]), 1)
        one, two = result["models"]
        self.assertAlmostEqual(result["log_bayes_factors"][0][1], one["log_evidence"] - two["log_evidence"])
        self.assertIsNone(one["log_evidence_sd"])
        self.assertEqual(without_seconds(result), without_seconds(json.loads(
            (self.folder / "study.evident/result.json").read_text())))
        self.assertIn("two", done.stderr)

    def test_json_makes_a_folder_only_when_it_is_named(self):
        for _ in range(2):  # and so may be asked for again and again
            self.good("compare", "study.toml", "--json", "--quiet")
            self.assertEqual(self.entries(), ["data.csv", "study.toml"])

    def test_quiet_says_nothing(self):
        for threads in (1, 2, 64):
            done = self.good("compare", "study.toml", "--json", "--quiet", "--force", "--threads", threads)
            self.assertEqual(done.stderr, "")

    def test_table_for_people(self):
        done = self.good("compare", "study.toml")
        self.assertRegex(done.stdout, r"\Amodel +prior +log evidence +sd ")
        self.assertRegex(done.stdout, r"\none +0\.5000 +-\d+\.\d{3} +- ")
        self.assertIn("\nResults are in study.evident\n", done.stdout)
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_files(self):
        self.good("compare", "study.toml", "--quiet")
        self.assertEqual(self.entries(), ["data.csv", "study.evident", "study.toml"])
        names = {p.name for p in (self.folder / "study.evident").iterdir()}
        self.assertEqual(names, self.files_of("one", "two"))
        draws = self.rows("two-draws.csv")
        self.assertEqual(len(draws), 64)
        self.assertAlmostEqual(sum(float(d["weight"]) for d in draws), 1)
        self.assertIn("mu[2]", draws[0])
        trace = self.rows("two-trace.csv")
        self.assertEqual(float(trace[0]["alpha"]), 0)
        self.assertEqual(float(trace[-1]["alpha"]), 1)
        result = json.loads((self.folder / "study.evident/result.json").read_text())
        total = math.fsum(float(step["log_ratio"]) for step in trace)
        self.assertAlmostEqual(total, result["models"][1]["log_evidence"])

    def test_same_bytes_for_any_number_of_threads(self):
        outputs = []
        for threads in (1, 2, 3, 7):
            done = self.good("compare", "study.toml", "--json", "--quiet", "--out", "study.evident", "--force",
                             "--replicates", 3, "--threads", threads)
            text = re.sub(r'"seconds": [^,\n]*', '"seconds": 0', done.stdout)
            draws = (self.folder / "study.evident/two-draws.csv").read_bytes()
            outputs.append((text, draws))
        for other in outputs[1:]:
            self.assertEqual(outputs[0], other)

    def test_same_bytes_when_one_run_is_spread_over_threads(self):
        self.write("study.toml", STUDY.replace("particles = 64", "particles = 1000"))
        outputs = set()
        for threads in (1, 2, 3, 7):
            done = self.good("compare", "study.toml", "--json", "--quiet", "--force", "--model", "two", "--threads",
                             threads)
            outputs.add(re.sub(r'"seconds": [^,\n]*', '"seconds": 0', done.stdout))
        self.assertEqual(len(outputs), 1)

    def test_seeds_matter(self):
        first, second = (self.good("compare", "study.toml", "--json", "--quiet", "--force", "--seed", s) for s in (1, 2))
        values = [json.loads(d.stdout)["models"][1]["log_evidence"] for d in (first, second)]
        self.assertNotEqual(*values)

    def test_replicates_give_an_error_bar(self):
        done = self.good("compare", "study.toml", "--json", "--quiet", "--replicates", 4)
        model = json.loads(done.stdout)["models"][1]
        self.assertEqual(len(model["replicates"]), 4)
        self.assertGreater(model["log_evidence_sd"], 0)

    def test_force_replaces_the_earlier_result(self):
        self.good("compare", "study.toml", "--quiet")
        self.good("compare", "study.toml", "--quiet", "--force", "--model", "one")
        names = {p.name for p in (self.folder / "study.evident").iterdir()}
        self.assertEqual(names, self.files_of("one"))
        self.assertEqual(self.entries(), ["data.csv", "study.evident", "study.toml"])

    def test_hostile_model_names(self):
        self.write("study.toml", STUDY.replace('"one"', '"../x"').replace('"two"', '"..:x"'))
        done = self.good("compare", "study.toml", "--json", "--quiet", "--out", "study.evident")
        self.assertEqual([m["name"] for m in json.loads(done.stdout)["models"]], ["../x", "..:x"])
        self.assertEqual(self.entries(), ["data.csv", "study.evident", "study.toml"])
        names = {p.name for p in (self.folder / "study.evident").iterdir()}
        self.assertEqual(names, self.files_of("_.._x", "_.._x-2"))

    def test_full_standard_output_is_a_failure(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([program.PROGRAM, "models"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output cannot be written", done.stderr)

    def small(self, method):
        """The tiny study for this method, with chains as short as can be."""
        own = {"population-mcmc": "chains = 6\nburn_in = 50\niterations = 60", "chib": "burn_in = 20\niterations = 200",
               "rjmcmc": "chains = 3\nburn_in = 100\niterations = 200", "bic": "",
               "harmonic-mean": "chains = 6\nburn_in = 50\niterations = 60"}
        text = own.get(method, "particles = 64\ncess = 0.9")
        self.write("study.toml", STUDY.replace("particles = 64\ncess = 0.9", f'method = "{method}"\n{text}'))

    def test_every_method_gives_the_same_document(self):
        documents = {}
        for method in METHODS:
            self.small(method)
            documents[method] = json.loads(self.good("compare", "study.toml", "--json", "--quiet").stdout)
        def own_keys(document):  # there may be reasons or not
            return {k for k in keys(document) if not k.startswith(".models[].reasons[]")}

        expected = own_keys(documents["direct"])
        for method, document in documents.items():
            with self.subTest(method):
                of_runs = {k for k in keys(document) if k.startswith(".runs[]")}
                of_parameters = {k for k in expected if "parameters[]." in k} if method in ("bic", "chib") else set()
                self.assertEqual(own_keys(document) - of_runs, expected - of_parameters)
                self.assertEqual(bool(of_runs), method in UNION)
                self.assertEqual(document["method"], method)
                self.assertAlmostEqual(sum(m["probability"] for m in document["models"]), 1)
                one, two = document["models"]
                self.assertEqual(one["log_evidence"] is None, method == "rjmcmc")
                self.assertEqual(one["steps"] is None, method in ("rjmcmc", "harmonic-mean", "chib", "bic", "all-in-one"))
                self.assertEqual(one["support"] is None, method not in UNION)
                self.assertEqual(one["log_evidence_path"] is None,
                                 method not in ("direct", "ais", "relative", "population-mcmc"))
                self.assertIsNotNone(document["log_bayes_factors"][0][1])
                for model in document["models"]:
                    if model["verdict"] == "unjudged":
                        self.assertNotEqual(method, "direct")
                        self.assertEqual([r["level"] for r in model["reasons"]], ["unjudged"])
                        self.assertGreater(len(model["reasons"][0]["text"]), 40)
                    else:
                        self.assertEqual(method, "direct")
                        self.assertIn(model["verdict"], ("trust", "run longer", "do not trust"))
                        self.assertIsNotNone(model["log_evidence_se"])

    def test_all_in_one_has_islands_and_a_verdict(self):
        self.write("study.toml", STUDY.replace("particles = 64\ncess = 0.9", 'method = "all-in-one"\nparticles = 200')
                   .replace("replicates = 1\n", ""))
        document = json.loads(self.good("compare", "study.toml", "--json", "--quiet").stdout)
        self.assertEqual(len(document["runs"]), 8)
        self.assertGreater(document["pilot"]["likelihood_evaluations"], 0)
        for model in document["models"]:
            self.assertIn(model["verdict"], ("trust", "run longer", "do not trust", "unjudged"))
            self.assertIsNotNone(model["log_evidence_se"])
            self.assertEqual(len(model["probability_interval"]), 2)
        table = self.good("compare", "study.toml", "--quiet", "--force").stdout
        self.assertRegex(table, r"verdict\n")

    def test_every_method_gives_the_same_bytes_for_any_number_of_threads(self):
        for method in METHODS:
            self.small(method)
            for replicates in (1, 3):
                outputs = set()
                for threads in (1, 2, 3):
                    done = self.good("compare", "study.toml", "--json", "--quiet", "--replicates", replicates,
                                     "--threads", threads)
                    outputs.add(re.sub(r'"seconds": [^,\n]*', '"seconds": 0', done.stdout))
                self.assertEqual(len(outputs), 1, method)

    def test_a_model_alone_gives_what_it_gives_in_company(self):
        for method in METHODS:
            if method in UNION:
                continue
            self.small(method)
            together, alone = (json.loads(self.good("compare", "study.toml", "--json", "--quiet", *extra).stdout)
                               for extra in ((), ("--model", "two")))
            self.assertEqual(together["models"][1]["log_evidence"], alone["models"][0]["log_evidence"], method)

    def test_every_method_has_a_table_and_files(self):
        for method in METHODS:
            self.small(method)
            done = self.good("compare", "study.toml", "--force")
            self.assertRegex(done.stdout, r"\Amodel +prior +log evidence +sd ")
            self.assertRegex(done.stdout, r"\none +0\.5000 +(-|-?\d+\.\d{3}) ")
            self.assertNotIn("nan", done.stdout)
            self.assertIn(method if method in UNION else "two", done.stderr)
            files = {p.name for p in (self.folder / "study.evident").iterdir()}
            self.assertIn("result.json", files)
            self.assertEqual("two-draws.csv" in files, method not in ("bic", "chib"))
            self.assertEqual("all-models-trace.csv" in files, method == "all-in-one")

    def test_families(self):
        data = self.folder / "reg"
        self.good("simulate", "linear-regression", "--seed", 2, "--out", data, "--coefficients=1,0", "--observations", 30)
        for method in ("all-in-one", "rjmcmc"):
            extra = ("--particles", 100, "--cess", 0.9) if method in SMC else ()
            done = self.good("compare", data / "study.toml", "--json", "--quiet", "--method", method, "--replicates", 2,
                             *extra)
            document = json.loads(done.stdout)
            models = document["models"]
            self.assertIn("x1", [m["name"] for m in models])
            self.assertEqual({m["kind"] for m in models}, {"linear-regression"})
            self.assertEqual([m["probability"] for m in models], sorted((m["probability"] for m in models), reverse=True))
            self.assertAlmostEqual(sum(m["probability"] for m in models), 1)
            self.assertEqual(len(document["runs"]), 2)
            self.assertTrue(any(k.startswith("jump_acceptance:") for k in document["runs"][0]["details"]))

    def test_islands_are_the_default(self):
        self.write("study.toml", STUDY.replace("replicates = 1\n", ""))
        document = json.loads(self.good("compare", "study.toml", "--json", "--quiet").stdout)
        for model in document["models"]:
            self.assertEqual(len(model["replicates"]), 8)
            self.assertGreater(model["log_evidence_se"], 0)
            lower, upper = model["log_evidence_interval"]
            self.assertTrue(lower < model["log_evidence"] < upper)
            lower, upper = model["probability_interval"]
            self.assertTrue(lower <= model["probability"] <= upper)
            self.assertIn(model["verdict"], ("trust", "run longer", "do not trust"))
            self.assertIsInstance(model["reasons"], list)
            self.assertGreater(model["pilot"]["steps"], 0)
        self.assertEqual(document["rounds"], 1)
        outputs = set()
        for threads in (1, 3):
            done = self.good("compare", "study.toml", "--json", "--quiet", "--precision", 0.02, "--threads", threads)
            outputs.add(re.sub(r'"seconds": [^,\n]*', '"seconds": 0', done.stdout))
        self.assertEqual(len(outputs), 1)
        precise = json.loads(outputs.pop())
        self.assertGreater(precise["rounds"], 1)
        for model in precise["models"]:
            self.assertTrue(model["dropped"] or model["log_evidence_se"] <= 0.02, model["log_evidence_se"])
        alone = json.loads(self.good("compare", "study.toml", "--json", "--quiet", "--no-pilot").stdout)
        self.assertEqual(len(alone["models"][0]["replicates"]), 1)
        self.assertIsNone(alone["models"][0]["pilot"])
        for model in alone["models"]:  # one run has only its own error
            self.assertEqual(model["log_evidence_se"], model["replicates"][0]["log_evidence_se"])
            low, high = model["log_evidence_interval"]
            self.assertAlmostEqual((high - low) / 2, 1.959964 * model["log_evidence_se"], places=6)
            self.assertIn(model["verdict"], ("trust", "run longer", "do not trust"))
            self.assertEqual(len(model["probability_interval"]), 2)

    def test_rounds_are_announced(self):
        self.write("study.toml", STUDY.replace("replicates = 1\n", "precision = 0.02\n"))
        done = self.good("compare", "study.toml", "--json")
        self.assertRegex(done.stderr, r"round 2 \(about [^)]+\): [^\n]*islands of \d+ particles \(error 0?\.\d+ so far\)")

    def test_the_command_line_chooses_the_method(self):
        done = self.good("compare", "study.toml", "--json", "--quiet", "--method", "bic")
        self.assertEqual(json.loads(done.stdout)["method"], "bic")

    def test_simulated_studies_run(self):
        for kind in ("gaussian-mixture", "goodwin", "linear-regression", "pet-compartments"):
            out = self.folder / kind
            self.good("simulate", kind, "--seed", 3, "--out", out)
            again = self.folder / (kind + "-again")
            self.good("simulate", kind, "--seed", 3, "--out", again)
            self.assertEqual((out / "data.csv").read_bytes(), (again / "data.csv").read_bytes())
            self.assertEqual(json.loads((out / "truth.json").read_text())["kind"], kind)
            if kind == "goodwin":  # the map of its own move takes minutes in a sanitized program
                text = (out / "study.toml").read_text()
                self.assertIn("[sampler]\n", text)
                (out / "study.toml").write_text(text.replace("[sampler]\n", "[sampler]\nown_moves = false\n"))
            done = self.good("compare", out / "study.toml", "--particles", 40, "--cess", 0.5, "--replicates", 1,
                             "--json", "--quiet")
            for model in json.loads(done.stdout)["models"]:
                self.assertEqual(model["kind"], kind)

    def test_impossible_data_end_the_run(self):
        # Nothing is in the blood until after the first frame, so no parameter predicts what that frame shows.
        self.write("plasma.csv", "time,CP\n0.5,0\n100,0\n110,1\n1000,1\n")
        self.write("data.csv", "time,dt,y\n50,50,1\n200,150,1\n400,200,1\n")
        self.write("study.toml", '[data]\nfile = "data.csv"\n[[model]]\nname = "one"\nkind = "pet-compartments"\n'
                                 'compartments = 1\ninput = "plasma.csv"\ninterpolation = "linear"\n')
        done = self.run_program("compare", "study.toml", "--quiet")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stderr, r"\Aevident: model 'one': [^\n]*-inf[^\n]*\n\Z")
        self.assertEqual(self.entries(), ["data.csv", "plasma.csv", "study.toml"])
