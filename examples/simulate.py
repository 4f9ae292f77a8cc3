#!/usr/bin/env python3
"""Makes the data of the examples that are written as formulas:  python3 examples/simulate.py [FOLDER]

Each data set has its own seed, so that one can be changed without the others. Only the standard library is used.
"""
import math
import random
import sys
from pathlib import Path


def write(folder: Path, header: str, rows) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [header] + [",".join(cell if isinstance(cell, str) else f"{cell:.6g}" for cell in row) for row in rows]
    (folder / "data.csv").write_text("\n".join(lines) + "\n")


def poisson(draw: random.Random, mean: float) -> int:
    """Counts arrivals of rate 1 until `mean`."""
    count, time = 0, draw.expovariate(1)
    while time < mean:
        count, time = count + 1, time + draw.expovariate(1)
    return count


def decay(folder: Path) -> None:
    """A sum of two exponentials: 60 % decay with rate 1, the rest with rate 0.4."""
    draw = random.Random(1)
    times = [0.2 * i for i in range(60)]
    write(folder, "t,y", [(t, 10 * (0.6 * math.exp(-t) + 0.4 * math.exp(-0.4 * t)) + draw.gauss(0, 0.8)) for t in times])


def change_point(folder: Path) -> None:
    """Yearly counts whose rate falls from 3.2 to 1.1 after 1962."""
    draw = random.Random(2)
    write(folder, "year,count", [(year, poisson(draw, 3.2 if year <= 1962 else 1.1)) for year in range(1930, 2010)])


def groups(folder: Path) -> None:
    """Eight clinics with ten patients each; the true means of the clinics have standard deviation 1.5."""
    draw = random.Random(3)
    rows = []
    for clinic in "ABCDEFGH":
        mean = draw.gauss(5, 1.5)
        rows += [(clinic, draw.gauss(mean, 3)) for _ in range(10)]
    write(folder, "clinic,score", rows)


def counts(folder: Path) -> None:
    """Overdispersed counts: a gamma rate of shape 2.5 around exp(0.8 + 0.6 x)."""
    draw = random.Random(4)
    rows = []
    for _ in range(100):
        x = draw.uniform(-1, 1)
        rows.append((x, poisson(draw, math.exp(0.8 + 0.6 * x) * draw.gammavariate(2.5, 1 / 2.5))))
    write(folder, "x,count", rows)


def logistic(folder: Path) -> None:
    """Recovery depends on the dose and on age, not on weight."""
    draw = random.Random(5)
    rows = []
    for _ in range(200):
        dose, age, weight = draw.uniform(0, 4), draw.gauss(0, 1), draw.gauss(0, 1)
        chance = 1 / (1 + math.exp(-(-1.5 + 0.9 * dose - 0.7 * age)))
        rows.append((dose, age, weight, int(draw.random() < chance)))
    write(folder, "dose,age,weight,recovered", rows)


def growth(folder: Path) -> None:
    """Gompertz growth from 0.5 towards 20 with rate 0.45, seen with 6 % noise."""
    draw = random.Random(6)
    size = lambda t: 20 * math.exp(math.log(0.5 / 20) * math.exp(-0.45 * t))
    write(folder, "t,size", [(t, size(t) * math.exp(draw.gauss(0, 0.06))) for t in (0.5 * i for i in range(1, 25))])


def lindley(folder: Path) -> None:
    """A balance that is 0.2 g off, with errors of 1 g. The seed is one whose mean lies 2.9 standard errors from 0."""
    draw = random.Random(14)
    write(folder, "error", [(draw.gauss(0.2, 1),) for _ in range(100)])


if __name__ == "__main__":
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for make in (decay, change_point, groups, counts, logistic, growth, lindley):
        make(root / make.__name__.replace("_", "-"))
