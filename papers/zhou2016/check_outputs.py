#!/usr/bin/env python3
"""Runs the program at its quickest on stand-in data and reads what it wrote.

    python3 check_outputs.py PROGRAM EXAMPLES TABLE...

Fails when a table is missing, does not parse, has no rows, or depends on the number of threads; and when data that are
not there are not refused with status 2.
"""

import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path


def run(program, table, data, out, threads):
    command = [program, "--table", table, "--quick", "--data", data, "--out", out, "--threads", str(threads)]
    return subprocess.run(command, capture_output=True, text=True)


def rows_of(document):
    rows = [row for section in document.get("sections", []) for row in section["rows"]]
    return rows + [row for table in document.get("tables", []) for row in table["rows"]]


def check_table(program, table, data, folder):
    done = run(program, table, data, folder, 1)
    if done.returncode != 0:
        return f"{table}: status {done.returncode}: {done.stderr}"
    out = Path(folder)
    document = json.loads((out / f"{table}.json").read_text())
    if document["name"] != table or not rows_of(document):
        return f"{table}: the JSON document has no rows"
    if any("published" in row for row in rows_of(document) if isinstance(row, dict)):
        return f"{table}: stand-in data were set against published values"
    if not xml.parse(out / f"{table}.svg").getroot().tag.endswith("svg"):
        return f"{table}: not a figure"
    if (out / f"{table}.md").read_text().strip() not in done.stdout:
        return f"{table}: what was written is not what was printed"
    return None


def check_threads(program, data):
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        texts = [run(program, "pet-bias", data, folder, threads).stdout for folder, threads in ((one, 1), (two, 2))]
    return None if texts[0] and texts[0] == texts[1] else "pet-bias depends on the number of threads"


def check_refusal(program):
    with tempfile.TemporaryDirectory() as empty:
        done = run(program, "schedule", empty, empty, 1)
    return None if done.returncode == 2 and "no data" in done.stderr else f"missing data: status {done.returncode}"


def main():
    program, data, *tables = sys.argv[1:]
    faults = [check_threads(program, data), check_refusal(program)]
    with tempfile.TemporaryDirectory() as folder:
        faults += [check_table(program, table, data, folder) for table in tables]
    faults = [fault for fault in faults if fault]
    print("\n".join(faults) or f"{len(tables)} tables ok")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
