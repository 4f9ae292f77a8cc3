"""One version, that of project() in CMakeLists.txt, everywhere."""
import re
import unittest

from program_under_test import SOURCES, main, run


def read(name):
    return (SOURCES / name).read_text()


VERSION = re.search(r"^project\(evident VERSION (\S+)", read("CMakeLists.txt"), re.M)[1]


class Version(unittest.TestCase):
    def test_is_semantic(self):
        self.assertRegex(VERSION, r"\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)\Z")

    def test_program(self):
        self.assertRegex(run("--version"), rf"\Aevident {re.escape(VERSION)}( \(commit [^()]+\))?\n\Z")

    def test_python_package_takes_it_from_there(self):
        text = read("pyproject.toml")
        self.assertIn('dynamic = ["version"]', text)
        self.assertRegex(text, r'metadata\.version\.input = "CMakeLists\.txt"')
        regex = re.search(r"metadata\.version\.regex = '(.*)'", text)[1]
        self.assertEqual(re.search(regex, read("CMakeLists.txt"))["value"], VERSION)

    def test_citation(self):
        self.assertEqual(re.search(r"^version: (\S+)$", read("CITATION.cff"), re.M)[1], VERSION)

    def test_changelog(self):
        """The newest release is this version, or this version is still to be released."""
        headings = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", read("CHANGELOG.md"), re.M)
        self.assertEqual(headings[0], ("Unreleased", ""))
        released = [name for name, date in headings[1:]]
        self.assertTrue(all(date for name, date in headings[1:]), "a release has a date: ## [1.2.3] - 2026-01-31")
        if VERSION in released:
            self.assertEqual(released[0], VERSION)
        else:
            key = lambda v: tuple(map(int, v.split(".")))
            self.assertTrue(all(key(name) < key(VERSION) for name in released))


main()
