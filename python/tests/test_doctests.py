"""The examples in the docstrings and in docs/python.md do what they say."""
import doctest
import importlib
from pathlib import Path

import pytest

import evident

MODULES = ["evident", "evident.priors", "evident._compare", "evident._model", "evident._program", "evident._result"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert tried.attempted > 0
    assert tried.failed == 0


def blocks(file):
    out, inside = [], None
    for line in file.read_text().splitlines():
        if line.startswith("```"):
            if inside is not None:
                out.append("\n".join(inside))
            inside = [] if inside is None and line == "```python" else None
        elif inside is not None:
            inside.append(line)
    return out


@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "python/README.md"])
def test_guide(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    file = Path(__file__).resolve().parents[2] / name
    code = blocks(file)
    assert code
    space = {}
    for block in code:
        exec(compile(block, name, "exec"), space)
    assert isinstance(space["result"], evident.Result)
