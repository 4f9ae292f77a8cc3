"""Results that were saved, pickled or damaged, and names of parameters that files use themselves."""
import json
import pickle

import numpy as np
import pytest

import evident


def compared(names):
    priors = {name: "normal(0, 1)" for name in names}
    return evident.compare([evident.Model("m", priors, lambda x: -0.5 * ((x - 1) ** 2).sum(axis=1))], seed=1, particles=100, islands=2)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved") / "results"
    compared(["x"]).save(folder)
    return folder


@pytest.mark.parametrize("names", [["weight", "b"], ["log_likelihood", "log_prior"], ["weight", "log_likelihood", "log_prior"],
                                   ["log_likelihood", "log_prior", "c"]])
def test_names_of_columns_are_names_of_parameters_too(names, tmp_path):
    result = compared(names)
    result.save(tmp_path / "results")
    prior = result["m"].prior
    for again in (pickle.loads(pickle.dumps(result)), evident.load(tmp_path / "results")):
        part = again["m"]
        assert part.parameters == names
        for what in ("draws", "weights", "log_likelihood", "log_prior"):
            np.testing.assert_array_equal(getattr(part, what), getattr(result["m"], what))
        assert part.prior.dtype.names == prior.dtype.names == tuple(names)
        for name in names:
            np.testing.assert_array_equal(part.prior[name], prior[name])


def test_a_name_that_the_core_needs_is_refused():
    with pytest.raises(ValueError, match="call 'a quantile' something else"):
        evident.Model("m", {"a": "normal(0, 1)", "a quantile": "normal(0, 1)"}, len)
    assert evident.Model("m", {"a quantile": "normal(0, 1)"}, len).parameters == ["a quantile"]


def damaged(saved, tmp_path, change):
    """A copy of the results whose document is changed."""
    for file in saved.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    document = json.loads((saved / "result.json").read_text())
    (tmp_path / "result.json").write_text(json.dumps(change(document)))
    return tmp_path


def without(entry, key):
    del entry[key]


@pytest.mark.parametrize("key, change", [
    ("seed", lambda d: without(d, "seed")),
    ("seed", lambda d: d.update(seed="one")),
    ("name", lambda d: without(d["models"][0], "name")),
    ("parameters", lambda d: without(d["models"][0], "parameters")),
    ("parameters", lambda d: d["models"][0].update(parameters=[{}])),
    ("probability", lambda d: d["models"][0].update(probability={"x": 1})),
    ("log_evidence", lambda d: d["models"][0].update(log_evidence="-1")),
    ("probability_interval", lambda d: d["models"][0].update(probability_interval={"x": 1})),
    ("reasons", lambda d: d["models"][0].update(reasons=["why"])),
    ("models", lambda d: d.update(models=[{}])),
])
def test_a_damaged_document_is_refused_by_name(saved, tmp_path, key, change):
    def changed(document):
        change(document)
        return document

    folder = damaged(saved, tmp_path, changed)
    with pytest.raises(evident.InputError, match=r"result\.json: '(%s|models)'" % key):
        evident.load(folder)


def test_a_whole_document_is_read(saved, tmp_path):
    assert evident.load(damaged(saved, tmp_path, lambda d: d))["m"].parameters == ["x"]
