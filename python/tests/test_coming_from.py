"""Our halves of docs/coming-from.md run, and give the numbers that the page says."""
import re
from pathlib import Path

import pytest

pytest.importorskip("scipy")
PAGE = (Path(__file__).resolve().parents[2] / "docs" / "coming-from.md").read_text()


def blocks(title):
    return re.findall(rf"```python\n# {title}\n(.*?)```", PAGE, re.S)


def said(rival):
    """The row of evident in the table of a rival."""
    section = PAGE.split(f"\n## {rival}\n")[1].split("\n## ")[0]
    row = re.search(r"^\| evident \| (-?[\d.]+) ± ([\d.]+) ", section, re.M)
    return float(row[1]), float(row[2])


RIVALS = ["dynesty", "UltraNest", "PyMC", "bridgesampling"]


@pytest.mark.parametrize("number", range(4), ids=RIVALS)
def test_our_half(number):
    ours = blocks("evident")
    assert len(ours) == len(RIVALS)
    space = {}
    exec(blocks("data")[0], space)
    exec(ours[number], space)
    value, error = space["found"]
    assert abs(value - space["exact"]) < 4 * error
    assert (round(value, 3), round(error, 3)) == said(RIVALS[number])
    assert f"log evidence {space['exact']:.3f}" in PAGE
