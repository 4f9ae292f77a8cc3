"""Looks into a program or a shared library with readelf: python3 check.py READELF FILE [--program] [--hardened]

Always: is any folder in which libraries are looked for (RPATH, RUNPATH) empty or relative? Both mean the working folder, or one
below it. With --hardened: is all in it that cmake/hardening.cmake asks for?
"""
import re
import subprocess
import sys

READELF, FILE = sys.argv[1:3]
PROGRAM, HARDENED = "--program" in sys.argv, "--hardened" in sys.argv


def read(*options):
    return subprocess.run([READELF, "-W", *options, FILE], capture_output=True, text=True, check=True).stdout


def searched(dynamic):
    """Every folder of every RPATH and RUNPATH. readelf prints "Library runpath: [a:b]"."""
    return [folder for path in re.findall(r"\((?:RPATH|RUNPATH)\)[^\[]*\[(.*)\]", dynamic) for folder in path.split(":")]


def is_fixed(folder):
    return folder.startswith("/") or re.match(r"\$(ORIGIN|\{ORIGIN\})(/|$)", folder)


segments, dynamic, symbols = read("--segments"), read("--dynamic"), read("--dyn-syms")
checks = {
    "no library is looked for in the working folder": all(is_fixed(folder) for folder in searched(dynamic)),
}
if HARDENED:
    stack = re.search(r"GNU_STACK.*?(R\S*)\s", segments)
    checks |= {
        "relocations are read-only after the start (RELRO)": "GNU_RELRO" in segments,
        "and all of them are done at the start (NOW)": "BIND_NOW" in dynamic or re.search(r"FLAGS_1.*NOW", dynamic),
        "the stack cannot be executed": stack and "E" not in stack[1],
        "no segment can be both written and executed": not re.search(r"LOAD.*\sRWE\s", segments),
        "frames are protected": "__stack_chk_fail" in symbols,
        "calls of the C library are checked": re.search(r"__(?!stack)\w+_chk\b", symbols),
    }
if HARDENED and PROGRAM:
    checks["it can be loaded anywhere (PIE)"] = re.search(r"FLAGS_1.*PIE", dynamic)
failed = [what for what, holds in checks.items() if not holds]
for what in checks:
    print(f"{'FAILED' if what in failed else 'ok'}: {what}")
if searched(dynamic):
    print(f"libraries are looked for in: {searched(dynamic)}")
sys.exit(bool(failed))
