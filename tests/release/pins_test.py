"""What builds the wheel, the reports and the site is fixed: exact versions, and hashes of what is downloaded."""
import json
import re
import unittest

from program_under_test import SOURCES, main

LISTS = sorted(SOURCES.glob("*/requirements*.in"))


def pinned(text):
    """Name -> (version, number of hashes) of a list that tools/pin made."""
    out, name = {}, None
    for line in text.splitlines():
        if m := re.match(r"([A-Za-z0-9_.-]+)==(\S+)", line):
            name = m[1].lower()
            out[name] = (m[2], 0)
        if "--hash=sha256:" in line:
            out[name] = (out[name][0], out[name][1] + 1)
    return out


def chosen(text):
    return {m[1].lower().replace("_", "-"): m[2] for m in re.finditer(r"^([A-Za-z0-9_.-]+)==(\S+)", text, re.M)}


class Pins(unittest.TestCase):
    def test_lists_of_python_have_hashes(self):
        self.assertEqual([file.name for file in LISTS], ["requirements.in", "requirements-build.in", "requirements-test.in"])
        for file in LISTS:
            made = pinned(file.with_suffix(".txt").read_text())
            for name, (version, hashes) in made.items():
                self.assertGreater(hashes, 0, f"{file.stem}: {name}")
            for name, version in chosen(file.read_text()).items():
                self.assertEqual(made[name][0], version, f"{file.stem}: {name}; tools/pin makes the list again")

    def test_they_are_installed_with_hashes_only(self):
        for tool in ("setup", "docs", "package"):
            for line in (SOURCES / "tools" / tool).read_text().splitlines():
                if "pip install" in line:
                    self.assertIn("--require-hashes", line, f"tools/{tool}")

    def test_the_wheel_is_built_with_what_the_project_names(self):
        requires = re.search(r"^requires = \[(.*)\]", (SOURCES / "pyproject.toml").read_text(), re.M)[1]
        named = dict(re.findall(r'"([\w-]+)==([\w.]+)"', requires))
        self.assertEqual(len(named), requires.count('"') // 2, "an exact version each")
        self.assertEqual(named, chosen((SOURCES / "python/requirements-build.in").read_text()))

    def test_web_packages_have_hashes(self):
        packages = json.loads((SOURCES / "web/package-lock.json").read_text())["packages"]
        for path, entry in packages.items():
            self.assertTrue(not path or entry.get("integrity", "").startswith("sha512-"), path)
        for section in ("dependencies", "devDependencies"):
            for name, version in json.loads((SOURCES / "web/package.json").read_text())[section].items():
                self.assertRegex(version, r"\A\d+\.\d+\.\d+\Z", name)


main()
