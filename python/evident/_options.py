"""Options as keyword arguments with their types.

Printed by `evident reference --format python`; a test compares. Edit src/study/sampler_options.cpp or
cli/cmd/pet/table.cpp instead.
"""
from __future__ import annotations

from os import PathLike
from typing import Literal, Optional, Sequence, TypedDict, Union


class SamplerOptions(TypedDict, total=False):
    """Of compare() and evidence(): the keys of [sampler] in a study."""

    method: Optional[Literal["direct", "all-in-one", "relative", "ais", "data-tempering", "population-mcmc", "rjmcmc", "harmonic-mean", "chib", "bic"]]
    """how models are compared; 'evident methods' lists them; default "direct"."""
    particles: Optional[int]
    """particles of each run; whole number between 2 and 100000000; default 1000."""
    schedule: Optional[Literal["cess", "ess", "linear", "prior", "posterior", "list"]]
    """how the steps from prior to posterior are chosen; default "cess"."""
    cess: Optional[float]
    """share of the conditional effective sample size to keep at each step, for schedule cess; number above 0 and below 1; default 0.9 with islands, else 0.999."""
    ess: Optional[float]
    """share of the effective sample size to keep at each step, for schedule ess; number above 0 and below 1; default 0.999."""
    alphas: Optional[Sequence[float]]
    """increasing tempering parameters that end at 1, for schedule list; list of numbers between 0 and 1."""
    steps: Optional[int]
    """number of steps, for schedules linear, prior and posterior; whole number between 1 and 10000000; default 500."""
    ladder: Optional[Literal["linear", "prior", "posterior"]]
    """where the rungs stand; default "prior"."""
    power: Optional[float]
    """power of the prior and posterior schedules, and of such a ladder; number above 0; default 5."""
    seed: Optional[int]
    """start of the random numbers; the same seed gives the same result; whole number between 0 and 18446744073709551615; default 1."""
    threads: Optional[int]
    """threads to use; 0 = one per core; the result does not depend on it; whole number between 0 and 1024; default 0."""
    replicates: Optional[int]
    """independent adaptive runs of each model, in place of islands; whole number between 1 and 100000; default 1."""
    islands: Optional[int]
    """frozen runs after a pilot, for an evidence with an error and a verdict; 0 = one adaptive run; whole number between 0 and 100000; default 8."""
    recipe: Optional[Literal["islands", "adaptive"]]
    """islands: a pilot, then frozen runs; adaptive: runs that adapt themselves, as in the paper; default "islands"."""
    precision: Optional[float]
    """add islands until the standard error of each log evidence that matters is below this; number between 0.0001 and 10."""
    decide: Optional[float]
    """add islands until the best model's probability is above or below this with confidence; number above 0 and below 1."""
    time: Optional[str]
    """give the best answer within this time, such as 90s, 10m or 2h; time in quotes."""
    resample: Optional[Literal["multinomial", "residual", "stratified", "systematic", "residual-stratified"]]
    """how particles are resampled; default "stratified"."""
    resample_threshold: Optional[float]
    """resample when the effective sample size is below this share; number between 0 and 1; default 0.5."""
    kernel: Optional[Literal["random-walk", "crank-nicolson", "mala", "hmc", "independent", "automatic"]]
    """how particles move; mala and hmc are for models with a gradient; automatic: hmc where there are more than 50 coordinates and a gradient, else crank-nicolson; default "automatic" with islands, else "random-walk"."""
    grouping: Optional[Literal["joint", "blocks", "single"]]
    """what one proposal changes: all coordinates, the blocks of the model, or single ones; default "blocks"."""
    scale_rule: Optional[Literal["adaptive", "band", "jump", "manual"]]
    """how proposals are scaled; manual is for kinds that define it; default "jump" with islands, else "band"."""
    scale: Optional[float]
    """factor on the particles' own spread (mala: 1.65/d^(1/6)); number above 0; default 2.38/sqrt(d)."""
    band: Optional[Sequence[float]]
    """acceptance to stay within, for scale_rule band; list of numbers above 0 and below 1; default [0.15, 0.5]."""
    passes: Optional[int]
    """moves at each step; whole number between 1 and 10000; default as many as it takes with islands, else 3."""
    waste_free: Optional[int]
    """keep every state of chains of this length, which divides particles; 0 = only the last; whole number between 0 and 100000000; default 0."""
    mix_scales: Optional[bool]
    """draw a scale of its own for each proposal; true or false; default false."""
    own_moves: Optional[bool]
    """use the moves that a model brings along; true or false; default true."""
    max_prior_draws: Optional[int]
    """where the likelihood is zero on most of the prior: draws at most of each run, to find possible ones; whole number between 0 and 1000000000; default 1000000."""
    nan_limit: Optional[float]
    """share of NaN likelihoods above which a run fails; number between 0 and 1; default 0.99."""
    max_steps: Optional[int]
    """steps after which a run is given up; whole number between 1 and 1000000000; default 100000."""
    jump_passes: Optional[int]
    """proposals of each kind of jump between models at every step; whole number between 1 and 10000; default 1."""
    chains: Optional[int]
    """chains side by side; for population-mcmc rungs of the ladder; whole number between 2 and 100000, for rjmcmc at least 1; default 30; rjmcmc 8; harmonic-mean 64."""
    burn_in: Optional[int]
    """iterations that are thrown away; whole number between 0 and 1000000000, for rjmcmc at least 100; default 2000; harmonic-mean 500; chib 1000."""
    iterations: Optional[int]
    """iterations that are kept, of each chain; whole number between 2 and 1000000000, for rjmcmc at least 20; default 5000; harmonic-mean 500; chib 10000."""
    thin: Optional[int]
    """keep every so many-th draw of the parameters; whole number between 1 and 1000000000; default 1."""
    ladders: Optional[int]
    """independent ladders side by side; 4 or more give an error; whole number between 1 and 100000; default 1."""
    update: Optional[Literal["parallel", "serial"]]
    """parallel: every chain moves in each iteration; serial: one of them; default "parallel"."""
    adaptive_ladder: Optional[bool]
    """spread the rungs during the burn-in; true or false; default false."""


class PetOptions(TypedDict, total=False):
    """Of pet.map(), beside its own arguments."""

    input_function: Optional[Union[str, PathLike]]
    """a finished input function instead of blood samples."""
    plasma_from_blood: Optional[bool]
    """take whole blood for plasma."""
    frames: Optional[Union[str, PathLike]]
    """table of frame starts and durations, instead of the sidecar's."""
    units: Optional[str]
    """of the image or table, such as Bq/mL."""
    blood_units: Optional[str]
    """of the blood, such as kBq/mL."""
    time_unit: Optional[str]
    """s or min."""
    nuclide: Optional[str]
    """radionuclide, such as C11; none: no decay."""
    decay_corrected: Optional[bool]
    """whether the values are corrected for decay."""
    decay_reference: Optional[float]
    """the time they are corrected to, in s after time zero; number between -86400 and 86400."""
    injection_start: Optional[float]
    """time of the injection, in s after time zero; number between -86400 and 86400."""
    models: Optional[Union[str, Sequence[int]]]
    """compartments to compare (default 1,2,3)."""
    prior: Optional[Union[str, PathLike]]
    """wide (default), zhou2013-n, zhou2013-i or a TOML file."""
    noise: Optional[Literal["t", "normal"]]
    """t or normal (default: that of the prior)."""
    noise_dt: Optional[Literal["duration", "midtime-diff"]]
    """what a frame's variance is divided by: duration (default) or midtime-diff."""
    vb: Optional[float]
    """blood volume, a fixed fraction (default 0); number between 0 and 0.5."""
    delay: Optional[Union[float, Literal["auto"]]]
    """seconds from blood to tissue, or auto (default)."""
    frame: Optional[Literal["average", "middle"]]
    """what is predicted of a frame: average (default, where durations are known) or middle."""
    interpolation: Optional[Literal["linear", "spline"]]
    """of the input: linear (default) or spline."""
    model_decay: Optional[bool]
    """yes: fit data as counted, not corrected for decay (default no)."""
    blood_tail: Optional[float]
    """share of the scan that blood may be extrapolated (default 0.2); number between 0 and 10."""
    preset: Optional[Literal["paper", "fast"]]
    """paper (default: 1000 particles, CESS 0.999) or fast."""
    particles: Optional[int]
    """particles of each run; whole number between 2 and 100000000."""
    cess: Optional[float]
    """conditional effective sample size to keep at each step, in (0, 1); number above 0 and below 1."""
    seed: Optional[int]
    """seed of the random numbers (default 1); whole number between 0 and 18446744073709551615."""
    resume: Optional[bool]
    """go on with a run that was stopped."""
    force: Optional[bool]
    """replace the results of an earlier run."""
    fill: Optional[Literal["nan", "0"]]
    """value of maps outside of the mask: nan (default) or 0."""
    threads: Optional[int]
    """0 = one per core (default); results do not depend on it; whole number between 0 and 1024."""
    mem: Optional[Union[int, str]]
    """memory that may be used, such as 2G."""
    chunk: Optional[int]
    """curves that are saved together (default 32 voxels, 1 region); whole number between 1 and 4096."""


PET_SWITCHES = ("plasma_from_blood", "resume", "force")
