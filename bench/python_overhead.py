#!/usr/bin/env python3
"""What the Python package costs beyond the user's function, all in one run:

    PYTHONPATH=build/release/python build/venv/bin/python bench/python_overhead.py

 - share of the time outside of a vectorised NumPy function that takes 1 microsecond a particle, in a run of five million
   evaluations; the sampler's own work is part of it. By the processor's time with one thread, and by the clock with one
   and with two threads: while one is in the function, which the interpreter's lock makes serial, the other samples
 - a numba cfunc against the same likelihood in C, in a library of the user's own
"""
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import evident

ROWS = 64  # particles in a call
C_CODE = """#include <math.h>
#include <stdint.h>
static double one(const double* t, const double* y, int64_t n) {
  double s = 0;
  for (int64_t i = 0; i < n; ++i) { const double r = (y[i] - t[0] - t[1] * (double)i) / 3; s -= log1p(r * r); }
  return s;
}
double scalar(const double* t, int64_t d) { (void)d; static const double y[] = {%s}; return one(t, y, %d); }
"""


def spent(function, clock):
    """The function, and how long it took in all."""
    total = [0]

    def timed(theta):
        began = clock()
        out = function(theta)
        total[0] += clock() - began
        return out

    return timed, total


def numpy_of_one_microsecond():
    """Student-t residuals of as many observations as make a call of 64 rows take 64 microseconds."""
    rng = np.random.default_rng(1)
    theta = np.asfortranarray(rng.normal(size=(ROWS, 2)))
    for n in range(5, 2000, 5):
        y, x = rng.normal(size=n), np.linspace(0, 1, n)

        def log_likelihood(t, y=y, x=x):
            r = y - t[:, :1] - t[:, 1:] * x
            return -2 * np.log1p(r * r / 3).sum(axis=1)

        best = min(_time(lambda: log_likelihood(theta)) for _ in range(20))
        if best >= ROWS * 1e-6:
            return log_likelihood, best / ROWS
    raise SystemExit("this machine is too quick for the test")


def _time(call):
    began = time.process_time()
    call()
    return time.process_time() - began


def numpy_share(function, threads, inside, outside):
    shares = []
    for seed in range(3):
        timed, total = spent(function, inside)
        model = evident.Model("m", {"a": "normal(0, 1)", "b": "normal(0, 1)"}, timed)
        began = outside()
        evident.compare([model], seed=seed, particles=4096, islands=4, cess=0.999, threads=threads)
        shares.append(1 - total[0] / (outside() - began))
    return f"{min(shares):.1%} (median of three {sorted(shares)[1]:.1%})"


def compiled_ratio():
    import numba
    from numba import types
    n = 50
    rng = np.random.default_rng(2)
    y = rng.normal(size=n)

    @numba.cfunc(types.double(types.CPointer(types.double), types.int64))
    def in_numba(t, d):
        s = 0.0
        for i in range(n):
            r = (y[i] - t[0] - t[1] * i) / 3
            s -= math.log1p(r * r)
        return s

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "likelihood.c"
        source.write_text(C_CODE % (", ".join(map(repr, y.tolist())), n))
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", f"{folder}/likelihood.so", str(source), "-lm"], check=True)
        import ctypes
        in_c = ctypes.CDLL(f"{folder}/likelihood.so").scalar
        priors = {"a": "normal(0, 1)", "b": "normal(0, 0.1)"}
        times = {"numba": [], "C": []}
        values = {}
        for seed in range(7):
            for name, function in (("numba", in_numba), ("C", in_c)):
                model = evident.Model("m", priors, function)
                out = []
                times[name].append(_time(lambda: out.append(evident.compare([model], seed=seed, particles=4096, islands=4,
                                                                            threads=1))))
                values[name] = out[0][0].log_evidence
    if abs(values["numba"] - values["C"]) > 1e-6:
        sys.exit(f"numba and C disagree: {values}")
    return min(times["numba"]) / min(times["C"]), min(times["C"])


if __name__ == "__main__":
    function, each = numpy_of_one_microsecond()
    print(f"NumPy, {each * 1e6:.2f} us a particle; of the time outside of the function are")
    for text, threads, inside, outside in (
            ("processor, one thread", 1, time.thread_time_ns, time.process_time_ns),
            ("clock, one thread", 1, time.perf_counter_ns, time.perf_counter_ns),
            ("clock, two threads", 2, time.perf_counter_ns, time.perf_counter_ns)):
        print(f"  {text}: {numpy_share(function, threads, inside, outside)}", flush=True)
    ratio, seconds = compiled_ratio()
    print(f"numba cfunc against C: {ratio:.2f} times ({seconds:.2f} s)")
