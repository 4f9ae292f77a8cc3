"""What can be known of functions and data: a sum that changes with them, the same in every process."""
from __future__ import annotations

import functools
import hashlib
import sysconfig
import types
from typing import Any

import numpy as np

__all__ = ["sum_of"]

_INSTALLED = tuple({path for key, path in sysconfig.get_paths().items() if key in ("stdlib", "platstdlib", "purelib", "platlib")})


def sum_of(*values: Any) -> str:
    """Of code, constants, defaults, what functions refer to, and data. Not of what is read while they run, nor of
    compiled code; of other people's packages it knows the version, and of their objects the type."""
    writer = _Writer()
    for value in values:
        writer.put(value)
    return writer.sum.hexdigest()[:32]


class _Writer:
    def __init__(self) -> None:
        self.sum = hashlib.sha256()
        self._seen: dict[int, Any] = {}  # and kept alive, so that no other object gets its address

    def _text(self, *texts: str) -> None:
        for text in texts:
            data = text.encode("utf-8", "surrogatepass")
            self.sum.update(len(data).to_bytes(8, "little") + data)

    def put(self, value: Any) -> None:
        """Adds a value of any kind."""
        if value is None or value is Ellipsis or isinstance(value, (bool, int, str, bytes, complex)):
            return self._text(type(value).__name__, repr(value))
        if isinstance(value, float):
            return self._text("float", value.hex())
        if id(value) in self._seen:
            return self._text("seen before")
        self._seen[id(value)] = value
        if isinstance(value, (list, tuple)):
            self._text("sequence", str(len(value)))
            return self._each(value)
        if isinstance(value, dict):
            self._text("mapping", str(len(value)))
            return self._each(part for item in value.items() for part in item)
        if isinstance(value, (set, frozenset)):
            return self._text("set", *sorted(sum_of(one) for one in value))
        return self._thing(value)

    def _each(self, values: Any) -> None:
        for one in values:
            self.put(one)

    def _thing(self, value: Any) -> None:
        inner = getattr(value, "py_func", None) or getattr(value, "__wrapped__", None)
        if isinstance(value, types.ModuleType):
            self._text("module", value.__name__, str(getattr(value, "__version__", "")))
        elif isinstance(value, types.CodeType):
            self._code(value)
        elif isinstance(value, functools.partial):
            self._each((value.func, value.args, value.keywords))
        elif isinstance(value, types.MethodType):
            self._each((value.__func__, value.__self__))
        elif isinstance(value, types.FunctionType):
            self._function(value)
        elif inner is not None:
            self.put(inner)
        elif hasattr(value, "dist") and hasattr(value, "kwds"):  # a frozen distribution of scipy.stats
            self._each((value.dist.name, value.args, value.kwds))
        elif hasattr(value, "columns") and hasattr(value, "to_numpy"):
            self._each((str(value.columns.tolist()), value.to_numpy()))
        elif hasattr(value, "__array__") and not isinstance(value, type):
            self._array(np.asarray(value))
        else:
            self._object(value)

    def _array(self, values: np.ndarray) -> None:
        if values.dtype.hasobject:
            return self._each((values.shape, values.ravel().tolist()))
        self._text("array", values.dtype.str, str(values.shape))
        self.sum.update(np.ascontiguousarray(values).tobytes())

    def _code(self, code: types.CodeType) -> None:
        self._text("code", repr(code.co_names), repr(code.co_varnames), repr(code.co_freevars), str(code.co_argcount),
                   str(code.co_kwonlyargcount), str(code.co_flags), code.co_code.hex())
        self._each(code.co_consts)

    def _function(self, function: types.FunctionType) -> None:
        self._text("function", function.__qualname__)
        if _is_installed(function.__code__.co_filename):
            package = str(function.__module__).partition(".")[0]
            version = getattr(__import__(package), "__version__", "") if package else ""
            self._text(str(function.__module__), str(version))
        else:
            self._each((function.__code__, function.__defaults__, function.__kwdefaults__))
        for cell in function.__closure__ or ():
            try:
                self.put(cell.cell_contents)
            except ValueError:  # nothing is in it yet
                self._text("empty")
        if _is_installed(function.__code__.co_filename):
            return
        for name in sorted(_names(function.__code__)):
            if name in function.__globals__:
                self._text(name)
                self.put(function.__globals__[name])

    def _object(self, value: Any) -> None:
        kind = value if isinstance(value, type) else type(value)
        self._text("object", kind.__module__, kind.__qualname__)
        if kind.__module__ == "builtins" or _is_installed(_file_of(kind)):
            return None
        if not isinstance(value, type):
            self.put(dict(getattr(value, "__dict__", {})))
        return self._each(one for _, one in sorted(vars(kind).items()) if isinstance(one, types.FunctionType))


def _names(code: types.CodeType) -> set[str]:
    """Global names that code may use, with those of functions inside it."""
    return set(code.co_names).union(*(_names(c) for c in code.co_consts if isinstance(c, types.CodeType)))


def _is_installed(file: str) -> bool:
    return any(part in file for part in ("site-packages", "dist-packages")) or file.startswith(_INSTALLED)


def _file_of(kind: type) -> str:
    functions = [f for f in vars(kind).values() if isinstance(f, types.FunctionType)]
    return functions[0].__code__.co_filename if functions else "site-packages" if kind.__module__ != "__main__" else ""
