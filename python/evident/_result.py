"""Results of a comparison."""
from __future__ import annotations

import html
import json
import math
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Union

import numpy as np

from . import _core
from ._figure import probability_bar

__all__ = ["Result", "ModelResult", "load"]

_QUANTILE = " quantile"


def _visible(names: list[str]) -> list[int]:
    """Columns that the user knows: a parameter stands where the core has its quantile."""
    at = {name: i for i, name in enumerate(names)}
    out: list[int] = []
    for i, name in enumerate(names):
        own = at.get(name[:-len(_QUANTILE)]) if name.endswith(_QUANTILE) else None
        column = i if own is None else own
        if column not in out:
            out.append(column)
    return out


def _structured(names: list[str], values: np.ndarray) -> np.ndarray:
    out = np.empty(len(values), dtype=[(name, float) for name in names])
    for j, name in enumerate(names):
        out[name] = values[:, j]
    return out


def _is_number(value: Any) -> bool:
    return value is None or isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_interval(value: Any) -> bool:
    return not value or isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _is_texts(value: Any) -> bool:
    return value is None or isinstance(value, list) and all(isinstance(v, str) for v in value)


def _is_named(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, dict) and isinstance(v.get("name"), str) for v in value)


def _is_reasons(value: Any) -> bool:
    return value is None or isinstance(value, list) and all(
        isinstance(v, dict) and isinstance(v.get("text"), str) for v in value)


#: What this module reads of a document, and of the entry of each model: is a value as the core writes it?
_OF_RESULT = {"seed": lambda v: isinstance(v, int) and not isinstance(v, bool), "seconds": _is_number, "models": _is_named}
_OF_MODEL = {"log_evidence": _is_number, "log_evidence_se": _is_number, "probability": _is_number,
             "log_evidence_interval": _is_interval, "probability_interval": _is_interval,
             "verdict": lambda v: v is None or isinstance(v, str), "reasons": _is_reasons, "warnings": _is_texts,
             "likelihood_evaluations": _is_number, "parameters": _is_named}


def _check(document: dict, place: str) -> None:
    """Throws InputError when the document is not as the core writes it: it may come from a damaged file."""
    def look(entry: dict, known: Mapping, of: str) -> None:
        for key, fits in known.items():
            if not fits(entry.get(key)):
                wrong = "missing" if key not in entry else "not what it should be"
                raise _core.InputError(f"{place}: '{key}'{of} is {wrong}; the file is not as evident wrote it")

    look(document, _OF_RESULT, "")
    for entry in document["models"]:
        look(entry, _OF_MODEL, f" of model '{entry['name']}'")


class ModelResult:
    """What came out for one model.

    ``posterior`` is a structured array of draws of equal weight, a field for each parameter; ``draws`` and ``weights`` are
    the weighted draws as the sampler left them.
    """

    def __init__(self, document: dict, draws: Optional[dict], trace: Optional[Mapping], seed: int = 1):
        self.document, self._seed = document, seed
        self._draws = draws if draws is not None and len(draws["weights"]) else None
        #: The run step by step: arrays by name, ``trace["alpha"]`` say.
        self.trace: dict[str, np.ndarray] = dict(trace or {})
        #: The comparison that this is a part of; None after pickling it alone.
        self.comparison: Optional[Result] = None
        self._model: tuple[Any, Any] = (None, None)  # of the user, of the core
        self._data: Any = None

    # Numbers -----------------------------------------------------------------------------------------------------------
    def _number(self, key: str) -> float:
        value = self.document.get(key)
        return float("nan") if value is None else value

    def _interval(self, key: str) -> Optional[tuple[float, float]]:
        value = self.document.get(key)
        return (value[0], value[1]) if value else None

    @property
    def name(self) -> str:
        """What the model is called."""
        return self.document["name"]

    @property
    def log_evidence(self) -> float:
        """Logarithm of the evidence p(data | model)."""
        return self._number("log_evidence")

    @property
    def log_evidence_se(self) -> float:
        """Its standard error."""
        return self._number("log_evidence_se")

    @property
    def log_evidence_interval(self) -> Optional[tuple[float, float]]:
        """95 % interval; None when the method has none."""
        return self._interval("log_evidence_interval")

    @property
    def probability(self) -> float:
        """Posterior probability of the model."""
        return self._number("probability")

    @property
    def probability_interval(self) -> Optional[tuple[float, float]]:
        """95 % interval, from the errors of all log evidences."""
        return self._interval("probability_interval")

    @property
    def verdict(self) -> Optional[str]:
        """'trust', 'run longer', 'do not trust', or 'unjudged': there was no check, which is not trust."""
        return self.document.get("verdict")

    @property
    def reasons(self) -> list[str]:
        """Why the verdict is not better."""
        return [r["text"] for r in self.document.get("reasons") or []]

    @property
    def warnings(self) -> list[str]:
        """What the run complained of."""
        return list(self.document.get("warnings") or [])

    @property
    def evaluations(self) -> int:
        """How often the likelihood was evaluated."""
        return self.document.get("likelihood_evaluations") or 0

    # Draws -------------------------------------------------------------------------------------------------------------
    def _need_draws(self) -> dict:
        if self._draws is None:
            raise ValueError(f"there are no posterior draws of model '{self.name}': its method gives none")
        return self._draws

    @property
    def parameters(self) -> list[str]:
        """Names of the parameters, and of quantities derived from them."""
        names = list(self._draws["names"]) if self._draws else [p["name"] for p in self.document["parameters"]]
        return [names[i] for i in _visible(names)]

    @property
    def draws(self) -> np.ndarray:
        """Weighted draws, (n, parameters)."""
        draws = self._need_draws()
        return draws["values"][:, _visible(list(draws["names"]))]

    @property
    def weights(self) -> np.ndarray:
        """Their weights, which add up to one."""
        return self._need_draws()["weights"]

    @property
    def log_likelihood(self) -> np.ndarray:
        """Log likelihood of each weighted draw."""
        return self._need_draws()["log_likelihood"]

    @property
    def log_prior(self) -> np.ndarray:
        """Log prior density of each weighted draw."""
        return self._need_draws()["log_prior"]

    def _picked(self) -> np.ndarray:
        """Systematic resampling: as many draws of equal weight."""
        weights = self.weights
        n = len(weights)
        start = np.random.default_rng(self._seed).random()
        edges = np.cumsum(weights)
        edges[-1] = 1.0
        return np.searchsorted(edges, (np.arange(n) + start) / n, side="right").clip(0, n - 1)

    @property
    def posterior(self) -> np.ndarray:
        """Draws of equal weight: a structured array with a field for each parameter."""
        return _structured(self.parameters, self.draws[self._picked()])

    @property
    def prior(self) -> Optional[np.ndarray]:
        """A thousand draws of the prior, as ``posterior``; None when they are not known."""
        whole = self.comparison
        draws = None if whole is None else whole._native.prior(whole.models.index(self), self.name, self._model[1])
        if draws is None:
            return None
        names, shown = draws["names"], _visible(draws["names"])
        return _structured([names[i] for i in shown], draws["values"][:, shown])

    @staticmethod
    def _plain(structured: np.ndarray) -> np.ndarray:
        return np.column_stack([structured[name] for name in structured.dtype.names])

    def _core_draws(self) -> np.ndarray:
        return self._need_draws()["values"][:, :len(self._model[1].parameters)]

    def summary(self) -> dict[str, dict[str, float]]:
        """Mean, standard deviation and quantiles of each parameter."""
        known = {p["name"]: {k: v for k, v in p.items() if k != "name"} for p in self.document["parameters"]}
        return {name: known[name] for name in self.parameters if name in known}

    def to_arviz(self) -> Any:
        """An ``arviz.InferenceData``: posterior, prior, sample_stats; predictions, observations and pointwise log
        likelihoods where the model has them."""
        from ._arviz import inference_data
        return inference_data(self)

    def __repr__(self) -> str:
        return (f"<{self.name}: log evidence {self.log_evidence:.3f} ± {self.log_evidence_se:.3f}, probability "
                f"{self.probability:.3f}, {self.verdict or 'no verdict'}>")

    def __getstate__(self) -> dict:
        return {**self.__dict__, "comparison": None, "_model": (None, None), "_data": None}


class Result:
    """A finished comparison: ``result["name"]`` is a model's part, ``result.table()`` the overview."""

    def __init__(self, document: dict, models: list[ModelResult], native: Any):
        self.document, self.models, self._native = document, models, native
        for model in models:
            model.comparison = self

    @classmethod
    def _from_native(cls, native: Any, sources: Optional[list] = None, data: Any = None,
                     place: str = "result.json") -> "Result":
        document = json.loads(native.json())
        _check(document, place)
        cores = native.models()
        parts = []
        for i, entry in enumerate(document["models"]):
            part = ModelResult(entry, native.draws(i), native.trace(i), document["seed"])
            part._model = sources[i] if sources else (None, cores.get(entry["name"]))
            part._data = data
            parts.append(part)
        return cls(document, parts, native)

    def __getitem__(self, key: Union[int, str]) -> ModelResult:
        if isinstance(key, (int, np.integer)):
            return self.models[key]
        for model in self.models:
            if model.name == key:
                return model
        raise KeyError(f"there is no model {key!r}; there are {', '.join(repr(m.name) for m in self.models)}")

    def __iter__(self) -> Iterator[ModelResult]:
        return iter(self.models)

    def __len__(self) -> int:
        return len(self.models)

    @property
    def best(self) -> ModelResult:
        """The most probable model."""
        return max(self.models, key=lambda m: -1 if math.isnan(m.probability) else m.probability)

    @property
    def seed(self) -> int:
        """With it the numbers come out the same."""
        return self.document["seed"]

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.document["seconds"]

    @property
    def probabilities(self) -> dict[str, float]:
        """Posterior probability of each model."""
        return {m.name: m.probability for m in self.models}

    def log_bayes_factor(self, first: Any, second: Any) -> float:
        """log p(data | first) - log p(data | second)."""
        return self[first].log_evidence - self[second].log_evidence

    def rows(self) -> list[dict]:
        """One dictionary a model: what the table shows."""
        out = []
        for m in self.models:
            low, high = m.probability_interval or (float("nan"),) * 2
            out.append({"model": m.name, "log_evidence": m.log_evidence, "se": m.log_evidence_se,
                        "probability": m.probability, "low": low, "high": high, "verdict": m.verdict or ""})
        return out

    def table(self) -> Any:
        """A pandas ``DataFrame`` where pandas is installed, else a list of dictionaries."""
        try:
            import pandas
        except ImportError:
            return self.rows()
        return pandas.DataFrame(self.rows()).set_index("model")

    def to_arviz(self) -> dict[str, Any]:
        """An ``InferenceData`` for each model."""
        return {m.name: m.to_arviz() for m in self.models}

    # Files -------------------------------------------------------------------------------------------------------------
    def _own_models(self) -> list[tuple]:
        return [(m.name, m._model[0].weight, m._model[1]) for m in self.models if m._model[0] is not None]

    def _files(self) -> dict[str, str]:
        """The files of a results folder, by name."""
        return self._native.files(self._own_models())

    def save(self, folder: Any, *, force: bool = False) -> Path:
        """Writes the files that ``evident compare`` writes; the folder must be new or empty. With ``force`` the results
        of an earlier run are replaced, and nothing that evident did not write."""
        folder = Path(folder)
        if folder.exists() and not force and any(folder.iterdir()):
            raise FileExistsError(f"{folder} is there already and not empty; force=True replaces earlier results")
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._native.save(self._own_models(), str(folder))
        return folder

    def report(self, file: Any) -> Path:
        """Writes the HTML report: one file, which opens in any browser."""
        file = Path(file)
        file.write_text(self._native.report(self._own_models()), encoding="utf-8")
        return file

    # Showing -----------------------------------------------------------------------------------------------------------
    def __str__(self) -> str:
        rows = self.rows()
        width = max([5] + [len(r["model"]) for r in rows])
        lines = [f"{'model':<{width}}  log evidence      se  probability  verdict"]
        for r in rows:
            lines.append(f"{r['model']:<{width}}  {r['log_evidence']:12.3f}  {r['se']:6.3f}  {r['probability']:11.4f}  "
                         f"{r['verdict']}".rstrip())
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = []
        for r in self.rows():
            interval = "" if math.isnan(r["low"]) else f" ({r['low']:.3f} to {r['high']:.3f})"
            rows.append(
                f"<tr><th scope='row' style='text-align:left'>{html.escape(r['model'])}</th>"
                f"<td>{r['log_evidence']:.3f} ± {r['se']:.3f}</td>"
                f"<td style='text-align:left'>{probability_bar(r)} {r['probability']:.3f}{interval}</td>"
                f"<td>{html.escape(r['verdict'])}</td></tr>")
        return ("<table><thead><tr><th>model</th><th>log evidence</th><th>probability</th><th>verdict</th></tr></thead>"
                f"<tbody>{''.join(rows)}</tbody></table>")

    def __getstate__(self) -> dict:
        return {"files": self._files()}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(Result._from_native(_core.read_files(state["files"])).__dict__)
        for model in self.models:
            model.comparison = self


def load(folder: Any) -> Result:
    """Reads the results folder of ``evident compare`` or :meth:`Result.save`.

    >>> import evident
    >>> evident.load("nowhere")
    Traceback (most recent call last):
    FileNotFoundError: nowhere/result.json is not there: nowhere is no results folder of evident
    """
    folder = Path(folder)
    if not (folder / "result.json").is_file():
        raise FileNotFoundError(f"{folder / 'result.json'} is not there: {folder} is no results folder of evident")
    return Result._from_native(_core.read_folder(str(folder)), place=str(folder / "result.json"))
