"""The notebooks of examples/notebooks run, and their outputs are stored."""
import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
FILES = sorted(FOLDER.glob("*.ipynb"))


def texts(notebook):
    """What the code cells print, without pictures and progress."""
    return "\n".join(o.get("text") or o.get("data", {}).get("text/plain") or "" for cell in notebook.cells
                     if cell.cell_type == "code" for o in cell.outputs
                     if o.output_type != "display_data" and o.get("name") != "stderr")


NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"


def words(text):
    return re.sub(NUMBER, "#", text).split()


def numbers(text):
    return [float(x) for x in re.findall(NUMBER, text)]


def test_there_are_notebooks():
    assert len(FILES) >= 3


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_notebook(file, tmp_path):
    stored = nbformat.read(file, as_version=4)
    assert any(cell.get("outputs") for cell in stored.cells if cell.cell_type == "code"), "run it and keep its outputs"
    fresh = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(fresh, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    # Same seed, same numbers; but for the last digits, which depend on the order of additions.
    assert words(texts(fresh)) == words(texts(stored))
    assert numbers(texts(fresh)) == pytest.approx(numbers(texts(stored)), rel=1e-6, abs=1e-9)
