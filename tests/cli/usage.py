"""Help, version and the list of kinds."""
import json
import re

from program import ProgramCase


class Usage(ProgramCase):
    def shown(self, *arguments):
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_version(self):
        self.assertRegex(self.shown("--version"), r"\Aevident \d+\.\d+\.\d+( \(commit [0-9a-f]{12}(, changed)?\))?\n\Z")

    def test_help_of_every_command_has_examples(self):
        text = self.shown("--help")
        for command in ("batch", "compare", "gather", "methods", "models", "simulate"):
            self.assertIn(command, text)
            self.assertRegex(self.shown(command, "--help"), r"Examples:\n  evident " + command)
        for kind in ("gaussian-mixture", "goodwin", "linear-regression", "pet-compartments", "pet-image"):
            self.assertRegex(self.shown("simulate", kind, "--help"), r"Examples:\n  evident simulate " + kind)

    def test_help_names_every_option(self):
        text = self.shown("compare", "--help")
        for option in ("--method", "--particles", "--cess", "--seed", "--threads", "--replicates", "--model", "--out", "--force",
                       "--json", "--quiet"):
            self.assertIn(option, text)

    def test_models(self):
        everything = self.shown("models")
        for kind in ("gaussian-mixture", "goodwin", "linear-regression", "pet-compartments"):
            self.assertIn(kind, everything)
            self.assertIn(self.shown("models", kind), everything)
        self.assertRegex(self.shown("models", "gaussian-mixture"), r"\n  components .*\n +\(whole number; required\)\n")
        self.assertIn("it runs only with --allow-code\n", self.shown("models", "library"))
        self.assertIn("resample_threshold", self.shown("models", "--sampler"))
        self.assertRegex(self.shown("models", "--sampler"), r"\n  thin .*\n.*\n +with rjmcmc\n")
        self.assertRegex(self.shown("models", "gaussian-mixture"), r"As \[family\].*\n\n  components ")

    def test_methods(self):
        text = self.shown("methods")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        document = json.loads(self.shown("methods", "--json"))
        self.assertEqual(len(document["methods"]), 10)
        self.assertEqual(len(document["strengths"]), 7)
        for method in document["methods"]:
            marks = [{"yes": "yes", "no": ".", "partly": "partly"}[method["strengths"][row["key"]]]
                     for row in document["strengths"]]
            self.assertRegex(text, rf"\n  {method['name']} +" + " +".join(map(re.escape, marks)) + r"\n")
        self.assertEqual([m["name"] for m in document["methods"] if m["strengths"]["countable"] == "yes"],
                         ["all-in-one", "rjmcmc"])
