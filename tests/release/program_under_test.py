"""What the tests here share: python3 NAME_test.py path/to/evident path/to/sources"""
import functools
import pathlib
import re
import subprocess
import sys
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SOURCES = pathlib.Path(sys.argv[2]).resolve()


def run(*arguments, status=0, **options):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60, **options)
    if done.returncode != status:
        raise AssertionError(f"{arguments}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout if status == 0 else done.stderr


def listed(text):
    """The commands that a --help lists."""
    block = re.search(r"^(?:Commands|Subcommands):\n((?:  .*\n)+)", text, re.M)
    return re.findall(r"^  ([a-z][\w-]*)", block[1], re.M) if block else []


@functools.cache
def commands():
    """Every command as --help lists them: ("compare",), ("simulate", "goodwin")."""
    out = []
    for name in listed(run("--help")):
        out.append((name,))
        out += [(name, part) for part in listed(run(name, "--help"))]
    return out


@functools.cache
def options(command):
    """The options of a command as --help lists them."""
    names = []
    for line in run(*command, "--help").split("Examples:")[0].splitlines():
        if match := re.match(r"  (-[\w,-]+)", line):
            names += match[1].split(",")
    return [name for name in names if name.startswith("-")]


def main():
    del sys.argv[1:]
    unittest.main(verbosity=2)
