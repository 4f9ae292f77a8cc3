"""Help, version and the list of kinds."""
from program import ProgramCase


class Usage(ProgramCase):
    def shown(self, *arguments):
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_version(self):
        self.assertRegex(self.shown("--version"), r"\Aevident \d+\.\d+\.\d+\n\Z")

    def test_help_of_every_command_has_examples(self):
        text = self.shown("--help")
        for command in ("compare", "models", "simulate"):
            self.assertIn(command, text)
            self.assertRegex(self.shown(command, "--help"), r"Examples:\n  evident " + command)
        for kind in ("gaussian-mixture", "goodwin", "pet-compartments"):
            self.assertRegex(self.shown("simulate", kind, "--help"), r"Examples:\n  evident simulate " + kind)

    def test_help_names_every_option(self):
        text = self.shown("compare", "--help")
        for option in ("--particles", "--cess", "--seed", "--threads", "--replicates", "--model", "--out", "--force",
                       "--json", "--quiet"):
            self.assertIn(option, text)

    def test_models(self):
        everything = self.shown("models")
        for kind in ("gaussian-mixture", "goodwin", "pet-compartments"):
            self.assertIn(kind, everything)
            self.assertIn(self.shown("models", kind), everything)
        self.assertRegex(self.shown("models", "gaussian-mixture"), r"\n  components .*\n +\(whole number; required\)\n")
        self.assertIn("resample_threshold", self.shown("models", "--sampler"))
