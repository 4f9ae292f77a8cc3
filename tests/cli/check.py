"""evident check: what it tells of sound and of unsound studies."""
import json
import pathlib

from program import STUDY, ProgramCase

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def without_times(document):
    for model in document["models"]:
        del model["seconds_per_likelihood"], model["forecast"]
    return document


class Check(ProgramCase):
    def check(self, *more, study="study.toml"):
        done = self.run_program("check", study, "--json", *more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_text(self):
        done = self.run_program("check", "study.toml", "--draws", "200")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for pattern in (r"(?m)^one \(gaussian-mixture\)$", r"200 draws of the prior: 0 % impossible",
                        r"draws and density agree", r"derivatives agree with differences",
                        r"for a log likelihood, on one thread",
                        r"forecast +about \d+ steps and .* evaluations a run, 1 run; about .* evaluations and .* in all\n",
                        r"modes +(at least )?\d+ found by climbs from \d+ starts", r"No problems found\.\n\Z"):
            self.assertRegex(done.stdout, pattern)
        self.assertEqual(self.entries(), ["data.csv", "study.toml"])

    def test_same_for_the_same_seed(self):
        one, three = self.check("--threads", "1", "--quick"), self.check("--threads", "3", "--quick")
        self.assertEqual(without_times(one), without_times(three))
        self.assertNotEqual(one, without_times(self.check("--seed", "5", "--quick")))

    def test_forecast_is_near(self):
        forecast = self.check("--model", "two")["models"][0]["forecast"]
        done = self.run_program("compare", "study.toml", "--model", "two", "--json", "--quiet")
        model = json.loads(done.stdout)["models"][0]
        self.assertEqual(forecast["runs"], 1)
        self.assertLess(abs(forecast["steps"] / model["steps"] - 1), 0.5)
        self.assertLess(abs(forecast["evaluations"] / model["likelihood_evaluations"] - 1), 0.5)

    def test_forecast_of_a_comparison_with_islands(self):
        self.write("study.toml", STUDY.replace("replicates = 1", "islands = 4"))
        forecast = self.check("--model", "one", "--threads", "1")["models"][0]["forecast"]
        done = self.run_program("compare", "study.toml", "--model", "one", "--json", "--quiet")
        model = json.loads(done.stdout)["models"][0]
        self.assertEqual(forecast["runs"], 5)
        self.assertEqual([s["name"] for s in forecast["stages"]][:5], ["modes", "pilot", "islands", "checks", "probe"])
        for key in ("evaluations", "cpu_seconds"):
            self.assertAlmostEqual(sum(s[key] for s in forecast["stages"]) / forecast["whole"][key], 1)
        self.assertEqual(forecast["seconds"], forecast["whole"]["seconds"])
        self.assertLess(forecast["least"]["evaluations"], forecast["most"]["evaluations"])
        ratio = forecast["whole"]["evaluations"] / model["likelihood_evaluations"]
        self.assertTrue(0.5 < ratio < 2, ratio)
        text = self.run_program("check", "study.toml", "--model", "one").stdout
        self.assertRegex(text, r"forecast +about .* a run, 5 runs; about .* in all.* up to .* if ")

    def test_every_kind(self):
        for example in ("mixture", "pet", "regression"):
            for study in sorted((EXAMPLES / example).glob("*.toml")):
                for model in self.check("--quick", "--draws", "100", study=study)["models"]:
                    self.assertEqual([f for f in model["findings"] if f["level"] == "problem"], [])
                    self.assertGreater(model["seconds_per_likelihood"], 0)

    def test_family(self):
        head = STUDY[:STUDY.index("[sampler]")]
        self.write("study.toml", head + '[sampler]\nmethod = "all-in-one"\n[family]\nkind = "gaussian-mixture"\n'
                   'components = "uniform(1, 3)"\n')
        document = self.check("--draws", "100")
        self.assertEqual(len(document["models"]), 3)
        self.assertIsNone(document["models"][0]["forecast"])
        self.assertEqual(len(document["models"][0]["modes"]["found"]), 1)
        self.assertIsNone(self.check("--draws", "100", "--quick")["models"][0]["modes"])

    def problem(self, script, pattern):
        self.write("model.py", "import math, random, sys\nfor line in sys.stdin:\n    w = line.split()\n"
                   "    if w[0] == 'begin': print('ready', flush=True)\n    if w[0] == 'batch':\n"
                   "        theta = [float(sys.stdin.readline()) for _ in range(int(w[2]))]\n"
                   f"        for i, x in enumerate(theta): print({script})\n        print('done', w[1], flush=True)\n")
        self.write("study.toml", '[[model]]\nname = "own"\nkind = "process"\ncommand = ["python3", "model.py"]\n'
                   '[model.parameters]\nmu = "normal(0, 1)"\n')
        done = self.run_program("check", "study.toml", "--allow-code", "--quick", "--draws", "200")
        self.assertEqual((done.returncode, done.stderr), (1, "evident: a problem was found in model 'own'\n"))
        self.assertRegex(done.stdout, "PROBLEM .*" + pattern)

    def test_problems(self):
        self.problem("'-inf'", "no draw of the prior can have made the data: of 200 log likelihoods 200 are -inf")
        self.problem("'nan' if x > 1 else -x * x", r"the log likelihood is NaN for \d\d of 200 draws")
        self.problem("-x * x + 1e-9 * i", "changed when it was asked for again in another order")
        self.problem("-x * x + random.random()", "changed when it was asked for again in another order")

    def test_bad_input(self):
        self.refused(r"--draws must be a whole number between 16 and 1000000, was '3'", "check", "study.toml", "--draws", "3")
        self.refused(r"cannot be opened", "check", "nowhere.toml")
        self.refused(r"has no model of that name", "check", "study.toml", "--model", "nine")
