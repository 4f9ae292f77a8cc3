"""Runs the program in a folder of its own, for the tests."""
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = None  # set by program_test.py
REPORTS = True  # was the program built with HTML reports?

STUDY = """\
[data]
file = "data.csv"

[sampler]
particles = 64
cess = 0.9
replicates = 1
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


class ProgramCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.write("study.toml", STUDY)
        self.write("data.csv", DATA)

    def write(self, name, text):
        data = text if isinstance(text, bytes) else text.encode()
        (self.folder / name).write_bytes(data)

    def run_program(self, *arguments, **options):
        options.setdefault("timeout", 300)
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              **options)

    def entries(self):
        return sorted(p.name for p in self.folder.iterdir())

    def refused(self, pattern, *arguments):
        """Bad input: exit 2, one line on standard error, nothing on standard output, nothing written."""
        before = self.entries()
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"\Aevident: [^\n]+\n\Z")
        self.assertRegex(done.stderr, pattern)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.entries(), before)
