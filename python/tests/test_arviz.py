"""ArviZ reads what we give it."""
import numpy as np
import pytest

import evident

arviz = pytest.importorskip("arviz")


@pytest.fixture(scope="module")
def data():
    model = evident.Model("m", {"mu": "normal(0, 1)", "w": "dirichlet(1, 1)"}, lambda t: -0.5 * (t[:, 0] - 1) ** 2)
    return evident.compare([model], seed=1, particles=500, islands=2)[0].to_arviz()


def test_groups(data):
    assert set(data.groups()) >= {"posterior", "prior", "sample_stats"}
    assert data.posterior["mu"].shape == (1, 500)
    assert data.posterior["w"].shape == (1, 500, 2)
    assert float(data.posterior["mu"].mean()) == pytest.approx(0.5, abs=4 * 0.71 / np.sqrt(100))


def test_summary_and_plots(data, tmp_path):
    import matplotlib
    matplotlib.use("Agg")
    assert "mu" in arviz.summary(data, var_names=["mu", "w"]).index
    arviz.plot_pair(data, var_names=["mu", "w"])
    arviz.plot_density(data, var_names=["mu"])
    data.to_netcdf(str(tmp_path / "x.nc"))
    assert "posterior" in arviz.from_netcdf(str(tmp_path / "x.nc")).groups()


def test_predictive_and_pointwise():
    y = np.array([0.3, -0.2, 0.9, 1.4, 0.1, 0.7])
    each = lambda t: -0.5 * (y - t) ** 2 - 0.5 * np.log(2 * np.pi)  # noqa: E731
    model = evident.Model("mean", {"m": "normal(0, 1)"}, lambda t: each(t).sum(axis=1), observed={"y": y},
                          predict=lambda t, rng: t + rng.normal(size=(len(t), len(y))), pointwise=each)
    data = evident.compare([model], seed=1)[0].to_arviz()
    assert set(data.groups()) >= {"posterior", "prior", "sample_stats", "posterior_predictive", "observed_data",
                                  "log_likelihood"}
    predicted = data.posterior_predictive["y"].values
    assert predicted.shape[2] == 6
    # mean and variance of a new observation: those of the posterior, and 1
    n, mean, var = predicted.shape[1], y.sum() / 7, 1 / 7 + 1
    assert abs(predicted[0, :, 0].mean() - mean) < 4 * np.sqrt(var / n * 2)
    np.testing.assert_allclose(data.log_likelihood["y"].values[0].sum(axis=1),
                               data.sample_stats["log_likelihood_total"].values[0], rtol=1e-10)
    assert np.isfinite(arviz.loo(data).elpd_loo)


def test_a_formula_predicts():
    y = [0.3, -0.2, 0.9, 1.4]
    study = {"model": [{"name": "m", "parameters": {"a": "normal(0, 5)"}, "likelihood": {"y": "normal(a, 1)"}}]}
    data = evident.compare(study, data={"y": y}, seed=1)["m"].to_arviz()
    assert data.posterior_predictive["y"].shape[2] == 4
    np.testing.assert_array_equal(data.observed_data["y"].values, y)


def test_unknown_priors_are_shown_as_the_user_knows_them():
    stats = pytest.importorskip("scipy.stats")
    model = evident.Model("m", {"a": "normal(0, 1)", "b": stats.triang(0.5, 2, 2), "c": "normal(5, 1)"},
                          lambda t: -0.5 * (t[:, 0] - 1) ** 2)
    part = evident.compare([model], seed=1, particles=400)[0]
    assert part.parameters == ["a", "b", "c"]
    assert list(part.summary()) == ["a", "b", "c"]
    data = part.to_arviz()
    assert set(data.posterior.data_vars) == set(data.prior.data_vars) == {"a", "b", "c"}
    assert 2 <= float(data.prior["b"].min()) and float(data.prior["b"].max()) <= 4
