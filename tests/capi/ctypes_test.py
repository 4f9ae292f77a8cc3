"""libevident_c.so from Python's ctypes: studies give the document of the program, callbacks give the right numbers.

    python3 ctypes_test.py LIBRARY PROGRAM NM [--no-reports]
"""
import ctypes as c
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

LIBRARY, PROGRAM, NM = sys.argv[1:4]
REPORTS = "--no-reports" not in sys.argv
OK, RUN_ERROR, INPUT_ERROR, CANCELLED = 0, 1, 2, 3

STUDY = """\
[data]
file = "data.csv"
[sampler]
particles = 64
cess = 0.9
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

Likelihood = c.CFUNCTYPE(c.c_double, c.c_void_p, c.POINTER(c.c_double))


class Parameter(c.Structure):
    _fields_ = [("name", c.c_char_p), ("prior", c.c_char_p)]


class Functions(c.Structure):
    """Only the members of the interface's beginning: `size` tells the library how many are known here."""
    _fields_ = [("size", c.c_size_t), ("user", c.c_void_p), ("log_likelihood", Likelihood)]


class Estimate(c.Structure):
    _fields_ = [(name, c.c_double) for name in ("value", "standard_error", "lower", "upper")]


def library():
    lib = c.CDLL(LIBRARY)
    for name in ("study_error", "result_error", "result_json", "result_model_name"):
        getattr(lib, f"evident_{name}").restype = c.c_char_p
    lib.evident_version.restype = c.c_char_p
    lib.evident_study_new.restype = c.c_void_p
    lib.evident_result_model_count.restype = c.c_size_t
    return lib


LIB = library()


class Study:
    def __init__(self):
        self.handle = c.c_void_p(LIB.evident_study_new())
        self.kept = []

    def __getattr__(self, name):
        return lambda *a: getattr(LIB, f"evident_study_{name}")(self.handle, *a)

    def message(self):
        return LIB.evident_study_error(self.handle).decode()

    def add(self, name, prior, function):
        parameter = Parameter(b"mu", prior)
        functions = Functions(c.sizeof(Functions), None, Likelihood(function))
        self.kept.append(functions)
        return self.add_model(name, c.c_double(1), c.byref(parameter), c.c_size_t(1), c.byref(functions))

    def result(self):
        out = c.c_void_p()
        return LIB.evident_study_run(self.handle, c.byref(out)), out

    def __del__(self):
        LIB.evident_study_free(self.handle)


def without_times(text):
    def strip(x):
        if isinstance(x, dict):
            return {k: 0 if "seconds" in k else strip(v) for k, v in x.items()}
        return [strip(v) for v in x] if isinstance(x, list) else x
    return json.dumps(strip(json.loads(text)))


class Capi(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "study.toml").write_text(STUDY)
        (self.folder / "data.csv").write_text(DATA)
        self.file = str(self.folder / "study.toml").encode()

    def run_well(self, study):
        status, result = study.result()
        self.assertEqual(status, OK, study.message())
        self.addCleanup(LIB.evident_result_free, result)
        return result

    def test_a_study_gives_the_document_of_the_program(self):
        done = subprocess.run([PROGRAM, "compare", "study.toml", "--json", "--quiet", "--seed", "11", "--islands", "4"],
                              cwd=self.folder, capture_output=True, text=True, check=True)
        study = Study()
        self.assertEqual(study.set(b"seed", b"11"), OK)
        self.assertEqual(study.set(b"islands", b"4"), OK)
        self.assertEqual(study.load(self.file), OK, study.message())
        found = LIB.evident_result_json(self.run_well(study)).decode()
        self.assertEqual(without_times(found), without_times(done.stdout))
        mask = lambda t: [line for line in t.splitlines() if "seconds" not in line]
        self.assertEqual(mask(found), mask(done.stdout))

        inline = Study()  # the same as a text, with settings that come after it
        self.assertEqual(inline.load_text(STUDY.encode(), self.file), OK, inline.message())
        self.assertEqual(inline.set(b"seed", b"11"), OK)
        self.assertEqual(inline.set(b"islands", b"4"), OK)
        self.assertEqual(mask(LIB.evident_result_json(self.run_well(inline)).decode()), mask(done.stdout))

    def test_a_loaded_study_can_be_run_again_after_a_cancel(self):
        study = Study()
        self.assertEqual(study.load(self.file), OK, study.message())
        self.assertEqual(study.set(b"replicates", b"1"), OK)
        study.cancel()
        self.assertEqual(study.result()[0], CANCELLED)
        self.run_well(study)

    def test_reports_and_folders(self):
        study = Study()
        study.load(self.file)
        study.set(b"replicates", b"1")
        result = self.run_well(study)
        folder = str(self.folder / "out").encode()
        self.assertEqual(LIB.evident_result_write_folder(result, folder, 0), OK)
        self.assertTrue((self.folder / "out" / "result.json").exists())
        self.assertEqual(LIB.evident_result_write_folder(result, folder, 0), INPUT_ERROR)
        self.assertIn(b"exists; give force = 1 to replace it", LIB.evident_result_error(result))
        self.assertEqual(LIB.evident_result_write_folder(result, folder, 1), OK)
        notes = self.folder / "out" / "notes.txt"
        notes.write_text("mine")
        self.assertEqual(LIB.evident_result_write_folder(result, folder, 1), INPUT_ERROR)
        self.assertIn(b"'notes.txt' is not among the files that evident wrote", LIB.evident_result_error(result))
        self.assertEqual(notes.read_text(), "mine")
        notes.unlink()
        self.assertEqual(LIB.evident_result_write_report(result, None), INPUT_ERROR)
        self.assertEqual(LIB.evident_result_write_report(result, str(self.folder).encode()), INPUT_ERROR)
        page = self.folder / "page.html"
        status = LIB.evident_result_write_report(result, str(page).encode())
        if REPORTS:
            self.assertEqual(status, OK, LIB.evident_result_error(result))
            self.assertEqual(page.read_bytes(), (self.folder / "out" / "report.html").read_bytes())
            self.assertNotEqual(LIB.evident_result_write_report(result, b"/nowhere/page.html"), OK)
        else:
            self.assertEqual(status, RUN_ERROR)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir() if p.suffix == ".part"), [])

    def test_settings_that_belong_into_the_study(self):
        study = Study()
        self.assertEqual(study.set(b"kernel", b"mala"), OK)
        self.assertEqual(study.load(self.file), INPUT_ERROR)
        self.assertIn("belongs into [sampler]", study.message())
        self.assertEqual(Study().load_text(b"", self.file), INPUT_ERROR)

    def test_code_needs_leave(self):
        (self.folder / "study.toml").write_text('[[model]]\nname = "m"\nkind = "process"\ncommand = ["true"]\n'
                                                '[model.parameters]\nmu = "normal(0, 1)"\n')
        study = Study()
        self.assertEqual(study.load(self.file), INPUT_ERROR)
        self.assertTrue(study.message().endswith("add evident_study_allow_code(study, 1)"), study.message())

    def test_settings_have_their_names_in_messages(self):
        study = Study()
        study.set(b"islands", b"4")
        study.set(b"replicates", b"2")
        self.assertEqual(study.load(self.file), INPUT_ERROR)
        self.assertIn("setting 'replicates' has no effect with setting 'islands'", study.message())

    def callback_study(self, function):
        study = Study()
        for key, value in ((b"particles", b"200"), (b"islands", b"4"), (b"threads", b"1")):
            self.assertEqual(study.set(key, value), OK)
        self.assertEqual(study.add(b"one", b"normal(0, 1)", function), OK, study.message())
        return study

    def test_a_likelihood_in_python(self):
        study = self.callback_study(lambda _, theta: -0.5 * (math.log(2 * math.pi) + (1 - theta[0]) ** 2))
        result = self.run_well(study)
        z = Estimate()
        self.assertEqual(LIB.evident_result_log_evidence(result, c.c_size_t(0), c.byref(z)), OK)
        exact = -0.5 * (math.log(2 * math.pi) + math.log(2) + 0.5)
        self.assertLess(abs(z.value - exact), 5 * z.standard_error)
        self.assertLess(z.standard_error, 0.1)

    def test_cancelled_from_another_thread(self):
        started = threading.Event()
        slow = self.callback_study(lambda _, theta: started.set() or -1e6 * (theta[0] - 1) ** 2)
        self.assertEqual(slow.set(b"particles", b"100000"), OK)
        thread = threading.Thread(target=lambda: (started.wait(60), slow.cancel()))
        thread.start()
        status, result = slow.result()
        thread.join()
        self.assertEqual(status, CANCELLED, slow.message())
        self.assertFalse(result)

    def test_a_handle_in_use(self):
        seen = []
        study = self.callback_study(lambda _, theta: (seen.append(study.set(b"seed", b"3")) or -theta[0] ** 2))
        self.run_well(study)
        self.assertEqual(set(seen), {INPUT_ERROR})

    def test_only_the_interface_is_exported(self):
        done = subprocess.run([NM, "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True)
        names = [line.split()[-1] for line in done.stdout.splitlines()]
        self.assertIn("evident_study_run", names)
        self.assertEqual([n for n in names if not n.startswith("evident_")], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
