"""Hostile inputs for the program: python3 attack.py PROGRAM [--cases N] [--seed S] [--only TEXT] [--case I] [--keep DIR]

Each case is a seed (seeds.py) with one thing changed (cases.py): a file, a path, an option, a variable of the environment, a limit. The
program runs on it, and judge.py says whether what happened is allowed: no signal, an end within the budget, nothing touched outside of the
output, status 0 with a right answer only, and otherwise one clear message. Cases follow from the seed and their number alone.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import cases
import judge
import seeds

STOP_AFTER, BUDGET = 8, 10  # seconds: a hostile study may ask for a long run; asked to stop, it must end


@dataclasses.dataclass
class Case:
    number: int
    seed: seeds.Seed
    folder: pathlib.Path
    command: tuple
    environment: dict
    attack: str = ""
    what: str = ""
    same: bool = False  # the answer must be that of the seed
    limits: tuple = ()
    leave_folder: bool = False
    stopped: bool = False
    hung: bool = False
    budget: int = BUDGET


def make(number, all_seeds, options, work):
    r = random.Random(f"{options.seed}-{number}")
    attack, fits, _ = r.choices(cases.ATTACKS, [a[2] for a in cases.ATTACKS])[0]
    fitting = [s for s in all_seeds if fits(s)]
    if not fitting:
        return None
    seed = r.choice(fitting)
    folder = work / f"case-{number}" / "here"
    shutil.copytree(seed.folder, folder, symlinks=True)
    home = folder.parent / "home"
    home.mkdir()
    case = Case(number, seed, folder, seed.command, seeds.environment(home), attack=attack.__name__, 
                same=attack in cases.SAME or seed.name == "resume")  # whatever a journal holds, it changes no number
    attack(case, r)
    return case


def start(case, program):
    def prepare():
        for which, value in case.limits:
            resource.setrlimit(which, (value, resource.getrlimit(which)[1]))
        if case.leave_folder:
            gone = case.folder.parent / "gone"
            gone.mkdir()
            os.chdir(gone)
            gone.rmdir()

    command = [program, *(c if c not in case.seed.targets or not case.leave_folder else str(case.folder / c) for c in case.command)]
    return subprocess.Popen(command, cwd=case.folder, env=case.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, preexec_fn=prepare)


def watched(case, process):
    """Its output; it is asked to stop when it takes long, and killed when it does not."""
    try:
        return process.communicate(timeout=STOP_AFTER)
    except subprocess.TimeoutExpired:
        case.stopped = True
        process.send_signal(signal.SIGTERM)
    try:
        return process.communicate(timeout=BUDGET)
    except subprocess.TimeoutExpired:
        case.hung = True
        process.kill()
        return process.communicate()


def run(case, program):
    before = judge.picture(case.folder.parent)
    began = time.monotonic()
    try:
        process = start(case, program)
    except (ValueError, OSError):
        return None, None, 0.0  # the system does not take such arguments
    out, err = (b.decode(errors="surrogateescape") for b in watched(case, process))
    finding = judge.finding(case, process.returncode, out, err, before, judge.picture(case.folder.parent))
    return finding, (process.returncode, out, err), time.monotonic() - began


def attempt(number, all_seeds, options, work):
    case = make(number, all_seeds, options, work)
    if case is None:
        return None
    finding, ended, seconds = run(case, options.program)
    if finding and options.keep:
        shutil.copytree(case.folder, pathlib.Path(options.keep) / f"case-{number}", symlinks=True, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("*.sock"), copy_function=lambda a, b: shutil.copy2(a, b) if os.path.isfile(a) else b)
    shutil.rmtree(case.folder.parent, ignore_errors=True)
    return case, finding, ended, seconds


def shown(case, finding, ended):
    status, out, err = ended
    command = " ".join(c[:80] for c in case.command)
    return (f"FINDING in case {case.number}: {case.seed.name}, {case.attack}: {case.what!r}\n  {finding}\n  evident {command!a}\n"
            f"  status {status}, says {err[-600:]!a}{'' if out is None else ', ends with ' + ascii(out[-80:])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--cases", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="seeds whose name has this in it")
    parser.add_argument("--case", type=int, help="this one alone")
    parser.add_argument("--keep", help="folder for the files of findings")
    options = parser.parse_args()
    numbers = [options.case] if options.case is not None else range(options.cases)
    findings, statuses, kinds, stopped, slowest = [], collections.Counter(), collections.Counter(), 0, (0.0, None)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="attack") as name:
        work = pathlib.Path(name)
        all_seeds = seeds.make(options.program, work / "seeds" if (work / "seeds").mkdir() is None else work, options.only)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for result in pool.map(lambda n: attempt(n, all_seeds, options, work), numbers):
                if result is None or result[2] is None:
                    continue
                case, finding, ended, seconds = result
                statuses[ended[0]] += 1
                kinds[case.attack] += 1
                stopped += case.stopped
                slowest = max(slowest, (seconds, case.number))
                if finding:
                    findings.append(finding)
                    print(shown(case, finding, ended), flush=True)
    total = sum(statuses.values())
    print(f"{total} cases in {time.monotonic() - began:.0f} s: {dict(kinds)}; statuses {dict(statuses)}; {stopped} were stopped; "
          f"the slowest, {slowest[1]}, took {slowest[0]:.1f} s; {len(findings)} findings")
    # A study may ask for a long run; were there many, the attacks would not reach what they are for.
    if stopped > 0.05 * total + 2:
        sys.exit("too many cases had to be stopped")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
