"""The same seed gives the same numbers from Python and from the program; the C++ library is what both run."""
import ctypes
import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest

import evident
from evident import _program

STUDY = """
[data]
file = "data.csv"
[sampler]
particles = 300
seed = 11
[[model]]
name = "flat"
parameters.a = "normal(0, 5)"
likelihood.y = "normal(a, 1)"
[[model]]
name = "line"
parameters.a = "normal(0, 5)"
parameters.b = "normal(0, 2)"
likelihood.y = "normal(a + b*t, 1)"
"""


def without_seconds(value):
    if isinstance(value, dict):
        return {k: without_seconds(v) for k, v in value.items() if "seconds" not in k}
    return [without_seconds(v) for v in value] if isinstance(value, list) else value


@pytest.fixture
def study(tmp_path):
    t = np.linspace(0, 3, 25)
    y = 0.4 * t + np.random.default_rng(5).normal(size=25)
    (tmp_path / "data.csv").write_text("t,y\n" + "".join(f"{a!r},{b!r}\n" for a, b in zip(t.tolist(), y.tolist())))
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path / "study.toml", t, y


def test_program_and_python(study):
    file, t, y = study
    printed = subprocess.run([str(_program.program()), "compare", str(file), "--json", "--quiet"], check=True,
                             capture_output=True, text=True).stdout
    program = json.loads(printed)
    here = evident.compare(file)
    assert without_seconds(here.document) == without_seconds(program)
    models = evident.study_models(file)
    listed = evident.compare(models.values(), seed=11, particles=300)
    assert [m.log_evidence for m in listed] == [m["log_evidence"] for m in program["models"]]
    assert [m.log_evidence_se for m in listed] == [m["log_evidence_se"] for m in program["models"]]


def test_threads_do_not_matter(study):
    file, *_ = study
    assert [m.log_evidence for m in evident.compare(file, threads=1)] == \
           [m.log_evidence for m in evident.compare(file, threads=3)]
    square = evident.Model("m", {"x": "normal(0, 1)"}, lambda x: -x[:, 0] ** 2)
    one, three = (evident.compare([square], threads=k, particles=300)[0].log_evidence for k in (1, 3))
    assert one == three


def test_command():
    said = subprocess.run([str(_program.program()), "--version"], check=True, capture_output=True, text=True).stdout
    assert said.split()[1] == evident.__version__


def readme_block(language):
    text = (pathlib.Path(os.environ["EVIDENT_SOURCE"]) / "README.md").read_text(encoding="utf-8")
    return re.search(rf"```{language}\n(.*?)```", text, re.S).group(1)


def test_the_readme_in_cpp_and_in_python():
    printed = subprocess.run([os.environ["EVIDENT_README_EXAMPLE"]], check=True, capture_output=True, text=True).stdout
    names = {}
    exec(readme_block("python"), names)
    here = [(m.name, m.log_evidence, m.probability) for m in names["result"]]
    cpp = [(name, float.fromhex(z), float.fromhex(p)) for name, z, p in map(str.split, printed.splitlines())]
    assert here == cpp


class Estimate(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("value", "standard_error", "lower", "upper")]


def test_program_and_c(study):
    """The C interface on the study file; it is held against C++ in tests/capi."""
    file, *_ = study
    c = ctypes.CDLL(os.environ["EVIDENT_C_LIBRARY"])
    for function in ("evident_study_new", "evident_study_result"):
        if hasattr(c, function):
            getattr(c, function).restype = ctypes.c_void_p
    handle = ctypes.c_void_p(c.evident_study_new())
    assert c.evident_study_load(handle, os.fsencode(file)) == 0
    result = ctypes.c_void_p()
    assert c.evident_study_run(handle, ctypes.byref(result)) == 0
    in_c = []
    for k in range(2):
        z = Estimate()
        assert c.evident_result_log_evidence(result, ctypes.c_size_t(k), ctypes.byref(z)) == 0
        in_c.append((z.value, z.standard_error))
    assert in_c == [(m.log_evidence, m.log_evidence_se) for m in evident.compare(file)]
    c.evident_result_free(result)
    c.evident_study_free(handle)
