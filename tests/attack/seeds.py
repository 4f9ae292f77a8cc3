"""What is attacked: small studies, tables, a scan, finished journals, results folders and shards, each with a command that works.

A seed is a folder and a command; the files named in `targets` are the ones that a case changes.
"""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
QUICK = ("--json", "--quiet", "--particles", "24", "--islands", "2", "--threads", "1")
CHECK = ("--quick", "--draws", "50", "--json", "--threads", "1")

TABLE = "t,y,n,g,low\n" + "".join(f"{i},{0.5 + 0.3 * i - 0.02 * i * i:.3f},{i % 4},{'ab'[i % 2]},{0.1 * i:.1f}\n" for i in range(8))
LINE = """\
[data]
file = "data.csv"

[sampler]
seed = 1

[[model]]
name = "line"
[model.parameters]
a = "normal(0, 3)"
b = "uniform(-2, 2)"
"effect[g]" = "normal(0, 1)"
sigma = "gamma(shape=2, rate=1)"
[model.let]
mean = "a + b * t + effect[g]"
[model.likelihood]
y = "normal(mean, sigma)"

[[model]]
name = "censored"
[model.parameters]
a = "student-t(4, 0, 3)"
sigma = "half-normal(1)"
[model.likelihood]
y = "censored(normal(a, sigma), lower=low, upper=5)"
n = "poisson(exp(a / 4))"
"""
DECAY = """\
[data]
file = "data.csv"

[[model]]
name = "decay"
[model.parameters]
rate = "lognormal(-1, 1)"
start = "half-normal(2)"
sigma = "half-normal(1)"
[model.ode]
time = "t"
A = { start = "start", rate = "-rate * A" }
[model.likelihood]
y = "normal(A, sigma)"
"""
BUILT_IN = """\
[data]
file = "data.csv"
column = "y"

[[model]]
name = "one"
kind = "gaussian-mixture"
components = 1

[[model]]
name = "two"
kind = "gaussian-mixture"
components = 2
"""


@dataclasses.dataclass
class Seed:
    name: str
    folder: pathlib.Path
    command: tuple
    targets: tuple  # files that are changed
    answer: bytes = b""  # of the command, unchanged


def write(folder, files):
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)


def run(program, folder, *command):
    done = subprocess.run([program, *command], cwd=folder, capture_output=True, timeout=120)
    if done.returncode != 0:
        raise SystemExit(f"a seed does not work: {command}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def held(program, folder, command):
    """Stops a run when it has added three times to its journal. False without the library that does it (tests/support)."""
    if "EVIDENT_HOLD_LIBRARY" not in os.environ:
        print("the journals of stopped runs are left out: EVIDENT_HOLD_LIBRARY is not set")
        return False
    process = subprocess.Popen([program, *command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, "LD_PRELOAD": os.environ["EVIDENT_HOLD_LIBRARY"], "EVIDENT_HOLD_AFTER": "3"})
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    if process.poll() is not None:
        raise SystemExit("the run ended before it could be stopped")
    process.kill()
    process.wait()
    return True


def studies(work):
    for name, text in (("line", LINE), ("decay", DECAY), ("built-in", BUILT_IN)):
        folder = work / name
        write(folder, {"study.toml": text, "data.csv": TABLE})
        targets = ("study.toml", "data.csv")
        yield Seed(f"check-{name}", folder, ("check", "study.toml", *CHECK), targets)
        yield Seed(f"compare-{name}", folder, ("compare", "study.toml", *QUICK), targets)
    fuzz = HERE.parent / "fuzz/seeds/study"
    for file in sorted(fuzz.iterdir()):
        folder = work / f"fuzz-{file.name}"
        write(folder, {"d.csv": "t,y,g\n0,1,a\n1,0.5,b\n2,2e-1,a\n"})
        shutil.copy(file, folder / "study.toml")
        yield Seed(f"fuzz-{file.name}", folder, ("check", "study.toml", *CHECK), ("study.toml", "d.csv"))


def scan(program, work):
    whole = work / "simulated"
    run(program, work, "simulate", "pet-image", "--seed", "3", "--voxels", "12", "--out", "simulated")
    folder = work / "scan"
    folder.mkdir()
    truth = whole / "derivatives/truth/sub-01/pet"
    for file in (whole / "sub-01/pet").iterdir():
        shutil.copy(file, folder)
    shutil.copy(truth / "sub-01_desc-brain_mask.nii.gz", folder / "mask.nii.gz")
    shutil.copy(truth / "sub-01_desc-regions_dseg.nii.gz", folder / "atlas.nii.gz")
    shutil.copy(truth / "sub-01_desc-regions_dseg.tsv", folder / "atlas.tsv")
    command = ("pet", "--image", "sub-01_pet.nii.gz", "--blood", "sub-01_recording-manual_blood.tsv", "--mask", "mask.nii.gz",
               "--atlas", "atlas.nii.gz", "--out", "out", "--delay", "0", "--dry-run", "--threads", "1", "--preset", "fast")
    targets = tuple(sorted(p.name for p in folder.iterdir()))
    yield Seed("pet", folder, command, targets)


def finished(program, work):
    """A journal to resume, a results folder to report, and shards to gather."""
    journal = work / "journal"
    write(journal, {"study.toml": LINE, "data.csv": TABLE})
    command = ("compare", "study.toml", *QUICK, "--checkpoint", "kept")
    if held(program, journal, command):
        files = tuple(sorted(str(p.relative_to(journal)) for p in (journal / "kept").rglob("*") if p.is_file()))
        yield Seed("resume", journal, (*command, "--resume"), files)

    results = work / "results"
    write(results, {"study.toml": LINE, "data.csv": TABLE})
    run(program, results, "compare", "study.toml", "--quiet", *QUICK[2:], "--out", "out")
    files = tuple(sorted(str(p.relative_to(results)) for p in (results / "out").iterdir() if p.suffix != ".html"))
    yield Seed("report", results, ("report", "out"), files)

    batch = work / "batch"
    write(batch, {"study.toml": LINE.replace("[data]\nfile = \"data.csv\"", "[data]\nfile = \"d1.csv\""),
                  **{f"d{i}.csv": TABLE.replace("0.5", f"0.{i}") for i in range(1, 5)}})
    for shard in ("1/2", "2/2"):
        run(program, batch, "batch", "study.toml", "--data", "d*.csv", "--out", "out", "--shard", shard, "--quiet", *QUICK[2:])
    files = tuple(sorted(str(p.relative_to(batch)) for p in (batch / "out").rglob("*") if p.is_file()))
    yield Seed("gather", batch, ("gather", "out"), files)


def make(program, work, only=""):
    """All seeds, with the answers that they have unchanged. Each answer is made twice: it must not change by itself."""
    out = []
    for seed in (*studies(work), *scan(program, work), *finished(program, work)):
        if only and only not in seed.name:
            continue
        if seed.command[0] == "compare":
            copy = work / "answer"
            shutil.copytree(seed.folder, copy, symlinks=True)
            seed.answer = run(program, copy, *seed.command)
            shutil.rmtree(copy)
        out.append(seed)
    return out


def numbers(answer):
    """What must be the same in the answers of the same study: times and command lines are not."""
    document = json.loads(answer)
    return [(m["name"], m["log_evidence"], m["probability"], m["likelihood_evaluations"]) for m in document["models"]]


def environment(home):
    """That of a case: nothing of this process gets in."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home), "EVIDENT_MPI": "0", "LANG": "C.UTF-8"}
