"""The memory of a long batch: batch_memory.py PROGRAM [--sets N]

A batch of N small data sets (default 20000) may need a tenth more than it needed when a thousand were done, at most. Exit status 1
when it needs more.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

STUDY = """\
[data]
file = "0.csv"
[[model]]
name = "m"
[model.parameters]
a = "normal(0, 1)"
[model.likelihood]
y = "normal(a, 1)"
"""
FIRST, MORE = 1000, 1.1
BYTES = 350  # of the journal for a data set, at least


def make(folder, sets):
    r = random.Random(1)
    (folder / "study.toml").write_text(STUDY)
    for i in range(sets):
        (folder / f"{i}.csv").write_text("y\n" + "".join(f"{r.gauss(0, 1):.3f}\n" for _ in range(4)))
    (folder / "list.txt").write_text("".join(f"{i}.csv\n" for i in range(sets)))


def most(process):
    """The most memory that it ever had, in kB; nothing when it has ended."""
    try:
        found = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process}/status").read_text())
    except OSError:
        return None
    return int(found[1]) if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--sets", type=int, default=20000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make(folder, options.sets)
        command = [options.program, "batch", "study.toml", "--list", "list.txt", "--out", "out", "--particles", "16", "--recipe", "adaptive",
                   "--threads", "1", "--quiet"]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
        journal, first, last = folder / "out/journal", None, None
        while process.poll() is None:
            last = most(process.pid) or last
            size = journal.stat().st_size if journal.exists() else 0
            if first is None and size > FIRST * BYTES:
                first = last
            time.sleep(0.02)
    print(f"{options.sets} data sets: {first} kB after the first {FIRST}, {last} kB at the end; status {process.returncode}")
    sys.exit(process.returncode != 0 or first is None or last > MORE * first)


main()
