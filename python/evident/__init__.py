"""Which of these models does my data support, and how sure are we?

>>> import numpy as np, evident
>>> def tosses(theta):                                   # fifteen heads in twenty tosses
...     p = theta[:, 0]
...     return 15 * np.log(p) + 5 * np.log1p(-p)
>>> fair = evident.Model("fair", {"p": "beta(100, 100)"}, tosses)
>>> free = evident.Model("free", {"p": "uniform(0, 1)"}, tosses)
>>> evident.compare([fair, free]).best.name
'free'
"""
from . import pet, priors
from ._compare import compare, evidence, model, study_models
from ._core import InputError, RunError, __version__
from ._model import CoreModel, Model
from ._program import simulate
from ._result import ModelResult, Result, load

__all__ = ["CoreModel", "InputError", "Model", "ModelResult", "Result", "RunError", "compare", "evidence", "load",
           "model", "pet", "priors", "simulate", "study_models", "__version__"]
