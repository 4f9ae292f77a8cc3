"""Stops comparisons, batches and PET runs at random moments, resumes them, and compares all results with those of runs that
nobody touched.

    python3 bench/stopped_runs.py build/release/evident [--stops 20] [--threads 2] [--ranks 0] [--seed 1] [--size 10]
                                  [--only compare|batch|pet ...] [--ways KILL TERM INT]

Comparisons are of several kinds: islands, rounds of islands for a precision, replicates, one long adaptive run,
waste-free runs, the union of the models, and population MCMC. With --ranks some runs are on so many ranks of mpirun, and
SIGKILL meets one of them. Every run is given --resume, from the start. Times are left out of the comparison, everything
else must be the same bytes. Prints one line a run; the exit status is 1 when anything differs.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/mpi"))
import ranks as launch  # noqa: E402

LINE = """\
[data]
file = "data.csv"
[sampler]
seed = 3
{sampler}
[[model]]
name = "flat"
[model.parameters]
mu = "normal(0, 10)"
s = "half-normal(3)"
[model.likelihood]
y = "normal(mu, s)"
[[model]]
name = "line"
[model.parameters]
mu = "normal(0, 10)"
slope = "normal(0, 3)"
s = "half-normal(3)"
[model.likelihood]
y = "normal(mu + slope * t, s)"
"""
MIXTURE = """\
[data]
file = "data.csv"
column = "y"
[sampler]
{sampler}
[[model]]
name = "one"
kind = "gaussian-mixture"
components = 1
[[model]]
name = "two"
kind = "gaussian-mixture"
components = 2
"""


def studies(size):
    """Name, text of the study, and options of the command; `size` is about the seconds of a run."""
    n = int(300 * size)
    return [
        ("islands", LINE.format(sampler=f"particles = {n}"), []),
        ("precision", LINE.format(sampler=f"particles = {max(n // 6, 64)}"), ["--precision", "0.01"]),
        ("replicates", LINE.format(sampler=f"particles = {n}\nreplicates = 8\ncess = 0.99"), []),
        ("one long run", LINE.format(sampler=f"particles = {4 * n}\ncess = 0.999"), ["--no-pilot", "--model", "line"]),
        ("waste-free", LINE.format(sampler=f"particles = {40 * (n // 40)}\nwaste_free = 20\nreplicates = 4\ncess = 0.99"), []),
        ("all-in-one", MIXTURE.format(sampler=f"particles = {n}\nreplicates = 4\ncess = 0.95"), ["--method", "all-in-one"]),
        ("population-mcmc", LINE.format(sampler=f"replicates = 6\nchains = 10\nburn_in = {max(n // 3, 100)}\niterations = {n}"), ["--method", "population-mcmc"]),
    ]


def data(rows=200):
    random_numbers = random.Random(5)
    return "t,y\n" + "".join(f"{t / rows},{1 + 0.3 * t / rows + random_numbers.gauss(0, 1)}\n" for t in range(rows))


def without_times(name, content):
    """Times are called seconds wherever they stand."""
    if not name.endswith((".csv", ".tsv", ".json")):
        return content
    text = content.decode()
    text = re.sub(r'(\\?"[a-z_]*seconds[a-z_]*\\?": ?)[-+.0-9e]+', r"\1T", text)
    if name.endswith((".csv", ".tsv")):
        separator = "\t" if name.endswith(".tsv") else ","
        rows = [line.split(separator) for line in text.splitlines()]
        keep = [j for j, head in enumerate(rows[0]) if "seconds" not in head]
        text = "\n".join(separator.join(row[j] for j in keep if j < len(row)) for row in rows)
    return text


def tree(folder):
    """The files of a results folder, hidden ones too, as the last run removes what SIGKILL has left; the report holds their
    contents once more, and the list their sums, times too. Nor has a journal an order."""
    return {str(p.relative_to(folder)): without_times(p.name, p.read_bytes()) for p in sorted(folder.rglob("*"))
            if p.is_file() and p.suffix != ".html" and p.name not in ("journal", "manifest.json")}


def bytes_of(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


class Case:
    """A command that can be run again and again in a folder of its own."""

    def __init__(self, name, program, folder, arguments, files, contents):
        self.name, self.folder, self.out, self.kept = name, folder, folder / "out", folder / "kept"
        self.program, self.arguments, self.contents = program, arguments, contents
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text)
        self.seconds = 0  # of the last run that came to its end
        self.wanted = None

    def start(self, ranks, threads):
        words = [*self.arguments, "--resume", "--threads", threads]
        if ranks:
            return launch.start(ranks, self.program, *words, cwd=self.folder)
        return subprocess.Popen([self.program, *map(str, words)], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def run(self, ranks, threads):
        start = time.monotonic()
        process = self.start(ranks, threads)
        _, err = process.communicate()
        if process.returncode != 0:
            sys.exit(f"{self.name}: the run failed: {err}")
        if self.kept.exists():
            sys.exit(f"{self.name}: {sorted(self.kept.iterdir())} were left behind")
        self.seconds = self.seconds or time.monotonic() - start

    def stopped(self, after, way, ranks, threads, chance):
        """What the run said when it was still going after so many seconds and has ended early; None when it was not."""
        process, start = self.start(ranks, threads), time.monotonic()
        try:
            process.communicate(timeout=after)
            self.seconds = time.monotonic() - start  # the machine is quicker than it was
            return None
        except subprocess.TimeoutExpired:
            pass
        target = process.pid
        if ranks and way == "KILL":  # one of them; the others must notice
            found = launch.processes(process.pid)
            target = found.get(chance.randrange(ranks), process.pid)
        try:
            os.kill(target, getattr(signal, "SIG" + way))
        except ProcessLookupError:
            pass
        try:
            _, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            if not ranks or launch.processes(process.pid):
                raise
            # Open MPI 4.1 may wait for ever in PMIx_server_finalize after a rank was killed. No rank is left.
            print(f"{self.name}: mpirun did not end", flush=True)
            process.kill()
            _, err = process.communicate()
        return None if process.returncode == 0 else err


def compare_cases(program, folder, size):
    for i, (name, text, more) in enumerate(studies(size)):
        arguments = ["compare", "study.toml", "--out", "out", "--no-report", "--quiet", "--checkpoint", "kept", *more]
        yield Case(name, program, folder / f"compare{i}", arguments, {"study.toml": text, "data.csv": data()}, tree)


def batch_cases(program, folder, size):
    files = {f"d{k:02}.csv": data(40 + k) for k in range(12)}
    text = LINE.format(sampler=f"particles = {max(int(20 * size), 64)}")
    arguments = ["batch", "study.toml", "--data", "d*.csv", "--out", "out", "--reports", "--no-report", "--quiet"]
    yield Case("batch", program, folder / "batch", arguments, {"study.toml": text, **files}, tree)


def pet_cases(program, folder, size):
    mask = "study/derivatives/truth/sub-01/pet/sub-01_desc-brain_mask.nii.gz"
    arguments = ["pet", "study", "out", "participant", "--mask", mask, "--preset", "fast", "--quiet", "--chunk", 4]
    case = Case("pet", program, folder / "pet", arguments, {}, bytes_of)
    subprocess.run([program, "simulate", "pet-image", "--truth", "brain", "--voxels", str(int(40 * size)), "--out", "study"],
                   cwd=case.folder, check=True, stdout=subprocess.DEVNULL)
    yield case


KINDS = {"compare": compare_cases, "batch": batch_cases, "pet": pet_cases}


def disturbed(case, chance, options, stops):
    """Stops a run up to so many times, then lets it end; how it was stopped."""
    done = []
    for _ in range(stops):
        ranks = chance.choice((0, options.ranks))
        threads, way = chance.choice((1, options.threads)), chance.choice(options.ways)
        after = chance.uniform(0, 0.8 * case.seconds)
        said = case.stopped(after, way, ranks, threads, chance)
        if said is None:
            break
        if way != "KILL" and not ranks and "stopped by SIG" + way not in said and said:
            sys.exit(f"{case.name}: SIG{way} after {after:.2f} s: {said}")
        done.append(f"SIG{way} at {after:.2f} s" + (f" on {ranks} ranks" if ranks else ""))
    case.run(chance.choice((0, options.ranks)), chance.choice((1, options.threads)))
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--stops", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--ranks", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=float, default=10, help="of the runs: ten is some seconds")
    parser.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--ways", nargs="+", choices=("KILL", "TERM", "INT"), default=["KILL", "TERM", "INT"])
    options = parser.parse_args()
    chance, program = random.Random(options.seed), str(pathlib.Path(options.program).resolve())
    with tempfile.TemporaryDirectory() as name:
        cases = [case for kind in options.only for case in KINDS[kind](program, pathlib.Path(name), options.size)]
        for case in cases:
            case.run(0, options.threads)
            case.wanted = case.contents(case.out)
            print(f"{case.name}: {len(case.wanted)} files in {case.seconds:.1f} s", flush=True)
        stops = runs = same = 0
        while stops < options.stops:
            case = cases[runs % len(cases)]
            shutil.rmtree(case.out)
            done = disturbed(case, chance, options, min(3, options.stops - stops))
            stops += len(done)
            runs += 1
            good = case.contents(case.out) == case.wanted
            same += good
            print(f"{case.name}, {', '.join(done) or 'not stopped'}: {'the same bytes' if good else 'DIFFERENT'}", flush=True)
        print(f"{stops} stops, {same} of {runs} runs end with the same bytes")
        sys.exit(same != runs)


if __name__ == "__main__":
    main()
