"""Comparisons that are stopped go on, and studies read below their own folder."""
import functools
import itertools
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import evident
from evident._identity import sum_of

SCRIPT = textwrap.dedent("""
    import sys, time
    import numpy as np
    import evident

    def line(theta):
        time.sleep(float(sys.argv[1]))
        return -0.5 * ((theta - 1) ** 2).sum(axis=1) / 0.01

    models = [evident.Model("a", {"x": "normal(0, 3)"}, line), evident.Model("b", {"x": "normal(0, 9)"}, line)]
    result = evident.compare(models, particles=200, islands=4, seed=5, threads=1, checkpoint=sys.argv[2] or None,
                             resume=bool(sys.argv[2]))
    print([m.log_evidence for m in result])
""")


def run(seconds, folder, **options):
    return subprocess.run([sys.executable, "-c", SCRIPT, str(seconds), folder], capture_output=True, text=True, check=True,
                          **options).stdout


def test_killed_and_resumed(tmp_path):
    wanted = run(0, "")
    kept = tmp_path / "kept"
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, "0.02", str(kept)])  # far longer than it is watched
    deadline = time.time() + 120
    while time.time() < deadline and not (kept / "journal").exists():
        time.sleep(0.01)
    size = (kept / "journal").stat().st_size
    while process.poll() is None and time.time() < deadline and (kept / "journal").stat().st_size == size:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert (kept / "journal").exists()
    assert run(0, str(kept)) == wanted
    assert not kept.exists()


def test_other_models_are_refused(tmp_path):
    def stopped(theta):
        raise KeyboardInterrupt

    prior = {"x": "normal(0, 1)"}
    with pytest.raises(KeyboardInterrupt):
        evident.compare([evident.Model("m", prior, stopped)], checkpoint=tmp_path / "kept", islands=2)
    options = {"checkpoint": tmp_path / "kept", "islands": 2, "particles": 200}
    model = evident.Model("m", prior, lambda x: -x[:, 0] ** 2)
    with pytest.raises(ValueError, match="add resume=True to go on with it, or remove the folder to begin again$"):
        evident.compare([model], **options)
    with pytest.raises(ValueError, match="belongs to another run"):
        evident.compare([model], resume=True, **options)
    with pytest.raises(TypeError, match="resume needs to know the folder"):
        evident.compare([model], resume=True)


LATE = textwrap.dedent("""
    import itertools, os, sys
    import numpy as np
    import evident

    calls = itertools.count()

    def spikes(theta):
        if next(calls) >= int(os.environ["EVIDENT_TEST_CALLS"]):
            raise ValueError("late")
        x = np.abs(theta[:, 0]) - 1
        return np.where(np.abs(theta[:, 0]) < 0.01, np.nan, -5000 * x ** 2)

    models = [evident.Model("m", {"x": "normal(0, 10)", "y": "normal(0, 1)"}, spikes)]
    try:
        result = evident.compare(models, particles=128, islands=4, seed=4, threads=1, checkpoint=sys.argv[1], resume=True)
        print(result[0].log_evidence, result[0].verdict, result[0].reasons, next(calls))
    except ValueError as error:
        print(error, getattr(error, "__notes__", None))
""")


def late(folder, calls):
    return subprocess.run([sys.executable, "-c", LATE, str(folder)], capture_output=True, text=True, check=True,
                          env={**os.environ, "EVIDENT_TEST_CALLS": str(calls)}).stdout


def test_an_exception_at_any_moment_loses_nothing(tmp_path):
    wanted, total = late(tmp_path / "whole", 10**9).rsplit(maxsplit=1)
    assert not (tmp_path / "whole").exists()
    for k in (2, 5, 7, 8, 9):
        kept = tmp_path / str(k)
        said = late(kept, int(total) * k // 10)
        note = f"what is done is kept in {kept}: call again with resume=True to go on"
        assert said == f"late {[note] if sys.version_info >= (3, 11) else None}\n"
        assert (kept / "journal").exists()
        assert late(kept, 10**9).rsplit(maxsplit=1)[0] == wanted
        assert not kept.exists()


def stopped_run(tmp_path, function, data=None, **options):
    """A run with these models and options that was stopped."""
    calls = itertools.count()

    def stop(state):
        if next(calls) > 0:
            raise KeyboardInterrupt

    model = evident.Model("m", {"x": "normal(0, 1)"}, function)
    kept = tmp_path / f"kept{len(list(tmp_path.iterdir()))}"
    with pytest.raises(KeyboardInterrupt):
        evident.compare([model], data, checkpoint=kept, progress=stop, **{"particles": 4000, "islands": 64, **options})
    assert (kept / "journal").exists()
    return kept


def test_options_functions_and_data_count(tmp_path):
    def slow(x):
        time.sleep(0.02)
        return -x[:, 0] ** 2

    def other(x):
        time.sleep(0.02)
        return -x[:, 0] ** 2 - 1e-13

    def of_data(x, data):
        time.sleep(0.02)
        return -x[:, 0] ** 2 + 0 * data.sum()

    def refused(kept, function, data=None, prior="normal(0, 1)", **options):
        with pytest.raises(ValueError, match="belongs to another run"):
            evident.compare([evident.Model("m", {"x": prior}, function)], data, checkpoint=kept, resume=True,
                            **{"particles": 4000, "islands": 64, **options})

    kept = stopped_run(tmp_path, slow, cess=0.9)
    refused(kept, slow, cess=0.9000000001)
    refused(kept, other, cess=0.9)
    refused(kept, slow, prior="normal(0, 1.0000000000001)", cess=0.9)
    kept = stopped_run(tmp_path, slow, alphas=[0.1, 0.5, 1], islands=0, replicates=64)
    refused(kept, slow, alphas=[0.1, 0.6, 1], islands=0, replicates=64)
    data = np.array([1.0, 2.0])
    kept = stopped_run(tmp_path, of_data, data)
    refused(kept, of_data, np.nextafter(data, 3))


def test_what_is_known_of_functions():
    def made(k, rows=None):
        return lambda x: k * x.sum() if rows is None else (x @ rows).sum()

    rows = np.arange(4.0)
    assert sum_of(made(1)) == sum_of(made(1)) != sum_of(made(2))
    assert sum_of(made(1, rows)) == sum_of(made(1, rows.copy())) != sum_of(made(1, rows + 1e-12))
    assert sum_of(functools.partial(made, 1)) != sum_of(functools.partial(made, 2))
    assert sum_of(lambda x, k=1: x) != sum_of(lambda x, k=2: x)
    assert sum_of({"a": 1.0}) != sum_of({"a": 1})
    loop = []
    loop.append(loop)
    assert sum_of(loop) == sum_of(loop)
    text = ("import sys; sys.path[:0] = sys.argv[1:]\nfrom evident._identity import sum_of\n"
            "def f(x):\n    return x in {'a', 'b', 'c'} and g(x)\ndef g(x):\n    return len(x) ** 2\nprint(sum_of(f))")
    path = os.path.dirname(os.path.dirname(evident.__file__))
    sums = {subprocess.run([sys.executable, "-c", text, path], capture_output=True, text=True, check=True,
                           env={**os.environ, "PYTHONHASHSEED": str(seed)}).stdout for seed in (1, 2, 3)}
    assert len(sums) == 1
    other = subprocess.run([sys.executable, "-c", text.replace("** 2", "** 3"), path], capture_output=True, text=True,
                           check=True).stdout
    assert other not in sums  # of a function that it calls


def test_saving_keeps_the_files_of_others(tmp_path):
    result = evident.compare([evident.Model("m", {"x": "normal(0, 1)"}, lambda x: -x[:, 0] ** 2)], particles=100, islands=2)
    folder = result.save(tmp_path / "new" / "out")
    with pytest.raises(FileExistsError, match="force=True"):
        result.save(folder)
    result.save(folder, force=True)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(evident.InputError, match="'notes.txt' is not among the files that evident wrote"):
        result.save(folder, force=True)
    assert (folder / "notes.txt").read_text() == "mine"


def test_data_outside(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "data.csv").write_text("y\n1\n2\n0.5\n")
    study = {"data": {"file": str(tmp_path / "data.csv")},
             "model": [{"name": "m", "parameters": {"mu": "normal(0, 5)"}, "likelihood": {"y": "normal(mu, 1)"}}]}
    own = evident.compare(study, particles=200, islands=2)  # the caller's own path
    file = tmp_path / "inner/study.toml"
    file.write_text('[data]\nfile = "../data.csv"\n[[model]]\nname = "m"\n[model.parameters]\nmu = "normal(0, 5)"\n'
                    '[model.likelihood]\ny = "normal(mu, 1)"\n')
    for call in (evident.compare, evident.study_models):
        with pytest.raises(ValueError, match="add allow_outside=True$"):
            call(file)
    assert list(evident.study_models(file, allow_outside=True)) == ["m"]
    assert evident.compare(file, allow_outside=True, particles=200, islands=2)[0].log_evidence == own[0].log_evidence
