#!/usr/bin/env python3
"""sources.py BUILD TARGET...: the files that BUILD compiles for the targets, those that Highway compiles several times left out.
BUILD holds compile_commands.json. The largest come first: what runs side by side on them ends at about the same time."""
import json
import pathlib
import re
import sys


def size(file):
    """With what it includes of ours, as the files of a folder that are compiled together are one that includes them."""
    parts = re.findall(r'#include "(/[^"]+\.cpp)"', file.read_text())
    return sum(pathlib.Path(part).stat().st_size for part in [file, *parts])


def main(build, *targets):
    folders = [f"/{target}.dir/" for target in targets]
    files = []
    for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        ours = any(folder in "/" + entry["command"].split(" -o ")[1].split()[0] for folder in folders)
        if ours and file.exists() and "hwy/foreach_target.h" not in file.read_text():
            files.append(file)
    if not files:
        sys.exit(f"sources.py: {build} compiles nothing for {', '.join(targets)}")
    print("\n".join(map(str, sorted(files, key=size, reverse=True))))


if __name__ == "__main__":
    main(*sys.argv[1:])
