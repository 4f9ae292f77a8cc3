"""A study reads data below its own folder only, and runs nothing, unless whoever runs it allows more."""
import os

from program import DATA, STUDY, ProgramCase

REFUSED = r"study\.toml:2: 'file' in \[data\] names '.*', which lies outside of the study's folder; .* add --allow-outside"


class Outside(ProgramCase):
    def setUp(self):
        super().setUp()
        (self.folder / "inner/below").mkdir(parents=True)
        self.write("inner/below/data.csv", DATA)
        self.write("secret.csv", DATA)

    def study(self, file):
        self.write("inner/study.toml", STUDY.replace('"data.csv"', f'"{file}"'))

    def all_refuse(self, pattern=REFUSED):
        for command in (("compare",), ("check",), ("batch", "--groups", "y")):
            self.refused(pattern, command[0], "inner/study.toml", *command[1:])

    def accepted(self, *more):
        done = self.run_program("compare", "inner/study.toml", "--json", "--quiet", *more)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_ways_out(self):
        os.symlink("../secret.csv", self.folder / "inner/link.csv")
        os.symlink("..", self.folder / "inner/up")
        for file in ("../secret.csv", "below/../../secret.csv", "link.csv", "up/secret.csv", str(self.folder / "secret.csv"),
                     "/etc/passwd", "../does-not-exist.csv", "/dev/stdin"):
            self.study(file)
            self.all_refuse()
        for file in ("../secret.csv", "link.csv", str(self.folder / "secret.csv")):
            self.study(file)
            self.accepted("--allow-outside")
            done = self.run_program("check", "inner/study.toml", "--quick", "--draws", 100, "--allow-outside")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.study("../does-not-exist.csv")
        self.refused(r"inner/\.\./does-not-exist\.csv', which does not exist", "compare", "inner/study.toml", "--allow-outside")

    def test_ways_in(self):
        os.symlink("below/data.csv", self.folder / "inner/data.csv")
        for file in ("below/data.csv", "./below/../below/data.csv", "data.csv", str(self.folder / "inner/below/data.csv")):
            self.study(file)
            self.accepted()
        self.study("../secret.csv")
        self.accepted("--data", "secret.csv")  # what is named by hand is not restricted
        os.symlink("inner/study.toml", self.folder / "other.toml")  # the folder is that of the name that was given
        self.study("below/data.csv")
        self.refused("other.toml:2: .*'below/data.csv', which does not exist", "compare", "other.toml")

    def test_other_tables(self):
        self.write("inner/study.toml", '[data]\nfile = "below/data.csv"\n[[model]]\nname = "p"\nkind = "pet-compartments"\n'
                                       'compartments = 1\ninput = "../secret.csv"\n')
        self.refused(r"study\.toml:7: 'input' in .*lies outside of the study's folder", "compare", "inner/study.toml")

    def test_no_way_to_code(self):
        """Every command that builds models."""
        for kind in ('kind = "process"\ncommand = ["touch", "proof"]', 'kind = "library"\nlibrary = "/lib/proof.so"'):
            self.write("study.toml", f'[data]\nfile = "data.csv"\n[[model]]\nname = "own"\n{kind}\n[model.parameters]\nm = "normal(0, 1)"\n')
            for command in (("compare", "study.toml"), ("check", "study.toml"), ("compare", "study.toml", "--allow-outside"),
                            ("batch", "study.toml", "--data", "data.csv"), ("batch", "study.toml", "--groups", "y")):
                self.refused("runs code that is not evident's own.* add --allow-code", *command)
        self.assertFalse((self.folder / "proof").exists())
