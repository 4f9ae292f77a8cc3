"""The attacks: each makes a case of a seed, from random numbers of its own."""
import os
import resource
import socket

import mutate
from seeds import CHECK, QUICK

GIGABYTE = 1 << 30
ODD_NAMES = ["a b.csv", "-rf", "--nope", "a\nb.csv", "a\x1b[2Jb.csv", "a\u202eb.csv", "'\"`$(id).csv", "x" * 255, "x" * 256, "é.csv",
             "a/" * 2500 + "b", ".", "..", "", " ", "\\", "a\\b", "*", "{}", "%n", "NUL", "/", "//", "/etc", "/etc/passwd", "/dev/null",
             "/dev/zero", "/dev/full", "/dev/stdin", "/proc/self/mem", "/proc/self/environ", "/nonexistent/a/b"]
ODD_VALUES = ["0", "-1", "1e300", "nan", "inf", "", " ", "x", "1e-320", "99999999999999999999", "0x10", "1,5", "--", "\x1b[2J", "\u202e",
              "1" * 400, "1G", "-1G", "1 G", "2h", "1e30s", "-5m", "0s", "{}", "%s"]
OPTIONS = ["--seed", "--particles", "--islands", "--time", "--precision", "--decide", "--cess", "--threads", "--mem", "--method", "--kernel",
           "--schedule", "--model", "--replicates", "--chains", "--draws", "--out", "--checkpoint", "--data", "--netcdf", "--recipe"]
VARIABLES = ["LANG", "LC_ALL", "TERM", "COLUMNS", "LINES", "NO_COLOR", "OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK", "TMPDIR", "HOME", "PATH",
             "TZ", "EVIDENT_OPTION_MARKS", "EVIDENT_TEAM_TIMEOUT", "EVIDENT_MPI_MODULE", "SOURCE_DATE_EPOCH", "PMIX_RANK", "PMI_SIZE",
             "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"]


def of_kind(*kinds):
    return lambda seed: seed.name.startswith(kinds)


def files(case, r):
    name = r.choice(case.seed.targets)
    path = case.folder / name
    data, case.what = mutate.mutated(name, path.read_bytes(), r)
    path.write_bytes(data)


def odd_file(case, r):
    """Something else stands where a file should be."""
    name = r.choice(case.seed.targets)
    path = case.folder / name
    kind = r.choice(("fifo", "folder", "loop", "dangling", "sparse", "device", "socket", "missing", "unreadable", "elsewhere"))
    case.what = f"{name} is {kind}"
    path.unlink()
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "dangling":
        path.symlink_to("nowhere")
    elif kind == "sparse":
        with open(path, "wb") as file:
            file.truncate(r.choice((1 << 33, 1 << 42)))
    elif kind == "device":
        path.symlink_to(r.choice(("/dev/zero", "/dev/full", "/dev/null", "/dev/tty")))
    elif kind == "socket":
        here = os.open(path.parent, os.O_RDONLY)
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(f"/proc/self/fd/{here}/{path.name}")
        os.close(here)
    elif kind == "unreadable":
        path.touch(mode=0o000)
    elif kind == "elsewhere":
        path.symlink_to("/etc/hostname")


def odd_path(case, r):
    name = r.choice(ODD_NAMES)
    where = r.choice(("study", "data", "out", "report", "key", "list", "gather", "image"))
    case.what = f"{where} is {name[:60]!r}"
    if where == "key":
        text = (case.folder / "study.toml").read_text()
        quoted = "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in name)
        (case.folder / "study.toml").write_text(text.replace('"data.csv"', f'"{quoted}"'))
        case.same = False
        return
    case.same = False
    case.command = {"study": ("check", name, *CHECK), "data": ("compare", "study.toml", "--data", name, *QUICK),
                    "out": ("compare", "study.toml", "--quiet", "--out", f"out/{name}", *QUICK[2:]), "report": ("report", name),
                    "list": ("batch", "study.toml", "--list", name), "gather": ("gather", name),
                    "image": ("pet", "--image", name, "--blood", name, "--out", "out")}[where]


def odd_option(case, r):
    option, value = r.choice(OPTIONS), r.choice(ODD_VALUES)
    if option in ("--out", "--checkpoint", "--netcdf"):
        value = "out/" + value
    case.same = False
    case.what = f"{option} {value[:40]!r}"
    case.command = (*case.command, r.choice((f"{option}={value}",)))


def odd_variable(case, r):
    name = r.choice(VARIABLES)
    value = r.choice([v for v in ODD_VALUES + ["xterm-256color", "C", "/nonexistent", "tr_TR.UTF-8", "\x1b]0;x\x07"] if "\0" not in v])
    # A launcher that says how many it has started must have done so.
    if name in ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "PMIX_RANK"):
        value = r.choice(("0", "-1", "x", "", "nan"))
    else:
        case.environment.pop("EVIDENT_MPI", None)
    if r.random() < 0.1:
        case.environment.pop(name, None)
    else:
        case.environment[name] = value
    case.what = f"{name}={value[:40]!r}"


def limit(case, r):
    which = r.choice(("memory", "memory", "stack", "files", "size", "core"))
    number, value = {"memory": (resource.RLIMIT_AS, r.randrange(160 << 20, GIGABYTE)),
                     "stack": (resource.RLIMIT_STACK, r.choice((256 << 10, 1 << 20, 64 << 20))),
                     "files": (resource.RLIMIT_NOFILE, r.randrange(12, 40)),
                     "size": (resource.RLIMIT_FSIZE, r.choice((0, 1, 100, 5000, 100000))),
                     "core": (resource.RLIMIT_CORE, 0)}[which]
    case.what = f"{which} limited to {value}"
    case.limits = ((number, value),)
    if which == "size":
        case.command = tuple(c for c in case.command if c != "--json")
        case.same = False


def gone(case, _r):
    case.what = "the working folder is gone"
    case.leave_folder = True
    case.same = False


ANY = lambda _seed: True  # noqa: E731
STUDY = of_kind("compare", "check")
# Attack, seeds that it fits, and how often it comes.
ATTACKS = [(files, ANY, 60), (odd_file, ANY, 10), (odd_path, of_kind("compare-line"), 8), (odd_option, STUDY, 8),
           (odd_variable, of_kind("compare"), 5), (limit, of_kind("compare", "pet", "report"), 7), (gone, STUDY, 1)]
# These leave the study as it is: when it ends well, its numbers are the same.
SAME = (odd_variable, limit)
