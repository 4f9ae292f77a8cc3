"""Checks that the lines of code which a document quotes are still in the files that it names.

Table rows of the form  | text | `file` | `code` |  are checked; there must be at least ten of them.
"""

import pathlib
import re
import sys

ROW = re.compile(r"^\|[^|]*\|\s*`([^`]+)`\s*\|\s*`([^`]+)`\s*\|$")


def main(document):
    root = pathlib.Path(document).resolve().parent.parent
    rows = [m.groups() for m in map(ROW.match, pathlib.Path(document).read_text().splitlines()) if m]
    if len(rows) < 10:
        sys.exit(f"{document}: only {len(rows)} quoted lines found")
    missing = []
    for name, code in rows:
        words = " ".join(root.joinpath(name).read_text().split())
        if " ".join(code.split()) not in words:
            missing.append(f"{name}: {code}")
    if missing:
        sys.exit(f"{document} quotes lines that are not there:\n  " + "\n  ".join(missing))
    print(f"{len(rows)} quoted lines found")


main(sys.argv[1])
