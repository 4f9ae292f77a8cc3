"""The runs that tools/same_numbers records: small ones, so that all of them take minutes, and such that each method, setting
and kind of file is there. Names begin with what they are about."""
import dataclasses
import shutil

OUT = "out"  # where files are written that count, beside *.nc; without any, the document that is printed counts
SEEDS = (1, 2)
METHODS = ("direct", "all-in-one", "relative", "ais", "population-mcmc", "rjmcmc", "harmonic-mean", "chib", "bic", "data-tempering")

# Options for examples that would take long.
SMALLER = {
    "cluster/study": ("--particles", "300"),
    "goodwin/formula": ("--particles", "32", "--no-pilot", "--cess", "0.9"),
    "goodwin/study": ("--particles", "16", "--no-pilot", "--cess", "0.9", "--model", "3 substances"),
    "growth/study": ("--particles", "500"),
    "mixture/all-in-one": ("--particles", "300"),
    "mixture/formula": ("--particles", "128", "--model", "two", "--model", "three", "--islands", "4"),
    "mixture/study": ("--particles", "64"),
    "process/study": ("--particles", "50", "--islands", "2"),
    "process/study-r": ("--particles", "20", "--no-pilot", "--cess", "0.9"),
    "regression/study": ("--particles", "500"),
}

# Keys of [sampler], each alone.
KEYS = {
    "schedule-ess": {"schedule": "ess", "ess": 0.95},
    "schedule-linear": {"schedule": "linear", "steps": 40},
    "schedule-prior": {"schedule": "prior", "steps": 40, "power": 4},
    "schedule-posterior": {"schedule": "posterior", "steps": 40},
    "schedule-list": {"schedule": "list", "alphas": [0.001, 0.01, 0.05, 0.2, 0.5, 1]},
    **{f"kernel-{k}": {"kernel": k} for k in ("random-walk", "crank-nicolson", "independent", "mala", "hmc")},
    **{f"scale-{r}": {"scale_rule": r} for r in ("adaptive", "band", "jump")},
    "scale-mixed": {"mix_scales": True, "scale": 0.8},
    **{f"grouping-{g}": {"grouping": g} for g in ("joint", "blocks", "single")},
    **{f"resample-{s}": {"resample": s, "resample_threshold": 0.9}
       for s in ("multinomial", "residual", "stratified", "systematic", "residual-stratified")},
    "passes": {"passes": 2},
    "waste-free": {"waste_free": 10},
}
LADDERS = {
    "four": {"ladders": 4},
    "serial": {"update": "serial"},
    "linear": {"ladder": "linear"},
    "posterior": {"ladder": "posterior", "power": 3},
    "adaptive": {"adaptive_ladder": True},
}
PHANTOM = ("simulate", "pet-image", "--seed", "3", "--voxels", "12", "--out", "scan")
SMALL_CHAINS = {"burn_in": 200, "iterations": 400}


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    commands: tuple  # words after the program; --threads is added
    source: str = ""  # a folder of the repository; the commands run in a copy of it
    study: str = "study.toml"
    keys: dict = dataclasses.field(default_factory=dict)  # put into [sampler] of the study
    status: tuple = (0,)


def comparison(name, source, *options, study="study.toml", keys=None):
    """A comparison that prints its document, at each seed."""
    return [Case(f"{name}-seed{seed}", (("compare", study, "--json", "--quiet", "--seed", str(seed), *options),), source,
                 study, keys or {}) for seed in SEEDS]


def examples(root):
    cases = []
    for path in sorted(root.glob("examples/*/*.toml")):
        key = f"{path.parent.name}/{path.stem}"
        if path.stem.endswith("-r") and not shutil.which("Rscript"):
            continue
        source = str(path.parent.relative_to(root))
        options = (*SMALLER.get(key, ()), "--allow-code")
        cases += comparison(f"example-{key.replace('/', '-')}", source, *options, study=path.name)
        cases.append(Case(f"check-{key.replace('/', '-')}", (("check", path.name, "--json", "--quick", "--allow-code"),),
                          source, path.name, status=(0, 1)))
    return cases


def methods():
    """On mixtures of two and three components, where all of them work, and on regressions, where jumps are others."""
    models = ("--model", "2 components", "--model", "3 components")
    cases = []
    for method in METHODS:
        keys = SMALL_CHAINS if method in ("population-mcmc", "rjmcmc", "harmonic-mean", "chib") else {"particles": 100}
        cases += comparison(f"method-{method}", "examples/mixture", "--method", method, *models,
                            keys=keys)
    for name, more in LADDERS.items():
        cases += comparison(f"ladder-{name}", "examples/decay", "--method", "population-mcmc",
                            keys={**SMALL_CHAINS, "chains": 10, **more})
    cases += comparison("family-rjmcmc", "examples/regression", "--method", "rjmcmc", "--replicates", "2")
    one = ("--particles", "200", "--cess", "0.99")
    cases += comparison("direct-no-pilot", "examples/mixture", "--no-pilot", *one, *models)
    cases += comparison("direct-replicates", "examples/mixture", "--replicates", "3", *one, *models)
    cases += comparison("relative-replicates", "examples/mixture", "--method", "relative", "--replicates", "2",
                        "--particles", "100", "--cess", "0.95", *models)
    for example, more in (("mixture", models), ("goodwin", ("--model", "3 substances", "--no-pilot"))):
        cases += comparison(f"own-moves-off-{example}", f"examples/{example}", "--particles", "32", "--cess", "0.9", *more,
                            keys={"own_moves": False})
    cases += comparison("direct-goodwin", "examples/goodwin", "--particles", "16", "--islands", "2", "--model", "3 substances",
                        study="formula.toml")
    return cases


def settings():
    """Keys of [sampler] and options, with islands and without."""
    cases = []
    for name, keys in KEYS.items():
        for way, options in (("islands", ("--islands", "3")), ("one", ("--no-pilot",))):
            cases += comparison(f"{name}-{way}", "examples/decay", "--particles", "200", *options, keys=keys)
    options = {
        "particles": ("--particles", "200"),
        "islands": ("--islands", "4"),
        "replicates": ("--replicates", "3", "--particles", "200", "--cess", "0.95"),
        "cess": ("--cess", "0.97"),
        "precision": ("--precision", "0.01", "--particles", "200"),
        "decide": ("--decide", "0.95", "--particles", "100"),
        "model": ("--model", "one exponential"),
        "few": ("--particles", "32"),
    }
    for name, words in options.items():
        cases += comparison(f"option-{name}", "examples/decay", *words)
    for example in ("lindley", "change-point", "counts", "groups"):
        for name in ("precision", "decide", "few"):
            cases += comparison(f"option-{name}-{example}", f"examples/{example}", *options[name])
    return cases


def alarms():
    """Comparisons that are in doubt: alarms, doubled particles, nested sampling."""
    cases = []
    for particles in ("100", "400"):
        cases += comparison(f"hard-{particles}", "tests/same_numbers", "--particles", particles, study="hard.toml")
    cases += comparison("hard-no-pilot", "tests/same_numbers", "--no-pilot", "--particles", "200", "--cess", "0.95",
                        study="hard.toml")
    cases += comparison("hard-precision", "tests/same_numbers", "--precision", "0.1", "--particles", "100", study="hard.toml")
    return cases


def files():
    """What is written: results of a study, draws, a batch, simulations."""
    quick = ("--quiet", "--particles", "100", "--seed", "1")
    to = ("--out", OUT)
    cases = [Case(f"files-{example}", (("compare", "study.toml", *quick, *to, "--netcdf", f"{example}.nc"),), f"examples/{example}")
             for example in ("decay", "groups", "counts", "pet", "regression")]
    cases.append(Case("files-batch", (("batch", "study.toml", "--data", "subjects/*.csv", *quick, *to, "--reports"),),
                      "examples/cluster"))
    for kind in ("gaussian-mixture", "goodwin", "linear-regression", "pet-compartments"):
        cases += [Case(f"simulate-{kind}-seed{seed}", (("simulate", kind, "--seed", str(seed), *to),)) for seed in SEEDS]
    cases.append(Case("simulate-pet-image", ((*PHANTOM[:-1], OUT),)))
    return cases


def pet():
    """A tiny scan with known truth, by image, by table of regions and as a data set."""
    folder, truth = "scan/sub-01/pet/sub-01", "scan/derivatives/truth/sub-01/pet/sub-01"
    scan = ("pet", "--image", f"{folder}_pet.nii.gz", "--blood", f"{folder}_recording-manual_blood.tsv",
            "--mask", f"{truth}_desc-brain_mask.nii.gz", "--atlas", f"{truth}_desc-regions_dseg.nii.gz", "--out", OUT, "--quiet")
    ways = {
        "fast": ("--preset", "fast"),
        "fast-seed2": ("--preset", "fast", "--seed", "2"),
        "paper": ("--preset", "paper", "--particles", "100", "--delay", "0"),
        "normal-noise": ("--preset", "fast", "--noise", "normal", "--vb", "0.05", "--delay", "5"),
        "published-prior": ("--preset", "fast", "--prior", "zhou2013-i", "--models", "1,2", "--interpolation", "spline"),
        "middle-of-frame": ("--preset", "fast", "--frame", "middle", "--noise-dt", "midtime-diff", "--fill", "0"),
    }
    cases = [Case(f"pet-{name}", (PHANTOM, (*scan, *words))) for name, words in ways.items()]
    cases.append(Case("pet-data-set", (PHANTOM, ("pet", "scan", OUT, "participant", "--preset", "fast", "--quiet"))))
    return cases


def all_cases(root):
    return [*examples(root), *methods(), *settings(), *alarms(), *files(), *pet()]
