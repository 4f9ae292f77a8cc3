"""Comparing models from Python."""
from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._identity import sum_of
from ._keywords import checked, takes
from ._model import CoreModel, Model
from ._options import SamplerOptions
from ._result import ModelResult, Result
from ._toml import dumps

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["compare", "evidence", "model", "study_models"]

class _Bar:
    """A progress bar, where tqdm is there, or a function of the user's."""

    def __init__(self, progress: Any, title: str):
        self.bar = None
        self.show: Optional[Callable] = progress if callable(progress) else None
        if not progress or callable(progress):
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        self.bar = tqdm(desc=title[:40], unit=" runs", leave=False)
        self.show = self._draw

    def _draw(self, state: tuple) -> None:
        started, finished, steps, round_number = state
        assert self.bar is not None
        self.bar.total = max(started, self.bar.n)
        self.bar.update(finished - self.bar.n)
        self.bar.set_postfix(steps=steps, round=round_number)

    def __enter__(self) -> Optional[Callable]:
        return self.show

    def __exit__(self, *_: Any) -> None:
        if self.bar is not None:
            self.bar.close()


@takes(SamplerOptions)
def compare(models: Union[str, os.PathLike, Mapping, Model, Iterable[Model]], data: Any = None, *,
            progress: Any = None, checkpoint: Union[str, os.PathLike, None] = None, resume: bool = False,
            only: Sequence[str] = (), allow_code: bool = False, allow_outside: bool = False,
            **options: Unpack[SamplerOptions]) -> Result:
    """Which of these models do the data support?

    Parameters
    ----------
    models:
        A list of :class:`Model`, a study file, or a study as a dictionary (``{"model": [...]}``, with ``data`` a
        dictionary of columns or a pandas ``DataFrame``).
    data:
        Handed to the log likelihoods as second argument.
    progress:
        True for a bar (tqdm), or a function of (started, finished, steps, round).
    checkpoint:
        A folder that keeps what is done, so that nothing is lost when Python ends early. It goes when all is done.
    resume:
        Go on with what is in that folder, if anything is: the numbers are those of a run that was never stopped. What
        was made by other models, data or options is refused. Of a function, its code, constants and what it refers to
        count; what it reads from files, and compiled code inside it, cannot be known.
    only, allow_code, allow_outside:
        Of a study: names of the models to keep; may it run code; may it read data outside of its folder?
    seed, precision, decide, time, particles, islands, recipe, method, threads, ...:
        The options of the sampler, as in the [sampler] table of a study: ``evident models --sampler`` lists them. They
        have the last word over a study file, which takes those that the command line takes. ``threads`` is one per core
        for compiled models and formulas, and one for Python functions, unless given.

    Examples
    --------
    >>> import numpy as np, evident
    >>> tosses = lambda x: 15*np.log(x[:, 0]) + 5*np.log1p(-x[:, 0])
    >>> fair = evident.Model("fair", {"p": "beta(100, 100)"}, tosses)
    >>> free = evident.Model("free", {"p": "uniform(0, 1)"}, tosses)
    >>> result = evident.compare([fair, free], seed=7)
    >>> round(result["free"].log_evidence, 1)
    -12.7
    >>> result["fair"].verdict
    'trust'
    """
    chosen = checked(SamplerOptions, options)
    if resume and checkpoint is None:
        raise TypeError("resume needs to know the folder: checkpoint=...")
    kept = (os.fsdecode(checkpoint) if checkpoint is not None else "", bool(resume))
    if isinstance(models, (str, os.PathLike)):
        if data is not None:
            raise TypeError("a study file names its data itself: leave data out, or give the study as a dictionary")
        return _run_file(os.fsdecode(models), chosen, ([str(n) for n in only], bool(allow_code), bool(allow_outside)), progress, kept)
    if isinstance(models, Mapping):
        with _written_study(models, data) as file:
            return _run_file(file, chosen, ([str(n) for n in only], bool(allow_code), True), progress, kept)
    if only or allow_code or allow_outside:
        raise TypeError("only, allow_code and allow_outside are for studies")
    return _run_models([models] if isinstance(models, Model) else list(models), data, chosen, progress, kept)


def _run_models(models: Sequence[Model], data: Any, chosen: dict, progress: Any, kept: tuple[str, bool]) -> Result:
    for entry in models:
        if not isinstance(entry, Model):
            raise TypeError(f"expected evident.Model, found {type(entry).__name__}")
    built = [m._build(data) for m in models]
    chosen.setdefault("threads", 1 if any(b.calls_python for b in built) else 0)
    with _Bar(progress, ", ".join(m.name for m in models)) as show:
        with _kept_work(kept[0]):
            native = _core.compare([(m.name, m.weight, b) for m, b in zip(models, built)], chosen, show, *kept,
                                   _facts(models, data) if kept[0] else [])
    return Result._from_native(native, list(zip(models, built)), data)


def _facts(models: Sequence[Model], data: Any) -> list[tuple[str, str]]:
    """By which a checkpoint knows its run, as far as Python alone can tell."""
    return [("sum of the data", sum_of(data))] + [(f"sum of the functions of model '{m.name}'", m._sum()) for m in models]


@contextmanager
def _kept_work(folder: str) -> Iterator[None]:
    """An exception of the user's own function says how to go on."""
    try:
        yield
    except (_core.InputError, _core.RunError):  # say it themselves
        raise
    except BaseException as error:
        if folder and Path(folder, "journal").exists() and hasattr(error, "add_note"):  # Python 3.11
            error.add_note(f"what is done is kept in {folder}: call again with resume=True to go on")
        raise


def _run_file(file: str, chosen: dict, reading: tuple[list[str], bool, bool], progress: Any,
              kept: tuple[str, bool]) -> Result:
    with _Bar(progress, Path(file).name) as show:
        with _kept_work(kept[0]):
            return Result._from_native(_core.run_study(file, chosen, *reading, show, *kept))


class _written_study:
    """A study and its data as files, for as long as they are read."""

    def __init__(self, study: Mapping, data: Any):
        self.study, self.data = dict(study), data

    def __enter__(self) -> str:
        self.folder = tempfile.TemporaryDirectory(prefix="evident-")
        folder = Path(self.folder.name)
        try:
            if self.data is not None:
                _write_columns(folder / "data.csv", self.data)
                self.study["data"] = {**self.study.get("data", {}), "file": "data.csv"}
            (folder / "study.toml").write_text(dumps(self.study))
        except BaseException:
            self.folder.cleanup()
            raise
        return str(folder / "study.toml")

    def __exit__(self, *_: Any) -> None:
        self.folder.cleanup()


def _write_columns(file: Path, data: Any) -> None:
    if not isinstance(data, Mapping) and not hasattr(data, "columns"):
        data = {"y": data}
    columns = {str(k): list(data[k]) for k in (data.columns if hasattr(data, "columns") else data)}
    lengths = {k: len(v) for k, v in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"the columns of data differ in length: {lengths}")

    def cell(value: Any) -> str:
        if isinstance(value, str):
            return '"' + value.replace('"', '""') + '"'
        return repr(float(value))

    lines = [",".join('"' + k.replace('"', '""') + '"' for k in columns)]
    lines += [",".join(cell(v) for v in row) for row in zip(*columns.values())]
    file.write_text("\n".join(lines) + "\n")


def study_models(study: Union[str, os.PathLike, Mapping], data: Any = None, *,
                 allow_code: bool = False, allow_outside: bool = False) -> dict[str, CoreModel]:
    """The models of a study file, or of a dictionary as for :func:`compare`, by name.

    They can be compared with models of your own, and evaluated: ``.log_likelihood(theta)``, ``.draw_prior(n)``.

    Examples
    --------
    >>> import evident
    >>> line = {"name": "line", "parameters": {"a": "normal(0, 5)", "b": "normal(0, 2)"},
    ...         "likelihood": {"y": "normal(a + b*t, 1)"}}
    >>> models = evident.study_models({"model": [line]}, data={"t": [0, 1, 2], "y": [0.1, 1.2, 1.9]})
    >>> models["line"].parameters
    ['a', 'b']
    >>> models["line"].log_likelihood([[0, 1]]).round(3)
    array([-2.787])
    """
    if isinstance(study, Mapping):
        with _written_study(study, data) as file:
            found = _core.read_study(file, bool(allow_code), True).models  # the paths are the caller's own
    else:
        found = _core.read_study(os.fsdecode(study), bool(allow_code), bool(allow_outside)).models
    return {name: CoreModel(name, kind, weight, core) for name, kind, weight, core in found}


def model(name: str, kind: str, data: Any = None, *, weight: float = 1.0, **keys: Any) -> CoreModel:
    """A model that the core brings along, with the keys that ``evident models KIND`` lists.

    Examples
    --------
    >>> import evident
    >>> evident.model("one", "gaussian-mixture", data=[0.1, 0.4, -0.3], components=1).parameters[:2]
    ['mu[1]', 'lambda[1]']
    """
    table = {"name": name, "kind": kind, **keys}
    found = study_models({"model": [table]}, data)[name]
    found.weight = float(weight)
    return found


class _Cube(Model):
    """A model in the manner of nested samplers: a unit cube, and a map from it to the parameters."""

    def __init__(self, name: str, names: Sequence[str], loglike: Callable, transform: Callable, vectorized: bool):
        super().__init__(name, {f"{n} quantile": "uniform(0, 1)" for n in names}, lambda u: loglike(transform(u)),
                         vectorized=vectorized)
        self.names, self.transform = list(names), transform

    @property
    def parameters(self) -> list[str]:
        return list(self.names)

    def _hidden(self) -> list[str]:
        return list(self.priors)

    def _to_user(self, theta: np.ndarray) -> np.ndarray:
        if self.vectorized:
            return np.asarray(self.transform(theta), dtype=float)
        return np.array([np.array(self.transform(row), dtype=float) for row in theta]).reshape(len(theta), -1)

    def _build(self, data: Any = None) -> Any:
        return _core.function_model(self._texts, self._wrap(self.log_likelihood, data, self.vectorized), None,
                                    self.vectorized, 0, self.names, self._to_user)


@takes(SamplerOptions)
def evidence(loglike: Callable, prior_transform: Callable, ndim: int, *, vectorized: bool = False,
             names: Optional[Sequence[str]] = None, name: str = "model", progress: Any = None,
             checkpoint: Union[str, os.PathLike, None] = None, resume: bool = False,
             **options: Unpack[SamplerOptions]) -> ModelResult:
    """Log evidence in the manner of nested samplers: a log likelihood, and a map from the unit cube to the parameters.

    The other arguments are those of :func:`compare`. The whole comparison is in ``.comparison``.

    Examples
    --------
    >>> import numpy as np, evident
    >>> loglike = lambda x: -0.5 * np.sum((x / 0.3) ** 2, axis=1) - x.shape[1] * np.log(0.3 * np.sqrt(2 * np.pi))
    >>> found = evident.evidence(loglike, lambda u: 10 * u - 5, 2, vectorized=True, seed=3)
    >>> round(found.log_evidence, 1)       # -2 log 10
    -4.6
    """
    names = list(names) if names is not None else [f"x{j + 1}" for j in range(ndim)]
    if len(names) != ndim:
        raise ValueError(f"names has {len(names)} entries, ndim is {ndim}")
    return compare([_Cube(name, names, loglike, prior_transform, vectorized)], progress=progress, checkpoint=checkpoint,
                   resume=resume, **options)[0]
