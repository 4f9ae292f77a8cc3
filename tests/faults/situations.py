"""What the program may be at when a signal comes (one_signal.py)."""
import dataclasses
import os
import random
import signal
import subprocess
import sys
from typing import Callable, Optional

import program

NOTHING = "nothing was written"
KEPT = r"what is done is kept in \S+: repeat the command with --resume to go on"


@dataclasses.dataclass
class Situation:
    name: str
    make: Callable                    # of the test case: writes what is needed, returns the arguments
    busy: Optional[float] = 1.0       # seconds of computing after which the signal is sent; None: it waits for something
    kept: str = f"({NOTHING}|{KEPT})"
    signal: int = signal.SIGTERM
    quick: bool = False
    environment: dict = dataclasses.field(default_factory=dict)


def formula(parameters, likelihood, data="data.csv", sampler="", more=""):
    return (f'[data]\nfile = "{data}"\n[sampler]\n{sampler}\n[[model]]\nname = "m"\n[model.parameters]\n{parameters}\n'
            f'{more}[model.likelihood]\n{likelihood}\n')


NORMAL = 'a = "normal(0, 1)"\ns = "gamma(shape=2, rate=2)"'


def rows(n):
    source = random.Random(5)
    return "y,t\n" + "".join(f"{source.gauss(0, 1):.4f},{k % 100}\n" for k in range(n))


def study(text, *arguments, count=20, data="data.csv", command="compare"):
    def make(case):
        case.write(data, rows(count))
        case.write("study.toml", text)
        return (command, "study.toml", *arguments)
    return make


def wide(kind, d, *arguments, command="compare"):
    """Many parameters, most of which the data says nothing of."""
    return study(formula(f'"mu[{d}]" = "{kind}"', 'y = "normal(mu[1] + 0.01 * sum(mu), 1)"'), *arguments, command=command)


def many_rows(*arguments, command="compare", sampler="", rows_=100_000):
    return study(formula(NORMAL, 'y = "normal(a, s)"', sampler=sampler), *arguments, count=rows_, command=command)


def ode(*arguments, command="compare"):
    rates = ('[model.ode]\ntime = "t"\ntolerance = 1e-10\nx = { start = 1, rate = "50 * z - a * x" }\n'
             'z = { start = 0, rate = "-50 * x - s * z" }\n')
    return study(formula(NORMAL, 'y = "normal(x, 1)"', more=rates), *arguments, count=3000, command=command)


def mixture(*arguments, sampler="", family=False, components=6):
    body = (f'[family]\nkind = "gaussian-mixture"\ncomponents = "uniform(1, {components})"\n' if family else
            "".join(f'[[model]]\nname = "k{k}"\nkind = "gaussian-mixture"\ncomponents = {k}\n' for k in (components - 1, components)))
    return study(f'[data]\nfile = "data.csv"\ncolumn = "y"\n[sampler]\n{sampler}\n{body}', *arguments, count=3000)


def process(body, *arguments):
    script = ('import sys, time, signal, os\nfor line in sys.stdin:\n    word, *rest = line.split()\n'
              '    if word == "begin": print("ready", flush=True)\n    elif word == "batch":\n'
              f'        for _ in range(int(rest[1])): sys.stdin.readline()\n        {body}\n')

    def make(case):
        case.write("model.py", script)
        case.write("study.toml", '[[model]]\nname = "m"\nkind = "process"\ntimeout = "10m"\n'
                                 f'command = ["{sys.executable}", "model.py"]\n[model.parameters]\na = "normal(0, 1)"\n')
        return ("compare", "study.toml", "--allow-code", *arguments)
    return make


def library(body, *arguments, command="compare"):
    source = ('#include "evident/external/model.h"\n#include <stdlib.h>\n#include <unistd.h>\nstruct evident_model { int x; };\n'
              'int evident_model_abi(void) { return EVIDENT_MODEL_ABI; }\n'
              'evident_model* evident_model_create(const evident_setup* s) { (void)s; return malloc(sizeof(evident_model)); }\n'
              'void evident_model_destroy(evident_model* m) { free(m); }\n'
              'int evident_model_log_likelihood(const evident_model* m, const double* t, size_t s, size_t n, double* out) {\n'
              f'  (void)m; (void)s; {body} for (size_t i = 0; i < n; ++i) out[i] = -t[i] * t[i];\n  return 0;\n}}\n')

    def make(case):
        case.write("model.c", source)
        include = os.environ.get("EVIDENT_INCLUDE", os.path.join(os.path.dirname(__file__), "../../include"))
        subprocess.run(["cc", "-shared", "-fPIC", f"-I{include}", "model.c", "-o", "model.so"], cwd=case.folder, check=True)
        case.write("study.toml", '[[model]]\nname = "m"\nkind = "library"\nlibrary = "model.so"\n'
                                 '[model.parameters]\na = "normal(0, 1)"\n')
        return (command, "study.toml", "--allow-code", *arguments) if command == "compare" else (command, "study.toml")
    return make


def batch(text, *arguments, sets=6, count=2000):
    def make(case):
        for k in range(sets):
            case.write(f"d{k}.csv", rows(count))
        case.write("study.toml", text)
        return ("batch", "study.toml", "--data", "d[0-9].csv", *arguments)
    return make


def pet(*arguments, voxels=3000):
    def make(case):
        subprocess.run([program.PROGRAM, "simulate", "pet-image", "--seed", "3", "--voxels", str(voxels), "--out", "scan"],
                       cwd=case.folder, check=True, capture_output=True)
        mask = "scan/derivatives/truth/sub-01/pet/sub-01_desc-brain_mask.nii.gz"
        return ("pet", "scan", "out", "participant", "--mask", mask, *arguments)
    return make


def results(*arguments):
    """A folder of results with millions of draws."""
    def make(case):
        case.write("study.toml", formula(NORMAL, 'y = "normal(a, s)"', sampler="particles = 200000\nrecipe = \"adaptive\""))
        case.write("data.csv", rows(20))
        done = case.run_program("compare", "study.toml", "--out", "out", "--quiet", "--no-report")
        case.assertEqual(done.returncode, 0, done.stderr)
        return ("report", "out", *arguments)
    return make


def bad_parameter(*arguments):
    """Half of the likelihood is NaN, and what that hides is looked for."""
    return study(formula(NORMAL, 'y = "normal(sqrt(a), s)"', sampler="nan_limit = 0.999"), *arguments, count=100_000)


HMC = 'kernel = "hmc"\n'
SITUATIONS = [
    Situation("data of many rows", many_rows("--threads", 2), quick=True),
    Situation("data of many rows, interrupted", many_rows("--quiet"), signal=signal.SIGINT),
    Situation("data of many rows, hung up", many_rows(), signal=signal.SIGHUP),
    Situation("one thread", many_rows("--threads", 1)),
    Situation("a single run", many_rows("--no-pilot", "--particles", 100_000), quick=True),
    Situation("long steps", study(formula(NORMAL, 'y = "normal(a, s)"'), "--particles", 2_000_000, "--no-pilot", count=2000)),
    Situation("kept from the start", many_rows("--checkpoint", "kept"), kept=KEPT, quick=True),
    Situation("replicates", many_rows("--replicates", 8)),
    Situation("precision", many_rows("--precision", 0.0001)),
    Situation("Hamiltonian moves", many_rows(sampler=HMC)),
    Situation("independent moves", many_rows(sampler='kernel = "independent"')),
    Situation("population MCMC", many_rows("--method", "population-mcmc"), quick=True),
    Situation("annealed importance sampling", many_rows("--method", "ais")),
    Situation("data tempering", many_rows("--method", "data-tempering", rows_=20_000)),
    Situation("harmonic mean", many_rows("--method", "harmonic-mean")),
    Situation("information criteria", many_rows("--method", "bic", rows_=2_000_000)),
    Situation("mixtures", mixture()),
    Situation("mixtures by Chib's method", mixture("--method", "chib", sampler="iterations = 10000000")),
    Situation("all in one", mixture("--method", "all-in-one", family=True)),
    Situation("relative evidence", mixture("--method", "relative", family=True)),
    Situation("reversible jump", mixture("--method", "rjmcmc", family=True, sampler="iterations = 100000000")),
    Situation("thousands of ordered parameters", wide("ordered(normal(0, 1))", 10_000)),
    Situation("check of thousands of ordered parameters", wide("ordered(normal(0, 1))", 10_000, command="check"),
              kept=NOTHING, quick=True),
    Situation("check of a simplex", wide("dirichlet(1)", 2000, command="check"), kept=NOTHING),
    Situation("check of many draws", study(formula(NORMAL, 'y = "normal(a, s)"'), "--draws", 1_000_000, count=2000,
                                           command="check"), kept=NOTHING),
    Situation("check of many rows", many_rows(command="check", rows_=1_000_000), kept=NOTHING, busy=3),
    Situation("hundreds of parameters", wide("normal(0, 1)", 500)),
    Situation("thousands of parameters", wide("normal(0, 1)", 5000), busy=3),
    Situation("differential equations", ode(), quick=True),
    Situation("check of differential equations", ode(command="check"), kept=NOTHING),
    Situation("NaN", bad_parameter(), busy=3),
    Situation("reading a large table", many_rows("--quiet", rows_=3_000_000), busy=0.5),
    Situation("a library that does not return", library("for (;;) sleep(1);"), busy=None, quick=True),
    Situation("a library that computes for ever", library("volatile double x = t[0]; for (;;) x = x + 1;")),
    Situation("a program that does not answer", process("time.sleep(1000)"), busy=None, quick=True),
    Situation("a program that will not end", process("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)"), busy=None),
    Situation("a program that is slow", process('time.sleep(0.05); print("\\n".join(["0"] * int(rest[1]))); print("done", rest[0], flush=True)'),
              busy=0.05),
    Situation("a batch", batch(formula(NORMAL, 'y = "normal(a, s)"'), count=20_000), kept=KEPT, quick=True),
    Situation("a batch of many data sets", batch(formula(NORMAL, 'y = "normal(a, s)"'), sets=10, count=50), kept=KEPT),
    Situation("a PET image", pet(), kept=KEPT),
    Situation("a PET image, many particles", pet("--particles", 200_000, voxels=100), kept=KEPT, busy=3),
    Situation("the forecast of a PET image", pet("--dry-run", "--particles", 100_000), kept=NOTHING),
    Situation("a simulated image", lambda case: ("simulate", "pet-image", "--truth", "brain", "--voxels", 217_000, "--out", "brain"),
              kept=NOTHING, quick=True),
    Situation("a report", results("--out", "page.html"), kept=NOTHING, busy=0.05),
]
