"""Kills comparisons at random moments, resumes them, and compares all results with those of a run that nobody touched.

    python3 bench/compare_resume.py build/release/evident [--kills 20] [--threads 2] [--seed 1] [--size 10]

Several kinds of studies take turns: islands, rounds of islands for a precision, replicates, one long adaptive run,
waste-free runs, the union of the models, and population MCMC. Times are left out of the comparison, everything else must
be the same bytes. Prints one line a run; the exit status is 1 when anything differs.
"""
import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

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
    text = content.decode()
    text = re.sub(r'(\\?"[a-z_]*seconds[a-z_]*\\?": ?)[-+.0-9e]+', r"\1T", text)
    if name.endswith((".csv", ".tsv")):
        separator = "\t" if name.endswith(".tsv") else ","
        rows = [line.split(separator) for line in text.splitlines()]
        keep = [j for j, head in enumerate(rows[0]) if "seconds" not in head]
        text = "\n".join(separator.join(row[j] for j in keep if j < len(row)) for row in rows)
    return text


def tree(folder):
    """The files of a results folder; the report holds their contents once more, times too."""
    return {str(p.relative_to(folder)): without_times(p.name, p.read_bytes()) for p in sorted(folder.rglob("*"))
            if p.is_file() and p.suffix != ".html"}


class Case:
    def __init__(self, program, folder, study, threads):
        self.name, text, more = study
        self.folder, self.out, self.kept = folder, folder / "out", folder / "kept"
        folder.mkdir()
        (folder / "study.toml").write_text(text)
        (folder / "data.csv").write_text(data())
        self.command = [str(pathlib.Path(program).resolve()), "compare", "study.toml", "--out", "out", "--no-report",
                        "--quiet", "--checkpoint", "kept", *more]
        self.threads = threads
        self.seconds = 0  # of the last run that came to its end

    def start(self, *more):
        return subprocess.Popen([*self.command, *more], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def run(self, *more):
        start = time.monotonic()
        process = self.start("--threads", str(self.threads), *more)
        _, err = process.communicate()
        if process.returncode != 0:
            sys.exit(f"{self.name}: the run failed: {err}")
        if self.kept.exists():
            sys.exit(f"{self.name}: {sorted(self.kept.iterdir())} were left behind")
        self.seconds = self.seconds or time.monotonic() - start

    def killed(self, after, *more):
        """True when the run was still going after so many seconds and is dead now."""
        process, start = self.start(*more), time.monotonic()
        try:
            process.communicate(timeout=after)
            self.seconds = time.monotonic() - start  # the machine is quicker than it was
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        if not self.out.exists():  # results appear all at once
            return True
        shutil.rmtree(self.kept, ignore_errors=True)  # it had done all but tidy up
        return False


def disturbed(case, moments, kills):
    """Kills a run up to so many times, then lets it end; the moments of the kills."""
    times = []
    while len(times) < kills:
        after = moments.uniform(0, 0.7 * case.seconds)
        if not case.killed(after, "--resume", "--threads", str(moments.choice((1, case.threads)))):
            return times
        times.append(after)
    case.run("--resume")
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=float, default=10, help="of the runs: ten is some seconds")
    options = parser.parse_args()
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        cases = [Case(options.program, pathlib.Path(name) / str(i), study, options.threads)
                 for i, study in enumerate(studies(options.size))]
        wanted = {}
        for case in cases:
            case.run()
            wanted[case.name] = tree(case.out)
            print(f"{case.name}: {len(wanted[case.name])} files in {case.seconds:.1f} s", flush=True)
        kills = runs = same = 0
        while kills < options.kills:
            case = cases[runs % len(cases)]
            shutil.rmtree(case.out)
            times = disturbed(case, moments, min(3, options.kills - kills))
            kills += len(times)
            runs += 1
            good = tree(case.out) == wanted[case.name]
            same += good
            when = ", ".join(f"{t:.2f} s" for t in times) or "nothing"
            print(f"{case.name}, killed after {when}: {'the same bytes' if good else 'DIFFERENT'}", flush=True)
        print(f"{kills} kills, {same} of {runs} runs end with the same bytes")
        sys.exit(same != runs)


if __name__ == "__main__":
    main()
