"""Compiled likelihoods: the same numbers as NumPy, without the interpreter lock."""
import ctypes
import math

import numpy as np
import pytest

import evident

PRIORS = {"x": "normal(0, 1)", "y": "normal(0, 2)"}


def reference(theta):
    return -0.5 * theta[:, 0] ** 2 - np.abs(theta[:, 1])


def test_ctypes_callback():
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.c_int64)
    function = kind(lambda t, d: -0.5 * t[0] ** 2 - abs(t[1]))
    part = evident.compare([evident.Model("m", PRIORS, function)], seed=1, particles=200, islands=2, threads=1)[0]
    same = evident.compare([evident.Model("m", PRIORS, reference)], seed=1, particles=200, islands=2)[0]
    assert part.log_evidence == pytest.approx(same.log_evidence, abs=1e-12)


@pytest.mark.parametrize("compiled", ["scalar", "batch"])
def test_numba(compiled):
    numba = pytest.importorskip("numba")
    from numba import types
    if compiled == "scalar":
        @numba.cfunc(types.double(types.CPointer(types.double), types.int64))
        def function(t, d):
            return -0.5 * t[0] ** 2 - abs(t[1])
    else:
        @numba.cfunc(types.void(types.CPointer(types.double), types.int64, types.int64, types.CPointer(types.double)))
        def function(t, n, d, out):
            for i in range(n):
                out[i] = -0.5 * t[i * d] ** 2 - abs(t[i * d + 1])
    model = evident.Model("m", PRIORS, function, compiled=compiled)
    part = evident.compare([model], seed=1, particles=400, islands=4)[0]
    same = evident.compare([evident.Model("m", PRIORS, reference)], seed=1, particles=400, islands=4)[0]
    assert part.log_evidence == pytest.approx(same.log_evidence, abs=1e-12)
    assert math.isfinite(part.log_evidence)
