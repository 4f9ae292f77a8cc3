"""The command reference and the man pages say what the program takes."""
import re
import shutil
import subprocess
import tempfile
import pathlib
import unittest

from program_under_test import PROGRAM, SOURCES, commands, main, options, run


class Markdown(unittest.TestCase):
    def test_is_what_the_program_prints(self):
        for kind, file in (("markdown", "docs/commands.md"), ("options", "docs/options.md"),
                           ("python", "python/evident/_options.py")):
            self.assertEqual((SOURCES / file).read_text(), run("reference", "--format", kind),
                             f"{file} is old; make it again: build/release/evident reference --format {kind} > {file}")

    def test_has_every_command_and_option(self):
        text = run("reference", "--format", "markdown")
        names = commands()
        self.assertGreater(len(names), 12)
        for command in names:
            title = re.escape("evident " + " ".join(command))
            section = re.search(rf"^##+ {title}\n(.*?)(?=^##|\Z)", text, re.M | re.S)
            self.assertIsNotNone(section, title)
            for option in options(command):
                if option not in ("-h", "--help"):
                    self.assertRegex(section[1], rf"(?m)^\| `[^`]*{option}\b", command)

    def test_every_entry_is_described(self):
        rows = re.findall(r"^\| (`.*`|\[.*\)) \| (.*) \|$", run("reference", "--format", "markdown"), re.M)
        self.assertGreater(len(rows), 100)
        for name, text in rows:
            self.assertGreater(len(text.strip()), 5, name)

    def test_hidden_commands_stay_hidden(self):
        self.assertNotIn("evident reference", run("--help"))
        self.assertNotIn("## evident reference", run("reference", "--format", "markdown"))
        self.assertNotIn("reference", run("complain", status=2))


class ManPages(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.share = pathlib.Path(temporary.name) / "share"
        run("reference", "--out", self.share)
        self.pages = sorted((self.share / "man" / "man1").iterdir())

    def test_every_command_has_one(self):
        expected = ["evident.1"] + [f"evident-{c[0]}.1" for c in commands() if len(c) == 1]
        self.assertEqual([p.name for p in self.pages], sorted(expected))

    def test_format_man_prints_the_same(self):
        self.assertEqual(run("reference", "--format", "man"), (self.share / "man/man1/evident.1").read_text())
        self.assertEqual(run("reference", "--format", "man", "--command", "compare"),
                         (self.share / "man/man1/evident-compare.1").read_text())

    def render(self, page):
        if not shutil.which("groff"):
            self.skipTest("skipped: there is no groff")
        # Everything that groff can complain of, as `man --warnings` asks for.
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=100n", page], capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
        return done.stdout

    def test_render_without_warnings_and_tell_every_option(self):
        for page in self.pages:
            text = self.render(page)
            for heading in ("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"):
                self.assertRegex(text, rf"(?m)^{heading}$", page.name)
            name = page.stem.removeprefix("evident").lstrip("-")
            for command in commands():
                if command[0] == name:
                    for option in options(command):
                        self.assertIn(option, text)

    def test_examples_can_be_copied(self):
        text = self.render(self.share / "man/man1/evident-compare.1")
        self.assertIn("evident compare study.toml --json --quiet | jq '.models[] | {name, probability}'", text)

    def test_mandoc_accepts_them(self):
        if not shutil.which("mandoc"):
            self.skipTest("skipped: there is no mandoc")
        for page in self.pages:
            found = subprocess.run(["mandoc", "-Tlint", "-Wwarning", page], capture_output=True, text=True).stdout
            # The pages have no date, so that two builds of a version are the same.
            found = [line for line in found.splitlines() if "missing date" not in line]
            self.assertEqual(found, [])

    def test_wrong_use(self):
        for arguments in ([], ["--format", "pdf"], ["--format", "bash", "--command", "compare"],
                          ["--format", "man", "--command", "nothing"], ["--format", "man", "--out", "x"]):
            self.assertRegex(run("reference", *arguments, status=2), r"\Aevident: [^\n]+\n\Z")


main()
