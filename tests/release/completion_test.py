"""Completion in bash, zsh and fish."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program_under_test import PROGRAM, commands, main, options, run

# What bash does when Tab is pressed: splits the line, calls the function, and looks at COMPREPLY.
BASH = r"""
source "$1"; shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_evident evident "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        run("reference", "--out", cls.folder / "share")
        cls.work = cls.folder / "work"
        for folder in ("results", "with space"):
            (cls.work / folder).mkdir(parents=True)
        for name in ("study.toml", "data.csv", "draws.nc", "with space/study.toml"):
            (cls.work / name).write_text("")

    def script(self, shell):
        return self.folder / "share" / {"bash": "bash-completion/completions/evident", "zsh": "zsh/site-functions/_evident",
                                        "fish": "fish/vendor_completions.d/evident.fish"}[shell]

    def parses(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"skipped: there is no {shell}")
        done = subprocess.run([shell, "-n", self.script(shell)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.script(shell).read_text(), run("reference", "--format", shell))

    def offered(self, *words):
        done = subprocess.run(["bash", "--norc", "-c", BASH, "bash", self.script("bash"), "evident", *words],
                              capture_output=True, text=True, cwd=self.work)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout.split("\n")[:-1] if done.stdout != "\n" else []


class Bash(Completion):
    def test_parses(self):
        self.parses("bash")

    def test_commands(self):
        self.assertEqual(sorted(self.offered("")), sorted(c[0] for c in commands() if len(c) == 1))
        self.assertEqual(self.offered("comp"), ["compare"])
        self.assertEqual(sorted(self.offered("simulate", "")), sorted(c[1] for c in commands() if c[0] == "simulate" and len(c) > 1))
        self.assertEqual(self.offered("nothing"), [])

    def test_every_option_of_every_command(self):
        for command in commands():
            self.assertEqual(sorted(self.offered(*command, "-")), sorted(options(command)))

    def test_values(self):
        self.assertIn("population-mcmc", self.offered("compare", "study.toml", "--method", "p"))
        self.assertEqual(self.offered("compare", "study.toml", "--method", "=", "chi"), ["chib"])
        self.assertIn("direct", self.offered("compare", "study.toml", "--method", "="))
        self.assertEqual(sorted(self.offered("pet", "--noise", "")), ["normal", "t"])
        self.assertEqual(self.offered("models", "good"), ["goodwin"])
        self.assertEqual(self.offered("new", "model", "mine", "--language", "p"), ["python"])
        self.assertEqual(self.offered("compare", "study.toml", "--cess", ""), [])  # a number: the user's own

    def test_files(self):
        self.assertEqual(sorted(self.offered("compare", "")), ["results", "study.toml", "with space"])
        self.assertEqual(self.offered("compare", "with space/"), ["with space/study.toml"])
        self.assertEqual(sorted(self.offered("compare", "--data", "d")), ["data.csv", "draws.nc"])
        self.assertEqual(self.offered("compare", "--netcdf", "d"), ["draws.nc"])
        self.assertEqual(sorted(self.offered("report", "")), ["results", "with space"])
        self.assertEqual(self.offered("compare", "study.toml", "--out", "res"), ["results"])


class Words(Completion):
    """What completion offers, the program takes."""

    def test_words_of_pet(self):
        for option in ("--noise", "--noise-dt", "--frame", "--interpolation", "--preset", "--fill", "--delay",
                       "--decay-corrected", "--model-decay", "--time-unit"):
            words = self.offered("pet", option, "")
            self.assertTrue(words, option)
            for word in words:  # it complains of the image, which is looked at after the options
                self.assertIn("--image", run("pet", option, word, "--image", "none", "--out", "x", status=2))
            self.assertIn(option, run("pet", option, "nonsense", "--image", "none", "--out", "x", status=2))

    def test_words_of_others(self):
        for word in self.offered("models", ""):
            self.assertIn(word, run("models", word))
        for word in self.offered("compare", "--method", ""):
            self.assertIn("none.toml", run("compare", "none.toml", "--method", word, status=2))
        for word in self.offered("new", "model", "--language", ""):
            self.assertIn("study.toml", run("new", "model", self.folder / f"new-{word}", "--language", word))
        for option in ("--noise", "--truth"):
            for word in self.offered("simulate", "pet-image", option, ""):
                run("simulate", "pet-image", "--voxels", "20", option, word, "--out", self.folder / f"sim{option}-{word}")


class Zsh(Completion):
    def test_parses(self):
        self.parses("zsh")


class Fish(Completion):
    def test_parses(self):
        self.parses("fish")

    def offered(self, line):
        if not shutil.which("fish"):
            self.skipTest("skipped: there is no fish")
        done = subprocess.run(["fish", "--no-config", "-c", f"source {self.script('fish')}; complete -C '{line}'"],
                              capture_output=True, text=True, cwd=self.work,
                              env={**os.environ, "HOME": str(self.folder), "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"})
        self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        return [entry.split("\t")[0] for entry in done.stdout.splitlines()]

    def test_completes(self):
        self.assertEqual(sorted(self.offered("evident ")), sorted(c[0] for c in commands() if len(c) == 1))
        self.assertIn("goodwin", self.offered("evident simulate "))
        self.assertIn("--sigma", self.offered("evident simulate goodwin --"))
        self.assertNotIn("--method", self.offered("evident simulate goodwin --"))
        self.assertEqual(self.offered("evident compare study.toml --method chi"), ["chib"])
        self.assertIn("study.toml", self.offered("evident compare "))
        self.assertEqual(self.offered("evident compare study.toml --cess "), [])


main()
