"""Comparisons that are stopped go on, and studies read below their own folder."""
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import evident

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
