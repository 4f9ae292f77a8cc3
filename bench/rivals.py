#!/usr/bin/env python3
"""Time against other samplers at the same standard error, one thread, in one run; prints a Markdown table. It is processor
time, which on an idle machine is wall time with one thread, and on a busy one is still right.

    pip install dynesty nautilus-sampler numba
    PYTHONPATH=build/release/python python bench/rivals.py

A rival runs with its default settings and tells its standard error; evident is then asked for that precision, once with a
compiled likelihood (a numba function, a formula or a built-in model) and once with a NumPy function. For an error above 0.1 it gets
a quarter of its usual particles in half as many islands. All get the same likelihood and the same prior.
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import math  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402

import numba  # noqa: E402
import numpy as np  # noqa: E402
from numba import types  # noqa: E402

import evident  # noqa: E402

SCALAR = types.double(types.CPointer(types.double), types.int64)


class Problem:
    """Compiled and NumPy forms of a likelihood, and its prior in both manners."""

    def __init__(self, title, priors, compiled, vectorized, transform, exact=None):
        self.title, self.priors, self.compiled, self.vectorized = title, priors, compiled, vectorized
        self.transform, self.exact = transform, exact
        self.dimensions = len(transform(np.full(64, 0.5)))
        self.data = None  # of a formula
        self.complete = lambda t: t  # what the transform gives to what the likelihood takes


def gaussian(d=10, rho=0.4, sd=0.3, width=10.0):
    covariance = sd**2 * ((1 - rho) * np.eye(d) + rho)
    inverse = np.linalg.inv(covariance)
    constant = -0.5 * np.linalg.slogdet(2 * math.pi * covariance)[1]

    @numba.cfunc(SCALAR)
    def compiled(t, n):
        s = 0.0
        for i in range(d):
            row = 0.0
            for j in range(d):
                row += inverse[i, j] * t[j]
            s += t[i] * row
        return constant - 0.5 * s

    def vectorized(t):
        return constant - 0.5 * np.einsum("ij,ij->i", t @ inverse, t)

    priors = {f"x{j}": "uniform(-5, 5)" for j in range(d)}
    return Problem(f"correlated Gaussian, d = {d}", priors, evident_compiled(priors, compiled), vectorized,
                   lambda u: width * u[:d] - width / 2, -d * math.log(width))


def evident_compiled(priors, function):
    return evident.Model("m", priors, function)


def mixture(components=4, n=100):
    """Means in increasing order, without which there are 24 equal modes."""
    rng = np.random.default_rng(1)
    y = np.concatenate([rng.normal(m, 0.55, n // 4) for m in (-3, 0, 3, 6)])
    k = components
    half = 0.5 * math.log(2 * math.pi)

    def vectorized(t):
        t = np.atleast_2d(t)
        w, m, s = t[:, :k], t[:, k:2 * k], t[:, 2 * k:]
        r = (y[None, :, None] - m[:, None, :]) / s[:, None, :]
        return np.log(np.sum((w / s)[:, None, :] * np.exp(-0.5 * r * r), axis=2) + 1e-300).sum(axis=1) - n * half

    from scipy.special import ndtri

    def transform(u):
        left, w = 1.0, np.empty(k - 1)  # all but the last of Dirichlet(1, ..., 1) by breaking a stick
        for j in range(k - 1):
            part = 1 - (1 - u[j]) ** (1 / (k - 1 - j))
            w[j] = left * part
            left -= w[j]
        high, sorted_u = 1.0, np.empty(k)  # k sorted uniform numbers, the largest first
        for j in range(k - 1, -1, -1):
            high = sorted_u[j] = high * u[k - 1 + j] ** (1 / (j + 1))
        return np.concatenate([w, 1.5 + 4 * ndtri(sorted_u), np.exp(-0.5 + 0.7 * ndtri(u[2 * k - 1:3 * k - 1]))])

    priors = {"w": "dirichlet(1, 1, 1, 1)", "m": f"ordered(normal(1.5, 4), {k})",
              **{f"s{j}": "lognormal(-0.5, 0.7)" for j in range(k)}}
    parts = ", ".join(f"normal(m[{j}], s[{j}])" for j in range(1, k + 1))
    formula = {"name": "m", "likelihood": {"y": f"mixture(w, {parts})"},
               "parameters": {f"w[{k}]": "dirichlet(1)", f"m[{k}]": "ordered(normal(1.5, 4))", f"s[{k}]": "lognormal(-0.5, 0.7)"}}
    problem = Problem(f"mixture of {k}", priors, {"model": [formula]}, vectorized, transform)
    problem.data = {"y": y}
    problem.complete = lambda t: np.concatenate([t[:k - 1], [1 - t[:k - 1].sum()], t[k - 1:]])
    return problem


def pet():
    folder = evident.simulate("pet-compartments", tempfile.mkdtemp() + "/pet", seed=1)
    models = evident.study_models(folder / "study.toml")
    core = models["2 compartments"]
    from scipy import stats
    quantiles = [(name, quantile(stats, text)) for name, text in core.priors.items()]

    def transform(u):
        out = {}
        for j, (name, q) in enumerate(quantiles):
            out[name] = q(u[j], out)
        return np.array(list(out.values()))

    return Problem("PET, two compartments", dict(core.priors), core, core.log_likelihood, transform)


def quantile(stats, text):
    """The quantile function of a prior that is written as text; bounds may be the names of earlier parameters."""
    family, _, inside = text.partition("(")
    words = [a.rpartition("=")[2].strip() for a in inside.rstrip(")").split(",")]
    if family == "uniform":
        def bounded(u, before):
            low, high = (before[w] if w in before else float(w) for w in words)
            return low + u * (high - low)
        return bounded
    values = [float(w) for w in words]
    if family == "log-uniform":
        return lambda u, _: values[0] * (values[1] / values[0]) ** u
    if family == "gamma":
        scale = values[1] if "scale" in text else 1 / values[1]
        return lambda u, _: stats.gamma.ppf(u, values[0], scale=scale)
    if family == "normal":
        return lambda u, _: stats.norm.ppf(u, *values)
    if family == "lognormal":
        return lambda u, _: stats.lognorm.ppf(u, values[1], scale=math.exp(values[0]))
    if family == "truncated-normal":
        m, s, low, high = values
        return lambda u, _: stats.truncnorm.ppf(u, (low - m) / s, (high - m) / s, m, s)
    raise SystemExit(f"bench/rivals.py does not know the prior {text}")


def one(problem):
    """The likelihood of one vector that the transform gave."""
    return lambda t: float(problem.vectorized(problem.complete(np.asarray(t))[None])[0])


def run_dynesty(problem, seed):
    import dynesty
    sampler = dynesty.NestedSampler(one(problem), problem.transform, problem.dimensions, rstate=np.random.default_rng(seed))
    sampler.run_nested(print_progress=False)
    return sampler.results.logz[-1], sampler.results.logzerr[-1]


def run_nautilus(problem, seed):
    import nautilus
    sampler = nautilus.Sampler(problem.transform, one(problem), n_dim=problem.dimensions, seed=seed, pass_dict=False)
    sampler.run(verbose=False)
    return sampler.log_z, 1 / math.sqrt(sampler.n_eff)


def run_evident(problem, model, precision, seed):
    size = {"particles": 250, "islands": 4} if precision > 0.1 else {}
    part = evident.compare(model if isinstance(model, dict) else [model], data=problem.data if isinstance(model, dict) else None,
                           seed=seed, precision=precision, threads=1, **size)[0]
    return part.log_evidence, part.log_evidence_se


def clocked(call):
    began = time.process_time()
    value, error = call()
    return value, error, time.process_time() - began


def main():
    problems = {"gaussian": gaussian, "mixture": mixture, "pet": pet}
    chosen = sys.argv[1:] or list(problems)
    print("| problem | rival | its log evidence | its time | compiled | | NumPy | |")
    print("|---|---|---|---|---|---|---|---|")
    for key in chosen:
        problem = problems[key]()
        numpy_model = evident.Model("m", problem.priors, problem.vectorized)
        run_evident(problem, problem.compiled, 0.2, 1)
        for rival, run in (("dynesty", run_dynesty), ("nautilus", run_nautilus)):
            value, error, seconds = clocked(lambda: run(problem, 1))
            precision = max(error, 1e-3)
            c = clocked(lambda: run_evident(problem, problem.compiled, precision, 1))
            v = clocked(lambda: run_evident(problem, numpy_model, precision, 1))
            print(f"| {problem.title} | {rival} | {value:.3f} ± {error:.3f} | {seconds:.1f} s | {c[0]:.3f} ± {c[1]:.3f}, "
                  f"{c[2]:.2f} s | {seconds / c[2]:.0f} times | {v[0]:.3f} ± {v[1]:.3f}, {v[2]:.2f} s | "
                  f"{seconds / v[2]:.0f} times |", flush=True)
        if problem.exact is not None:
            print(f"| | exact | {problem.exact:.3f} | | | | | |")


if __name__ == "__main__":
    main()
