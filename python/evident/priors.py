"""Priors of parameters.

>>> from evident import priors
>>> priors.normal(0, 10)
normal(0, 10)
>>> priors.gamma(shape=2, rate=1)
gamma(shape=2, rate=1)

An argument may be the name of an earlier parameter: ``priors.uniform("k1", 10)``. A prior may also be written as text,
``"normal(0, 10)"``, or be a frozen distribution of ``scipy.stats``.
"""
from __future__ import annotations

import math
from typing import Callable, Union

Argument = Union[float, int, str]


class Prior:
    """A prior as the core reads it."""

    __slots__ = ("text",)

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Prior) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


def _number(value: Argument) -> str:
    if isinstance(value, str):
        return value
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _write(family: str, *args: Argument, **named: Argument) -> Prior:
    parts = [_number(a) for a in args] + [f"{k}={_number(v)}" for k, v in named.items()]
    return Prior(f"{family}({', '.join(parts)})")


def normal(mean: Argument, sd: Argument) -> Prior:
    """Normal distribution."""
    return _write("normal", mean, sd)


def half_normal(scale: Argument) -> Prior:
    """Normal distribution of mean 0, positive half."""
    return _write("half-normal", scale)


def lognormal(meanlog: Argument, sdlog: Argument) -> Prior:
    """Its logarithm is normal."""
    return _write("lognormal", meanlog, sdlog)


def student_t(df: Argument, location: Argument = 0, scale: Argument = 1) -> Prior:
    """Student's t distribution."""
    return _write("student-t", df, location, scale)


def half_student_t(df: Argument, scale: Argument) -> Prior:
    """Student's t distribution, positive half."""
    return _write("half-student-t", df, scale)


def cauchy(location: Argument, scale: Argument) -> Prior:
    """Cauchy distribution."""
    return _write("cauchy", location, scale)


def half_cauchy(scale: Argument) -> Prior:
    """Cauchy distribution, positive half."""
    return _write("half-cauchy", scale)


def laplace(location: Argument, scale: Argument) -> Prior:
    """Laplace distribution."""
    return _write("laplace", location, scale)


def logistic(location: Argument, scale: Argument) -> Prior:
    """Logistic distribution."""
    return _write("logistic", location, scale)


def uniform(lower: Argument, upper: Argument) -> Prior:
    """Uniform distribution between two bounds."""
    return _write("uniform", lower, upper)


def log_uniform(lower: Argument, upper: Argument) -> Prior:
    """Its logarithm is uniform."""
    return _write("log-uniform", lower, upper)


def beta(a: Argument, b: Argument) -> Prior:
    """Beta distribution."""
    return _write("beta", a, b)


def gamma(shape: Argument, rate: Argument | None = None, scale: Argument | None = None) -> Prior:
    """Gamma distribution; give either ``rate`` or ``scale``."""
    if (rate is None) == (scale is None):
        raise ValueError("gamma takes either rate or scale: gamma(shape=2, rate=1)")
    return _write("gamma", shape=shape, rate=rate) if rate is not None else _write("gamma", shape=shape, scale=scale)


def inverse_gamma(shape: Argument, scale: Argument) -> Prior:
    """Inverse gamma distribution."""
    return _write("inverse-gamma", shape, scale)


def exponential(rate: Argument) -> Prior:
    """Exponential distribution."""
    return _write("exponential", rate)


def weibull(shape: Argument, scale: Argument) -> Prior:
    """Weibull distribution."""
    return _write("weibull", shape, scale)


def truncated_normal(mean: Argument, sd: Argument, lower: Argument, upper: Argument) -> Prior:
    """Normal distribution between two bounds."""
    return _write("truncated-normal", mean, sd, lower, upper)


def dirichlet(*concentration: float) -> Prior:
    """Positive numbers that add up to one; one argument each."""
    if len(concentration) < 2:
        raise ValueError("dirichlet takes at least two numbers: dirichlet(1, 1, 1)")
    return _write("dirichlet", *concentration)


def _scipy_arguments(frozen) -> tuple[dict, float, float]:
    """Shape arguments by name, location and scale."""
    shapes, loc, scale = frozen.dist._parse_args(*frozen.args, **frozen.kwds)
    names = [s.strip() for s in frozen.dist.shapes.split(",")] if frozen.dist.shapes else []
    return dict(zip(names, (float(s) for s in shapes))), float(loc), float(scale)


# Frozen distributions of SciPy that the core has, too. Each gives None where it has no equal (a shifted gamma, say).
_SCIPY: dict[str, Callable] = {
    "norm": lambda s, m, w: normal(m, w),
    "uniform": lambda s, m, w: uniform(m, m + w),
    "halfnorm": lambda s, m, w: half_normal(w) if m == 0 else None,
    "lognorm": lambda s, m, w: lognormal(math.log(w), s["s"]) if m == 0 else None,
    "t": lambda s, m, w: student_t(s["df"], m, w),
    "cauchy": lambda s, m, w: cauchy(m, w),
    "halfcauchy": lambda s, m, w: half_cauchy(w) if m == 0 else None,
    "laplace": lambda s, m, w: laplace(m, w),
    "logistic": lambda s, m, w: logistic(m, w),
    "loguniform": lambda s, m, w: log_uniform(s["a"] * w, s["b"] * w) if m == 0 else None,
    "reciprocal": lambda s, m, w: log_uniform(s["a"] * w, s["b"] * w) if m == 0 else None,
    "beta": lambda s, m, w: beta(s["a"], s["b"]) if (m, w) == (0, 1) else None,
    "gamma": lambda s, m, w: gamma(s["a"], scale=w) if m == 0 else None,
    "invgamma": lambda s, m, w: inverse_gamma(s["a"], w) if m == 0 else None,
    "expon": lambda s, m, w: exponential(1 / w) if m == 0 else None,
    "weibull_min": lambda s, m, w: weibull(s["c"], w) if m == 0 else None,
    "truncnorm": lambda s, m, w: truncated_normal(m, w, m + s["a"] * w, m + s["b"] * w),
}


def from_scipy(frozen) -> Prior | None:
    """The same distribution in the core; None when it has none."""
    make = _SCIPY.get(frozen.dist.name)
    return make(*_scipy_arguments(frozen)) if make else None


def is_scipy(prior) -> bool:
    """Is this a frozen continuous distribution of scipy.stats?"""
    return hasattr(prior, "dist") and hasattr(prior, "ppf") and hasattr(prior.dist, "name")


def ordered(prior: Union[Prior, str], count: int) -> Prior:
    """A vector of ``count`` entries in increasing order: draws of one prior that were sorted.

    Components of a mixture that may change their places make many equal modes; ordered means make one.

    >>> ordered(normal(0, 10), 3)
    ordered(normal(0, 10), 3)
    """
    if int(count) != count or count < 1:
        raise ValueError(f"ordered takes a number of entries, found {count!r}")
    return Prior(f"ordered({prior}, {int(count)})")
