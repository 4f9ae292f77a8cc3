"""Results for ArviZ."""
from __future__ import annotations

from typing import Any

import numpy as np


def _split(name: str) -> tuple[str, int]:
    """'theta[3]' is entry 3 of theta; other names are themselves, entry 0."""
    if name.endswith("]") and "[" in name:
        base, _, inside = name[:-1].rpartition("[")
        if base and inside.isdigit():
            return base, int(inside)
    return name, 0


def _variables(names: list[str], values: np.ndarray) -> dict[str, np.ndarray]:
    """One chain of draws for each variable; theta[1], theta[2], ... become a vector."""
    groups: dict[str, list[tuple[int, int]]] = {}
    for column, name in enumerate(names):
        base, entry = _split(name)
        groups.setdefault(base, []).append((entry, column))
    out = {}
    for base, entries in groups.items():
        if [e for e, _ in entries] == list(range(1, len(entries) + 1)):
            out[base] = values[None][:, :, [c for _, c in entries]]
        else:
            for _, column in entries:
                out[names[column]] = values[None][:, :, column]
    return out


def _series(observed: list, rows: np.ndarray) -> dict[str, np.ndarray]:
    """The columns of `rows` by series."""
    out, at = {}, 0
    for name, numbers, *_ in observed:
        out[name] = rows[None][:, :, at:at + len(numbers)]
        at += len(numbers)
    return out


def inference_data(part: Any) -> Any:
    """An InferenceData of one model's result."""
    try:
        import arviz
    except ImportError as error:
        raise ImportError("to_arviz() needs ArviZ: pip install arviz") from error
    picked = part._picked()
    groups: dict[str, Any] = {
        "posterior": _variables(part.parameters, part.draws[picked]),
        "sample_stats": {"lp": (part._draws["log_likelihood"] + part._draws["log_prior"])[picked][None],
                         "log_likelihood_total": part._draws["log_likelihood"][picked][None]},
    }
    prior = part.prior
    if prior is not None:
        groups["prior"] = _variables(list(prior.dtype.names), part._plain(prior))
    model, core = part._model
    if core is not None:
        theta = np.asfortranarray(part._core_draws()[picked])
        observed = core.observed
        if observed:
            groups["posterior_predictive"] = _series(observed, core.draw_observations(theta, part._seed))
            groups["observed_data"] = {name: np.asarray(numbers) for name, numbers, *_ in observed}
        each = None
        if getattr(model, "pointwise", None) is not None:
            each = np.asarray(model._wrap(model.pointwise, part._data, True)(theta), dtype=float)
        elif core.has_pointwise:
            each = core.pointwise(theta)
        if each is not None:
            whole = observed and sum(len(o[1]) for o in observed) == each.shape[1]
            groups["log_likelihood"] = _series(observed, each) if whole else {"y": each[None]}
    attributes = {"inference_library": "evident", "log_evidence": part.log_evidence,
                  "log_evidence_se": part.log_evidence_se, "model": part.name}
    out = arviz.from_dict(**groups)
    out.attrs.update(attributes)
    out.posterior.attrs.update(attributes)
    return out
