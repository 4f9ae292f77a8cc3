"""Comparisons against exact answers, and what a programmer expects of the results."""
import concurrent.futures
import json
import math
import pickle

import numpy as np
import pytest

import evident

D = 3
SD = 0.3
EXACT = -D * math.log(10)  # a normalised likelihood well inside U(-5, 5)^3


def normal(theta):
    return -0.5 * np.sum((theta / SD) ** 2, axis=1) - D * math.log(SD * math.sqrt(2 * math.pi))


def box(name="normal", function=normal, **options):
    return evident.Model(name, {f"x{j}": "uniform(-5, 5)" for j in range(D)}, function, **options)


def close(part, exact):
    assert abs(part.log_evidence - exact) < 4 * part.log_evidence_se
    assert part.log_evidence_se < 0.2


@pytest.fixture(scope="module")
def result():
    return evident.compare([box(), box("narrow", lambda t: normal(2 * t))], seed=5)


def test_exact(result):
    close(result["normal"], EXACT)
    close(result["narrow"], EXACT - D * math.log(2))
    assert result["normal"].verdict == "trust"
    assert result.best.name == "normal"
    assert result.log_bayes_factor("normal", "narrow") == pytest.approx(D * math.log(2), abs=0.1)
    assert sum(result.probabilities.values()) == pytest.approx(1)


def test_same_seed_same_numbers(result):
    again = evident.compare([box(), box("narrow", lambda t: normal(2 * t))], seed=5)
    assert [m.log_evidence for m in again] == [m.log_evidence for m in result]


def test_scalar_function_gives_the_same_numbers(result):
    one = box(function=lambda t: float(normal(t[None])[0]), vectorized=False)
    assert evident.compare([one, box("narrow", lambda t: normal(2 * t))], seed=5)[0].log_evidence == result[0].log_evidence


def test_posterior(result):
    draws = result["normal"].posterior
    assert draws.dtype.names == ("x0", "x1", "x2")
    se = SD / math.sqrt(len(draws) / 4)
    assert abs(draws["x1"].mean()) < 4 * se
    assert draws["x1"].std() == pytest.approx(SD, rel=0.2)


def test_table_and_text(result):
    pandas = pytest.importorskip("pandas")
    table = result.table()
    assert isinstance(table, pandas.DataFrame)
    assert list(table.index) == ["normal", "narrow"]
    assert "log evidence" in str(result)
    assert "<table>" in result._repr_html_() and "<svg" in result._repr_html_()
    assert result.best.parameters == ["x0", "x1", "x2"]
    assert set(result.best.summary()["x1"]) >= {"mean", "sd"}


def test_hostile_name_is_escaped():
    text = evident.compare([box("<script>alert(1)</script>")], seed=1, islands=2, particles=200)._repr_html_()
    assert "<script>" not in text


def test_pickle(result, tmp_path):
    back = pickle.loads(pickle.dumps(result))
    assert back["normal"].log_evidence == result["normal"].log_evidence
    np.testing.assert_array_equal(back["normal"].posterior, result["normal"].posterior)
    assert back.report(tmp_path / "x.html").stat().st_size > 100_000
    alone = pickle.loads(pickle.dumps(result["narrow"]))
    assert alone.log_evidence == result["narrow"].log_evidence


def test_save_and_load(result, tmp_path):
    folder = result.save(tmp_path / "out")
    back = evident.load(folder)
    assert back["normal"].log_evidence == result["normal"].log_evidence
    np.testing.assert_array_equal(back["narrow"].draws, result["narrow"].draws)
    np.testing.assert_array_equal(back["narrow"].prior, result["narrow"].prior)
    assert back["narrow"].trace["alpha"][-1] == 1
    assert list(back["narrow"].trace) == list(result["narrow"].trace)
    assert back.report(tmp_path / "back.html").read_bytes() == result.report(tmp_path / "x.html").read_bytes()
    for file in back.save(tmp_path / "again").iterdir():
        assert file.read_bytes() == (folder / file.name).read_bytes()
    with pytest.raises(FileExistsError):
        result.save(folder)
    with pytest.raises(FileNotFoundError, match="no results folder"):
        evident.load(tmp_path)


def test_report(result, tmp_path):
    text = result.report(tmp_path / "x.html").read_text()
    assert text.lstrip().lower().startswith("<!doctype html")
    assert "narrow" in text


def test_several_threads_may_ask_for_the_report(tmp_path):
    result = evident.compare([box("a"), box("b")], seed=1, islands=2, particles=200)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        pages = list(pool.map(lambda i: result.report(tmp_path / f"{i}.html").read_bytes(), range(4)))
        priors = list(pool.map(lambda _: result["a"].prior["x0"].sum(), range(4)))
    assert len(set(pages)) == 1 and len(set(priors)) == 1


def test_predictions_are_in_the_report(tmp_path):
    y = np.array([0.3, -0.2, 0.9, 1.4])
    model = evident.Model(
        "mean", {"m": "normal(0, 1)"}, lambda t: -0.5 * np.sum((y - t) ** 2, axis=1) - 2 * math.log(2 * math.pi),
        observed={"height": y}, axis={"t": [0, 1, 2, 3]}, predict=lambda t, rng: t + rng.normal(size=(len(t), 4)),
        mean=lambda t: np.repeat(t, 4, axis=1), pointwise=lambda t: -0.5 * (y - t) ** 2 - 0.5 * math.log(2 * math.pi))
    result = evident.compare([model], seed=2)
    predicted = json.loads(result._files()["mean-predictive.json"])
    assert predicted["series"][0]["name"] == "height" or "height" in json.dumps(predicted)
    assert "height" in result.report(tmp_path / "x.html").read_text()


def test_prior_transform():
    part = evident.evidence(normal, lambda u: 10 * u - 5, D, vectorized=True, seed=2)
    close(part, EXACT)
    assert abs(part.posterior["x1"].mean()) < 0.1
    one = evident.evidence(lambda t: float(normal(t[None])[0]), lambda u: 10 * u - 5, D, seed=2)
    assert one.log_evidence == part.log_evidence


def test_scipy_priors():
    stats = pytest.importorskip("scipy.stats")
    same = evident.Model("normal", {f"x{j}": stats.uniform(-5, 10) for j in range(D)}, normal)
    assert evident.compare([same], seed=5)[0].log_evidence == evident.compare([box()], seed=5)[0].log_evidence
    # A prior that the core does not have goes through its quantiles: evidence of x ~ N(0,1) seen as 0.5 +- 1 with a
    # triangular prior on (-1, 1).
    grid = np.linspace(-1, 1, 200001)
    exact = math.log(np.trapezoid(stats.norm.pdf(0.5, grid) * stats.triang(0.5, -1, 2).pdf(grid), grid))
    model = evident.Model("triangle", {"x": stats.triang(0.5, -1, 2)}, lambda t: stats.norm.logpdf(0.5, t[:, 0]))
    part = evident.compare([model], seed=3)[0]
    assert abs(part.log_evidence - exact) < 4 * part.log_evidence_se + 1e-6
    assert np.all(np.abs(part.posterior["x"]) <= 1)


def test_gradient_is_used():
    calls = []

    def slope(theta):
        calls.append(len(theta))
        return -theta / SD**2

    part = evident.compare([box(gradient=slope)], seed=4, kernel="mala")[0]
    assert calls
    close(part, EXACT)


def test_data_is_handed_over():
    y = np.array([0.3, -0.2, 0.9])
    model = evident.Model("mean", {"m": "normal(0, 1)"},
                          lambda t, y: -0.5 * np.sum((y - t) ** 2, axis=1) - 1.5 * math.log(2 * math.pi))
    # y ~ N(0, I + 1 1')
    n = len(y)
    exact = -0.5 * (y @ y - y.sum() ** 2 / (n + 1)) - 0.5 * math.log(n + 1) - n / 2 * math.log(2 * math.pi)
    part = evident.compare([model], data=y, seed=1)[0]
    assert abs(part.log_evidence - exact) < 4 * part.log_evidence_se + 1e-9


def test_ordered():
    # Three sorted standard normal numbers: what their sum says does not know of the order, so the evidence is that of N(0, 4) at 1.
    model = evident.Model("sorted", {"m": evident.priors.ordered("normal(0, 1)", 3)},
                          lambda t: -0.5 * np.log(2 * np.pi) - 0.5 * (t.sum(axis=1) - 1) ** 2)
    assert model.parameters == ["m[1]", "m[2]", "m[3]"]
    part = evident.compare([model], seed=1)[0]
    exact = -0.5 * np.log(2 * np.pi * 4) - 0.125
    assert abs(part.log_evidence - exact) < 4 * part.log_evidence_se
    draws = part.posterior
    assert (draws["m[1]"] < draws["m[2]"]).all() and (draws["m[2]"] < draws["m[3]"]).all()


@pytest.mark.parametrize("text", ["ordered(normal(0, 1))", "ordered(normal(0, 1), x)", "ordered(normal(0, 1), 0)",
                                  "ordered(3)", "ordered()", "ordered(normal(0, 1), 2.5)", "ordered(normal(0, 1), 99999999999999999999)"])
def test_ordered_refuses(text):
    with pytest.raises(evident.InputError, match="m"):
        evident.Model("sorted", {"m": text}, np.sum)


def test_dirichlet():
    counts = np.array([3, 5, 2])
    model = evident.Model("shares", {"w": evident.priors.dirichlet(1, 1, 1)}, lambda t: np.log(t) @ counts)
    exact = math.lgamma(3) - math.lgamma(13) + sum(math.lgamma(1 + c) for c in counts)
    part = evident.compare([model], seed=1)[0]
    assert model.parameters == ["w[1]", "w[2]", "w[3]"]
    assert abs(part.log_evidence - exact) < 4 * part.log_evidence_se + 1e-9


FORMULA = {"name": "line", "parameters": {"a": "normal(0, 5)", "b": evident.priors.normal(0, 2)},
           "likelihood": {"y": "normal(a + b*t, 0.5)"}}


def test_formula_from_a_dictionary():
    t = np.linspace(0, 2, 20)
    y = 1 + 0.5 * t + np.random.default_rng(1).normal(0, 0.5, 20)
    x = np.column_stack([np.ones(20), t])
    cov = 0.25 * np.eye(20) + x @ np.diag([25.0, 4.0]) @ x.T
    exact = -0.5 * (y @ np.linalg.solve(cov, y) + np.linalg.slogdet(2 * math.pi * cov)[1])
    part = evident.compare({"model": [FORMULA]}, data={"t": t, "y": y}, seed=2)["line"]
    assert abs(part.log_evidence - exact) < 4 * part.log_evidence_se + 1e-9
    pandas = pytest.importorskip("pandas")
    same = evident.compare({"model": [FORMULA]}, data=pandas.DataFrame({"t": t, "y": y}), seed=2)["line"]
    assert same.log_evidence == part.log_evidence

    def line(theta):
        mean = theta[:, :1] + theta[:, 1:] * t
        return -2 * np.sum((y - mean) ** 2, axis=1) - 20 * math.log(0.5 * math.sqrt(2 * math.pi))

    mine = evident.Model("mine", {"a": "normal(0, 5)", "b": "normal(0, 2)"}, line)
    core = evident.study_models({"model": [FORMULA]}, data={"t": t, "y": y})["line"]
    np.testing.assert_allclose(core.log_likelihood([[1, 2], [0, 0.3]]), line(np.array([[1, 2], [0, 0.3]])), rtol=1e-12)
    both = evident.compare([core, mine], seed=2)
    assert both.probabilities["mine"] == pytest.approx(0.5, abs=0.05)


def test_built_in_model():
    y = np.concatenate([np.random.default_rng(3).normal(m, 0.5, 20) for m in (-2, 2)])
    one = evident.model("one", "gaussian-mixture", data=y, components=1)
    two = evident.model("two", "gaussian-mixture", data={"y": y}, components=2, weight=2)
    result = evident.compare([one, two], seed=1, particles=200, islands=4)
    # prior odds 1 : 2, and the evidences
    odds = 2 * math.exp(result.log_bayes_factor("two", "one"))
    assert odds > 100
    assert result["two"].probability == pytest.approx(odds / (1 + odds), rel=1e-9)


def test_a_study_file_keeps_its_seed(tmp_path):
    rng = np.random.default_rng(1)
    (tmp_path / "data.csv").write_text("y\n" + "\n".join(map(repr, rng.normal(0, 1, 30).tolist())) + "\n")
    (tmp_path / "study.toml").write_text(
        '[data]\nfile = "data.csv"\n[sampler]\nparticles = 200\nseed = 3\n'
        '[[model]]\nname = "one"\nkind = "gaussian-mixture"\ncomponents = 1\n')
    result = evident.compare(tmp_path / "study.toml")
    assert result.seed == 3
    assert result.document["study"] == "study.toml"
    assert evident.compare(tmp_path / "study.toml", seed=4).seed == 4
    with pytest.raises(evident.InputError, match=r"^kernel= belongs into \[sampler\] of the study"):
        evident.compare(tmp_path / "study.toml", kernel="hmc")
    model = evident.study_models(tmp_path / "study.toml")["one"]
    theta = model.draw_prior(5)
    assert np.all(np.isfinite(model.log_likelihood(theta)))
    assert np.all(np.isfinite(model.log_prior(theta)))
    assert model.draw_observations(theta).shape == (5, 30)


def test_precision():
    part = evident.compare([box()], seed=1, particles=200, precision=0.03)[0]
    assert part.log_evidence_se < 0.03
    assert abs(part.log_evidence - EXACT) < 4 * 0.03


def test_progress():
    states = []
    evident.compare([box(function=lambda t: (__import__("time").sleep(0.002), normal(t))[1])], particles=500,
                    progress=states.append)
    assert states and all(len(s) == 4 for s in states)
    assert states[-1][2] >= states[0][2]
