"""tools/sbom: what the program asks the loader for is in the document, and all in it has a version and a licence."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from program_under_test import PROGRAM, SOURCES, main


def made():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "evident.cdx.json"
        subprocess.run([sys.executable, "-B", SOURCES / "tools/sbom", PROGRAM.parent, file], check=True, timeout=250)
        return file.read_text()


class Sbom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = made()
        cls.document = json.loads(cls.text)

    def names(self):
        return {part["name"] for part in self.document["components"]}

    def test_is_what_it_says(self):
        self.assertEqual((self.document["bomFormat"], self.document["specVersion"]), ("CycloneDX", "1.5"))
        for part in self.document["components"]:
            self.assertTrue(part["version"] and part["purl"], part["name"])
            self.assertTrue(part["licenses"][0]["license"]["name"], part["name"])
        references = [part["bom-ref"] for part in self.document["components"]]
        self.assertEqual(len(references), len(set(references)))
        self.assertEqual(self.document["dependencies"][0]["dependsOn"], references)

    def test_has_every_library_that_is_linked(self):
        needed = re.findall(r"\(NEEDED\).*\[(lib\w+?)(?:-\d[\d.]*)?\.so", subprocess.run(
            ["readelf", "-dW", PROGRAM], capture_output=True, text=True, check=True).stdout)
        self.assertIn("libtbb", needed)
        package = {"libz": "zlib1g", "libm": "libc6", "libc": "libc6", "libgcc_s": "libgcc-s1"}
        for library in needed:
            known = package.get(library, library)
            if not library.startswith("libevident"):
                self.assertTrue(any(name.startswith(known) for name in self.names()), library)

    def test_has_what_is_compiled_in_and_bundled(self):
        for name in ("libeigen3-dev", "libcli11-dev", "nlohmann-json3-dev", "libboost1.74-dev", "echarts", "zrender", "nanobind"):
            self.assertIn(name, self.names())
        self.assertNotIn("libgtest-dev", self.names())

    def test_again_the_same(self):
        self.assertEqual(made(), self.text)


main()
