"""Bad formulas: file, line and column, the formula with a caret, and how to mend it."""
import re

from program import ProgramCase

STUDY = """\
[data]
file = "data.csv"
[sampler]
particles = 64
[[model]]
name = "line"
[model.parameters]
a = "normal(0, 10)"
sigma = "half-normal(1)"
[model.let]
mean = "a * x"
[model.likelihood]
y = "normal(mean, sigma)"
"""
DATA = "x,y,group\n1,2.5,north\n2,3.5,south\n3,7,north\n"


class BadFormulas(ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("data.csv", DATA)

    def pointed(self, old, new, place, told, shown, data=DATA):
        """`shown` is the formula with a caret: "a * xx|4" for a caret under its fifth character."""
        self.assertIn(old, STUDY)
        self.write("study.toml", STUDY.replace(old, new, 1))
        self.write("data.csv", data)
        before = self.entries()
        done = self.run_program("compare", "study.toml")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.entries(), before)
        formula, at = shown.rsplit("|", 1)
        lines = done.stderr.split("\n")
        self.assertEqual(len(lines), 4, done.stderr)
        self.assertRegex(lines[0], "^evident: study\\.toml:" + re.escape(place) + ": .*" + told)
        self.assertEqual(lines[1], "  " + formula)
        self.assertEqual(lines[2], "  " + " " * int(at) + "^")

    def test_unknown_names(self):
        self.pointed("a * x", "a * xx", "11:13", r"there is no name 'xx'; did you mean 'x'\?", "a * xx|4")
        self.pointed("normal(mean", "nromal(mean", "13:6", r"did you mean 'normal'\?", "nromal(mean, sigma)|0")
        self.pointed("normal(mean, sigma)", "normal(mean, sd=sgma)", "13:22", r"did you mean 'sigma'\?",
                     "normal(mean, sd=sgma)|16")
        self.pointed("normal(mean, sigma)", "normal(mean, sdd=sigma)", "13:6", r"no argument 'sdd'",
                     "normal(mean, sdd=sigma)|0")
        self.pointed("y = ", "yy = ", "13:1", r"there is no name 'yy'; did you mean 'y'\?", "yy|0")

    def test_syntax(self):
        self.pointed("a * x", "a * ", "11:13", "expected a number, a name", "a * |4")
        self.pointed("a * x", "a * (x + 1", "11:19", r"expected '\)'", "a * (x + 1|10")
        self.pointed("a * x", "a x", "11:11", "expected an operator", "a x|2")
        self.pointed("a * x", "2x", "11:10", r"write \*", "2x|1")
        self.pointed("a * x", "a $ x", "11:11", "expected an operator", "a $ x|2")
        self.pointed("a * x", "", "11:9", "the formula is empty", "|0")

    def test_priors(self):
        self.pointed("normal(0, 10)", "normal(0, -10)", "8:6", "sd > 0", "normal(0, -10)|0")
        self.pointed("normal(0, 10)", "uniform(0, inf)", "8:6", "finite", "uniform(0, inf)|0")
        self.pointed("normal(0, 10)", "poisson(3)", "8:6", "counts", "poisson(3)|0")
        self.pointed("normal(0, 10)", "3", "8:6", "needs a prior distribution", "3|0")
        self.pointed("half-normal(1)", "gamma(2, 1)", "9:10", "a rate or a scale", "gamma(2, 1)|0")
        self.pointed("half-normal(1)", "normal(x, 1)", "9:10", "may not change from row to row", "normal(x, 1)|0")

    def test_likelihoods(self):
        self.pointed("normal(mean, sigma)", "mean", "13:6", r"\[model\.log_likelihood\]", "mean|0")
        self.pointed("normal(mean, sigma)", "poisson(exp(mean))", "13:6", "2.5 in row 1 of 'y' cannot come from",
                     "poisson(exp(mean))|0")
        self.pointed("normal(mean, sigma)", "mixture([0.5, 0.6], normal(a, 1), normal(0, 1))", "13:6", "add up to 1",
                     "mixture([0.5, 0.6], normal(a, 1), normal(0, 1))|0")
        self.pointed("normal(mean, sigma)", "normal(group, sigma)", "13:6", "text can be an index",
                     "normal(group, sigma)|0")
        self.pointed("y = ", "group = ", "13:1", "only categorical distributions are for text", "group|0")

    def test_missing_value(self):
        self.write("study.toml", STUDY)
        self.write("data.csv", "x,y\n1,2\n2,\n")
        self.refused(r"data\.csv:3: column 'y': the value is missing; drop_missing = true", "compare", "study.toml")
