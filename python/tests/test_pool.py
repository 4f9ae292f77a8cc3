"""A slow function of one vector, run by processes."""
import multiprocessing

import numpy as np
import pytest

import evident


def square(theta):
    return -float(theta[0] ** 2)


def shifted(theta, data):
    return -float((theta[0] - data) ** 2)


@pytest.fixture(scope="module")
def pool():
    with multiprocessing.get_context("spawn").Pool(2) as processes:
        yield processes


def run(function, data=None, **options):
    model = evident.Model("m", {"x": "normal(0, 1)"}, function, vectorized=False, **options)
    return evident.compare([model], data, particles=64, islands=2)[0].log_evidence


def test_the_same_numbers(pool):
    assert run(square, pool=pool) == run(square)
    assert run(shifted, 0.5, pool=pool) == run(shifted, 0.5)


def test_exceptions_come_through(pool):
    with pytest.raises(TypeError):
        run(shifted, pool=pool)  # no data
    assert np.isfinite(run(square, pool=pool))
