"""Looks into a program or a shared library with readelf: python3 check.py READELF FILE [--program]"""
import re
import subprocess
import sys

READELF, FILE, PROGRAM = sys.argv[1], sys.argv[2], "--program" in sys.argv


def read(*options):
    return subprocess.run([READELF, "-W", *options, FILE], capture_output=True, text=True, check=True).stdout


segments, dynamic, symbols = read("--segments"), read("--dynamic"), read("--dyn-syms")
stack = re.search(r"GNU_STACK.*?(R\S*)\s", segments)
checks = {
    "relocations are read-only after the start (RELRO)": "GNU_RELRO" in segments,
    "and all of them are done at the start (NOW)": "BIND_NOW" in dynamic or re.search(r"FLAGS_1.*NOW", dynamic),
    "the stack cannot be executed": stack and "E" not in stack[1],
    "no segment can be both written and executed": not re.search(r"LOAD.*\sRWE\s", segments),
    "frames are protected": "__stack_chk_fail" in symbols,
    "calls of the C library are checked": re.search(r"__(?!stack)\w+_chk\b", symbols),
}
if PROGRAM:
    checks["it can be loaded anywhere (PIE)"] = re.search(r"FLAGS_1.*PIE", dynamic)
failed = [what for what, holds in checks.items() if not holds]
for what in checks:
    print(f"{'FAILED' if what in failed else 'ok'}: {what}")
sys.exit(bool(failed))
