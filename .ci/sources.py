#!/usr/bin/env python3
"""sources.py BUILD FOLDER...: the files that BUILD compiles for the targets of CMakeLists.txt in these folders, `.` for that at the
top; those that Highway compiles several times are left out. BUILD holds compile_commands.json. The largest
come first: what runs side by side on them ends at about the same time."""
import json
import pathlib
import re
import sys


def size(file):
    """With what it includes of ours, as the files of a folder that are compiled together are one that includes them."""
    parts = re.findall(r'#include "(/[^"]+\.cpp)"', file.read_text())
    return sum(pathlib.Path(part).stat().st_size for part in [file, *parts])


def main(build, *folders):
    targets = tuple(f"{folder}/CMakeFiles/".removeprefix("./") for folder in folders)
    files = []
    for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        ours = entry["command"].split(" -o ")[1].startswith(targets)
        if ours and file.exists() and "hwy/foreach_target.h" not in file.read_text():
            files.append(file)
    if not files:
        sys.exit(f"sources.py: {build} compiles nothing for {', '.join(folders)}")
    print("\n".join(map(str, sorted(files, key=size, reverse=True))))


if __name__ == "__main__":
    main(*sys.argv[1:])
