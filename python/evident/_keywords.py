"""Keyword arguments that are listed in a dictionary with types (_options.py)."""
from __future__ import annotations

import inspect
import operator
from difflib import get_close_matches
from typing import Any, Callable, Mapping, TypeVar

import numpy as np

__all__ = ["checked", "count", "takes"]

_Function = TypeVar("_Function", bound=Callable)


def count(name: str, value: Any) -> int:
    """A whole number that the core can count to."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < 2**63:
        raise ValueError(f"{name} must be a whole number from 0 to {2**63 - 1}, was {value!r}")
    return number


def takes(options: Any) -> Callable[[_Function], _Function]:
    """Puts every option into the function's signature, for help() and for whoever else looks there."""

    def with_options(function: _Function) -> _Function:
        own = inspect.signature(function)
        named = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind.__forward_arg__)
                for name, kind in options.__annotations__.items()]
        function.__signature__ = own.replace(parameters=[*named, *more])  # type: ignore[attr-defined]
        return function

    return with_options


def checked(options: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Those that were given, as plain values of Python."""
    known = options.__annotations__
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            raise TypeError(f"there is no option '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
    return {name: value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
            for name, value in given.items() if value is not None}
