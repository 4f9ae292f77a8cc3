"""Dictionaries to TOML, as far as studies need it."""
from __future__ import annotations

from typing import Any, Mapping

import numpy as np


def _key(key: str) -> str:
    return key if key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key) else _text(key)


def _text(value: str) -> str:
    out = ['"']
    for c in value:
        if c in '"\\':
            out.append("\\" + c)
        elif ord(c) < 0x20 or ord(c) == 0x7F:
            out.append(f"\\u{ord(c):04x}")
        else:
            out.append(c)
    return "".join(out) + '"'


def _value(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(k))} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    return _text(str(value))  # texts, and priors, which write themselves


def _is_table_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, Mapping) for v in value)


def _table(table: Mapping, path: str, lines: list[str]) -> None:
    later = []
    for key, value in table.items():
        if isinstance(value, Mapping) or _is_table_list(value):
            later.append((str(key), value))
        else:
            lines.append(f"{_key(str(key))} = {_value(value)}")
    for key, value in later:
        name = f"{path}.{_key(key)}" if path else _key(key)
        if isinstance(value, Mapping):
            lines.append(f"[{name}]")
            _table(value, name, lines)
        else:
            for entry in value:
                lines.append(f"[[{name}]]")
                _table(entry, name, lines)


def dumps(document: Mapping) -> str:
    """The document as TOML."""
    lines: list[str] = []
    _table(document, "", lines)
    return "\n".join(lines) + "\n"
