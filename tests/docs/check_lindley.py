"""check_lindley.py PROGRAM [--write]: the table of docs/priors.md is what the program gives, and what the integrals are.

With --write the rows of the page are made anew.
"""
import json
import math
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/priors.md"
FOLDER = ROOT / "examples/lindley"
ROW = re.compile(r"^\| (none|normal\(0, [\d.]+\)) \|.*\|\n", re.M)


def exact(y, width):
    """log evidence of y ~ normal(bias, sigma), sigma ~ half-normal(2), bias ~ normal(0, width): over sigma by the midpoint rule."""
    n, total, squares = len(y), sum(y), sum(v * v for v in y)

    def log_joint(sigma):
        v, w = sigma * sigma, sigma * sigma + n * width * width
        quadratic = squares / v - width * width * total * total / (v * w)
        log_likelihood = -0.5 * (n * math.log(2 * math.pi) + (n - 1) * math.log(v) + math.log(w) + quadratic)
        return log_likelihood + 0.5 * math.log(2 / math.pi) - math.log(2) - 0.125 * v

    low, high, parts = 0.4, 2.0, 4000  # 8 posterior standard deviations and more to both sides
    step = (high - low) / parts
    values = [log_joint(low + (i + 0.5) * step) for i in range(parts)]
    return max(values) + math.log(step * sum(math.exp(v - max(values)) for v in values))


def factor(log_bayes):
    """10.8, or "1 / 2.2" where the data speak against the bias."""
    size = math.exp(abs(log_bayes))
    text = f"{size:.3g}" if size >= 100 else f"{size:.1f}"
    return text if log_bayes >= 0 else f"1 / {text}"


def row(model, width, none):
    if width == 0:
        return f"| none | {model['log_evidence']:.2f} | 1 | 0 |\n"
    bias = next(p for p in model["parameters"] if p["name"] == "bias")
    return (f"| normal(0, {width:g}) | {model['log_evidence']:.2f} | {factor(model['log_evidence'] - none)} | "
            f"{bias['mean']:.2f} ± {bias['sd']:.2f} |\n")


def main(program, write):
    done = subprocess.run([program, "compare", FOLDER / "study.toml", "--json", "--quiet"], capture_output=True, text=True, check=True)
    models = json.loads(done.stdout)["models"]
    y = [float(v) for v in (FOLDER / "data.csv").read_text().split()[1:]]
    widths = [float(m["name"].removeprefix("bias, sd ")) if "sd" in m["name"] else 0.0 for m in models]
    assert widths == [0, 0.2, 1, 10, 100, 1000], widths
    for model, width in zip(models, widths):
        gap, error = model["log_evidence"] - exact(y, width), model["log_evidence_se"]
        print(f"{model['name']}: {model['log_evidence']:.4f} ± {error:.4f}, exact {exact(y, width):.4f}")
        assert abs(gap) < max(5 * error, 0.005) and error < 0.01, model["name"]
    rows = [row(m, w, models[0]["log_evidence"]) for m, w in zip(models, widths)]
    page = PAGE.read_text(encoding="utf-8")
    if write:
        start, end = ROW.search(page).start(), list(ROW.finditer(page))[-1].end()
        PAGE.write_text(page[:start] + "".join(rows) + page[end:], encoding="utf-8")
        return
    said = [m[0] for m in ROW.finditer(page)]
    assert len(said) == len(rows), said
    for ours, theirs in zip(said, rows):  # the last digits differ between processors
        a, b = (re.findall(r"-?\d+(?:\.\d+)?", line) for line in (ours, theirs))
        assert len(a) == len(b) and all(abs(float(x) - float(z)) <= 0.011 + 0.02 * abs(float(x)) for x, z in zip(a, b)), (ours, theirs)


main(sys.argv[1], "--write" in sys.argv[2:])
