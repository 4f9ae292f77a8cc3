#!/usr/bin/env python3
"""syntax.py BUILD FOLDER...: reads every source below the folders as the compiler of BUILD would, warnings included, and makes
no objects. BUILD holds compile_commands.json. Exits with 1 when a file has an error or a warning."""
import json
import os
import pathlib
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def check(entry):
    command = shlex.split(entry["command"])
    at = command.index("-o")
    del command[at:at + 2]
    if "ccache" in command[0]:
        del command[0]
    done = subprocess.run(command + ["-fsyntax-only"], cwd=entry["directory"], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr, end="", flush=True)
    return done.returncode == 0


def main(build, *folders):
    root = pathlib.Path(__file__).resolve().parent.parent
    entries = [e for e in json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
               if any(pathlib.Path(e["file"]).is_relative_to(root / f) for f in folders)]
    if not entries:
        sys.exit(f"syntax.py: {build} compiles nothing below {', '.join(folders)}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        good = list(pool.map(check, entries))
    print(f"{sum(good)} of {len(good)} files are well")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
