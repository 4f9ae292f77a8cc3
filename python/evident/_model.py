"""Models from Python functions, and models that the core brings along."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._identity import sum_of
from ._keywords import count
from .priors import Prior, from_scipy, is_scipy

__all__ = ["Model", "CoreModel"]


def _address_of(function: Any) -> Optional[int]:
    """The address of a compiled function: a numba cfunc, or a function pointer of ctypes."""
    if isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        return ctypes.cast(function, ctypes.c_void_p).value
    address = getattr(function, "address", None)
    return address if isinstance(address, int) and not isinstance(address, bool) else None


class _Pooled:
    """A function of one vector, run by the processes of a pool."""

    def __init__(self, pool: Any, function: Callable, data: Any):
        self.pool, self.function, self.data = pool, function, data

    def __call__(self, theta: np.ndarray) -> np.ndarray:
        if self.data is None:
            values = self.pool.map(self.function, list(theta))
        else:
            values = self.pool.map(_WithData(self.function, self.data), list(theta))
        return np.asarray(list(values), dtype=float)


class _WithData:
    def __init__(self, function: Callable, data: Any):
        self.function, self.data = function, data

    def __call__(self, theta: np.ndarray) -> Any:
        return self.function(theta, self.data)


class Model:
    """A model: priors of its parameters, and a log likelihood.

    Parameters
    ----------
    name:
        What it is called in results.
    priors:
        A prior for each parameter, in order: of :mod:`evident.priors`, a text such as ``"normal(0, 10)"``, or a frozen
        distribution of ``scipy.stats``.
    log_likelihood:
        A function of an array (n, d), one row for each parameter vector, that returns n numbers; of one vector (d,)
        with ``vectorized=False``. It may be a compiled function: see ``compiled``. With ``data`` in :func:`compare`
        it gets the data as second argument, and so do the functions below.
    vectorized:
        Whether ``log_likelihood`` takes many vectors at once.
    gradient:
        The gradient of the log likelihood, (n, d) to (n, d): for the kernels "mala" and "hmc".
    compiled:
        For a numba ``cfunc`` or a ctypes pointer, called without the interpreter lock. "scalar":
        ``double f(const double* theta, int64 d)``; "batch": ``void f(const double* theta, int64 n, int64 d, double* out)``.
    weight:
        Prior weight of the model.
    observations:
        How many observations there are, when a method (BIC) wants to know.
    pool:
        Something with a ``map``, for a scalar function that is slow: a ``multiprocessing.Pool`` say.
    observed:
        The observations, for predictive checks: an array, or ``{"y": array}``.
    predict:
        Draws new observations: ``predict(theta, rng)``, (n, d) and a ``numpy.random.Generator`` to (n, observations).
    mean:
        The mean of each observation, (n, d) to (n, observations).
    pointwise:
        Log likelihood of each observation, (n, d) to (n, observations): for leave-one-out checks in ArviZ.
    axis:
        What the observations are drawn against, ``{"t": array}``.

    Examples
    --------
    >>> import numpy as np, evident
    >>> model = evident.Model("coin", {"p": "beta(1, 1)"}, lambda x: 15*np.log(x[:, 0]) + 5*np.log1p(-x[:, 0]))
    >>> model.parameters
    ['p']
    >>> model
    evident.Model('coin': p ~ beta(1, 1))
    """

    def __init__(self, name: str, priors: Mapping[str, Any], log_likelihood: Callable, *, vectorized: bool = True,
                 gradient: Optional[Callable] = None, compiled: str = "scalar", weight: float = 1.0,
                 observations: int = 0, pool: Any = None, observed: Any = None, predict: Optional[Callable] = None,
                 mean: Optional[Callable] = None, pointwise: Optional[Callable] = None,
                 axis: Optional[Mapping[str, Any]] = None):
        if not priors:
            raise ValueError(f"model '{name}' has no parameters: give priors={{'name': prior, ...}}")
        if not callable(log_likelihood) and _address_of(log_likelihood) is None:
            raise TypeError(f"model '{name}': log_likelihood is {type(log_likelihood).__name__}, expected a function")
        if compiled not in ("scalar", "batch"):
            raise ValueError(f"model '{name}': compiled is 'scalar' or 'batch', not {compiled!r}")
        if predict is not None and observed is None:
            raise ValueError(f"model '{name}': predict needs observed, what its draws are compared with")
        for parameter in map(str, priors):
            if parameter.endswith(" quantile") and parameter[:-len(" quantile")] in priors:
                raise ValueError(f"model '{name}': call '{parameter}' something else: beside a parameter "
                                 f"'{parameter[:-len(' quantile')]}' that name is the core's own")
        self.name, self.weight, self.priors = str(name), float(weight), dict(priors)
        self.log_likelihood, self.gradient, self.vectorized = log_likelihood, gradient, vectorized
        self.compiled, self.observations, self.pool = compiled, count("observations", observations), pool
        self.observed, self.predict, self.mean, self.pointwise, self.axis = observed, predict, mean, pointwise, axis
        # A prior that the core does not know is uniform on (0, 1) there, and the parameter is derived by its quantile
        # function.
        self._quantiles: dict[str, Any] = {}
        self._texts = [self._text(str(n), p) for n, p in self.priors.items()]
        self._core_names = _core.function_model(self._texts, len).parameters
        if self._quantiles and len(self._core_names) != len(self._texts):
            raise ValueError(f"model '{name}': a dirichlet or ordered prior cannot stand beside a prior that is given by its quantiles")

    def _text(self, name: str, prior: Any) -> tuple[str, str]:
        if isinstance(prior, (Prior, str)):
            return name, str(prior)
        if is_scipy(prior):
            known = from_scipy(prior)
            if known is not None:
                return name, known.text
            self._quantiles[name] = prior
            return f"{name} quantile", "uniform(0, 1)"
        raise TypeError(f"prior of '{name}': expected evident.priors, a text such as 'normal(0, 1)' or a frozen "
                        f"scipy.stats distribution, found {type(prior).__name__}")

    @property
    def parameters(self) -> list[str]:
        """Names of the parameters, in the order of the columns."""
        return list(self.priors) if self._quantiles else list(self._core_names)

    def _hidden(self) -> list[str]:
        """Parameters of the core that the user does not know."""
        return [f"{name} quantile" for name in self._quantiles]

    def _to_user(self, theta: np.ndarray) -> np.ndarray:
        """Parameters as the user knows them from those of the core."""
        if not self._quantiles:
            return theta
        theta = np.array(theta)
        for column, name in enumerate(self.priors):
            if name in self._quantiles:
                theta[:, column] = self._quantiles[name].ppf(theta[:, column])
        return theta

    def _build(self, data: Any = None) -> Any:
        """The model of the core."""
        address = _address_of(self.log_likelihood)
        if address is not None:
            if self._quantiles:
                raise ValueError(f"model '{self.name}': a compiled function needs priors that the core knows; "
                                 f"'{next(iter(self._quantiles))}' has another one")
            return _core.pointer_model(self._texts, address, self.compiled == "batch", self.log_likelihood,
                                       self.observations)
        if self.gradient is not None and self._quantiles:
            raise ValueError(f"model '{self.name}': a gradient needs priors that the core knows")
        vectorized = self.vectorized
        if not vectorized and self.pool is not None:
            pooled = _Pooled(self.pool, self.log_likelihood, data)
            function: Callable = (lambda theta: pooled(self._to_user(theta))) if self._quantiles else pooled
            vectorized = True
        else:
            function = self._wrap(self.log_likelihood, data, vectorized)
        derive, columns = None, [i for i, n in enumerate(self.priors) if n in self._quantiles]
        if columns:
            derive = lambda theta: self._to_user(theta)[:, columns]  # noqa: E731
        observed = self._observed()
        return _core.function_model(
            self._texts, function, self._optional(self.gradient, data), vectorized,
            self.observations or sum(len(o[1]) for o in observed), list(self._quantiles), derive,
            observed if self.predict is not None else [], self._drawer(data), self._optional(self.mean, data))

    def _sum(self) -> str:
        """Of all that results depend on and that the core does not see."""
        return sum_of(self.priors, self.vectorized, self.compiled, self.observations, self.log_likelihood, self.gradient)

    def _observed(self) -> list[tuple]:
        if self.observed is None:
            return []
        series = self.observed if isinstance(self.observed, Mapping) else {"y": self.observed}
        axis_name, axis = next(iter(self.axis.items())) if self.axis else ("", [])
        out = []
        for name, values in series.items():
            values = np.asarray(values, dtype=float).ravel().tolist()
            fits = len(axis) == len(values)
            out.append((str(name), values, str(axis_name) if fits else "",
                        np.asarray(axis, dtype=float).tolist() if fits else []))
        return out

    def _optional(self, function: Optional[Callable], data: Any) -> Optional[Callable]:
        return None if function is None else self._wrap(function, data, True)

    def _drawer(self, data: Any) -> Optional[Callable]:
        predict = self.predict
        if predict is None:
            return None
        if data is None:
            return lambda theta, rng: predict(self._to_user(theta), rng)
        return lambda theta, rng: predict(self._to_user(theta), rng, data)

    def _wrap(self, function: Callable, data: Any, vectorized: bool) -> Callable:
        if data is not None:
            inner = function
            function = lambda theta: inner(theta, data)  # noqa: E731
        if not self._quantiles:
            return function
        if vectorized:
            return lambda theta: function(self._to_user(theta))
        return lambda theta: function(self._to_user(theta[None, :])[0])

    def __repr__(self) -> str:
        return f"evident.Model({self.name!r}: {', '.join(f'{n} ~ {p}' for n, p in self._prior_texts())})"

    def _prior_texts(self) -> Sequence[tuple[str, str]]:
        return [(n, f"scipy.stats.{p.dist.name}" if n in self._quantiles else t)
                for (n, p), (_, t) in zip(self.priors.items(), self._texts)]


class CoreModel(Model):
    """A model of the core: of a study file, or built in. Made by :func:`evident.study_models` and :func:`evident.model`."""

    def __init__(self, name: str, kind: str, weight: float, core: Any):
        self.name, self.kind, self.weight, self.core = name, kind, float(weight), core
        self.priors = dict(zip(core.parameters, core.priors))
        self._texts = list(self.priors.items())
        self._quantiles, self._core_names, self.pointwise = {}, list(core.parameters), None

    def _build(self, data: Any = None) -> Any:
        return self.core

    def _sum(self) -> str:
        return sum_of(self.priors, self.kind, self.core.observed)

    def log_likelihood(self, theta: Any) -> np.ndarray:  # type: ignore[override]
        """Log likelihood of each row of parameters."""
        return self.core.log_likelihood(np.atleast_2d(np.asarray(theta, dtype=float)))

    def log_prior(self, theta: Any) -> np.ndarray:
        """Log prior density of each row of parameters."""
        return self.core.log_prior(np.atleast_2d(np.asarray(theta, dtype=float)))

    def draw_prior(self, n: int, seed: int = 1) -> np.ndarray:
        """Rows of parameters drawn from the prior."""
        return self.core.draw_prior(count("n", n), count("seed", seed))

    def draw_observations(self, theta: Any, seed: int = 1) -> np.ndarray:
        """A row of new observations for each row of parameters."""
        return self.core.draw_observations(np.atleast_2d(np.asarray(theta, dtype=float)), count("seed", seed))


AnyModel = Union[Model, CoreModel]
