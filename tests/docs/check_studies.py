"""check_studies.py PROGRAM: every study of the pages is one that the program reads.

A block with [[model]] or [family] is a study; the comment above it says into which folder of examples it belongs (see pages.py), whose
data it gets. A block without [data] is about something else and gets data.csv. Pages whose studies other tests read are passed over.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pages import ROOT, blocks, pages

PROGRAM = str(Path(sys.argv[1]).resolve())
ELSEWHERE = {"README.md": "tests/readme", "docs/formulas.md": "tests/study/formula_docs_test.cpp",
             "docs/own-models.md": "tests/docs/check_own_models.py"}


def message_of(block):
    if block.word == "part":
        return None
    if block.word != "in":
        return f"{block.place}: a study without a folder; write <!-- in examples/NAME --> above it, or <!-- part -->"
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top) / "study"
        shutil.copytree(ROOT / block.argument, folder, ignore=shutil.ignore_patterns("*.evident", "*.batch"))
        has_data = re.search(r"^\[data\]", block.text, re.M)
        (folder / "of-the-page.toml").write_text(block.text if has_data else block.text + '\n[data]\nfile = "data.csv"\n')
        done = subprocess.run([PROGRAM, "check", "of-the-page.toml", "--quick", "--allow-code"], cwd=folder, capture_output=True,
                              text=True, check=False)
        return f"{block.place}: {done.stderr or done.stdout}" if done.returncode else None


def main():
    studies = [b for page in pages() if str(page.relative_to(ROOT)) not in ELSEWHERE for b in blocks(page)
               if b.language == "toml" and re.search(r"^\[(\[model\]|family)\]", b.text, re.M)]
    problems = [p for p in map(message_of, studies) if p]
    print("\n".join(problems))
    print(f"{len(studies)} studies, {len(problems)} problems")
    return 1 if problems or not studies else 0


sys.exit(main())
