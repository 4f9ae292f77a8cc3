"""The Python blocks of the pages that belong into a folder of examples run in a copy of it (tests/docs/pages.py says how)."""
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "docs"))
from pages import blocks, pages  # noqa: E402

FOUND = [b for page in pages() for b in blocks(page) if b.language == "python" and b.word == "in"]


@pytest.mark.parametrize("block", FOUND, ids=lambda b: b.place)
def test_block(block, tmp_path, monkeypatch):
    folder = tmp_path / "copy"
    shutil.copytree(ROOT / block.argument, folder, ignore=shutil.ignore_patterns("*.evident"))
    monkeypatch.chdir(folder)
    exec(compile(block.text, block.place, "exec"), {"__name__": "__main__"})


def test_there_are_some():
    assert len(FOUND) >= 4
