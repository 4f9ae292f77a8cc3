"""`tools/same_numbers` on small folders and files: what is equal passes, any difference is named."""
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/same_numbers"
DOCUMENT = {"models": [{"name": "one", "log_evidence": -12.300000000000002, "steps": 0.0, "reasons": []}], "rounds": 1}


def load_tool():
    loader = importlib.machinery.SourceFileLoader("same_numbers", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("same_numbers", loader))
    loader.exec_module(module)
    return module


class Folders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("before", "after"):
            (self.root / name).mkdir()
            self.write(name, "one", DOCUMENT)
            self.write(name, "two", {"rounds": 2})

    def write(self, folder, case, document):
        (self.root / folder / f"{case}.json").write_text(json.dumps(document), encoding="utf-8")

    def compare(self, *options):
        return subprocess.run([sys.executable, "-B", TOOL, "compare", "before", "after", *options], cwd=self.root,
                              capture_output=True, text=True, check=False)

    def assert_equal(self, *options):
        done = self.compare(*options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn(", 0 differ", done.stdout)

    def assert_differs(self, line, differing=1):
        done = self.compare()
        self.assertEqual(done.returncode, 1, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], line)
        self.assertEqual(lines[-1], f"2 cases, {differing} differ")
        self.assertEqual(len(lines), differing + 1)

    def change(self, **fields):
        self.write("after", "one", {**DOCUMENT, "models": [{**DOCUMENT["models"][0], **fields}]})

    def test_equal(self):
        self.assert_equal()

    def test_the_last_digit(self):
        self.change(log_evidence=-12.3)
        self.assert_differs("one: models[0].log_evidence -12.300000000000002 -> -12.3")

    def test_the_sign_of_zero(self):
        self.change(steps=-0.0)
        self.assert_differs("one: models[0].steps 0.0 -> -0.0")

    def test_a_number_that_becomes_null(self):
        self.change(steps=None)
        self.assert_differs("one: models[0].steps 0.0 -> null")

    def test_a_list_that_is_no_longer_empty(self):
        self.change(reasons=["bad"])
        self.assert_differs('one: models[0].reasons [] -> (missing); models[0].reasons[0] (missing) -> "bad"')

    def test_a_missing_key(self):
        self.write("after", "one", {"models": DOCUMENT["models"]})
        self.assert_differs("one: rounds 1 -> (missing)")

    def test_a_new_key(self):
        self.write("after", "one", {**DOCUMENT, "new": None})
        self.assert_differs("one: new (missing) -> null")

    def test_a_missing_file_on_either_side(self):
        (self.root / "after/one.json").unlink()
        (self.root / "before/two.json").unlink()
        self.assert_differs("one: there is no after/one.json", differing=2)

    def test_many_differences_are_cut_short(self):
        self.write("before", "two", list(range(9)))
        self.write("after", "two", list(range(1, 10)))
        self.assert_differs("two: [0] 0 -> 1; [1] 1 -> 2; [2] 2 -> 3; and 6 more")

    def test_only_some_cases(self):
        self.change(steps=1)
        self.assert_equal("--only", "tw*")

    def test_nothing_to_compare_is_refused(self):
        done = self.compare("--only", "three")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there are no such cases", done.stderr)


class Recorded(unittest.TestCase):
    """What of a file counts."""

    @classmethod
    def setUpClass(cls):
        cls.tool = load_tool()

    def content(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.write_text(text, encoding="utf-8")
            return self.tool.content(path)

    def test_times_are_left_out_of_documents(self):
        self.assertEqual(self.content("a.json", '{"x": [{"seconds": 3, "y": 1.0}], "evident": "0.1"}'), {"x": [{"y": 1.0}]})

    def test_times_are_left_out_of_tables_and_the_rest_counts(self):
        first = self.content("a.csv", "x,seconds\n1,5\n2,6\n")
        self.assertEqual(first, self.content("a.csv", "x,seconds\n1,7\n2,8\n"))
        self.assertNotEqual(first, self.content("a.csv", "x,seconds\n1,5\n2.0,6\n"))
        self.assertEqual(first["rows"], 2)

    def test_the_data_of_a_report_count(self):
        page = '<style></style><script type="application/json" id="data">{"a": 1, "seconds": 2}</script><script></script>'
        self.assertEqual(self.content("report.html", page), {"a": 1})


if __name__ == "__main__":
    unittest.main()
