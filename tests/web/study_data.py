"""Made-up data of a study report: three models with ten parameters each, no study behind them.

python3 study_data.py FILE.json
"""
import json
import math
import random
import sys

HOSTILE = "</script><img src=x onerror=\"document.title='broken'\"> & \u2028 <b>three</b>"
MODELS = ["one exponential", "two exponentials", HOSTILE]
QUANTILES = {"q05": -1.645, "q25": -0.674, "q50": 0.0, "q75": 0.674, "q95": 1.645}
STRENGTHS = [{"above": 1, "words": "not worth more than a bare mention"}, {"above": 3, "words": "positive"},
             {"above": 20, "words": "strong"}, {"above": 150, "words": "very strong"}]


def normal(x, mean, sd):
    return math.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * math.sqrt(2 * math.pi))


def parameter(name, mean, sd):
    low, high = mean - 4 * sd, mean + 4 * sd
    x = sorted([low + (high - low) * i / 99 for i in range(100)] + [-12 + 24 * i / 59 for i in range(60)])
    return {"name": name, "mean": mean, "sd": sd, **{q: mean + z * sd for q, z in QUANTILES.items()},
            "prior": "normal(mean=0, sd=5)",
            "density": {"x": x, "posterior": [round(normal(v, mean, sd), 6) for v in x],
                        "prior": [round(normal(v, 0, 5), 6) for v in x], "near": [low, high], "wide": [-12, 12]}}


def trace(steps, first, last):
    alpha = [(t / steps) ** 4 for t in range(steps + 1)]
    mean = lambda a: last + (first - last) * math.exp(-40 * a) - 3 * (1 - a)
    fine = sorted(alpha + [(a + b) / 2 for a, b in zip(alpha, alpha[1:])])
    return {"steps": steps, "step": list(range(steps + 1)), "alpha": alpha, "ess": [1 - 0.5 * (t % 9) / 9 for t in range(steps + 1)],
            "cess": [0.99] * (steps + 1), "acceptance": [0.4 - 0.2 * t / steps for t in range(steps + 1)],
            "path": {"alpha": fine, "mean": [mean(a) for a in fine]}}


def band(middle, width):
    return {q: [m + z * w for m, w in zip(middle, width)] for q, z in QUANTILES.items()}


def along_axis(rng, sd):
    axis = [0.25 * i for i in range(80)]
    mean = [10 * math.exp(-0.3 * t) + 2 for t in axis]
    width = [sd] * len(axis)
    return {"name": "y", "count": 80, "discrete": False, "axis_name": "t / h", "axis": axis,
            "values": [m + rng.gauss(0, 0.6) for m in mean], "mean": mean, "mean_q05": [m - 0.1 for m in mean],
            "mean_q95": [m + 0.1 for m in mean], "band": band(mean, width),
            "replicates": [[m + rng.gauss(0, sd) for m in mean] for _ in range(5)], "histogram": None}


def without_axis(rng):
    edges = [-3 + 0.5 * i for i in range(13)]
    middle = [100 * 0.5 * normal((a + b) / 2, 0, 1) for a, b in zip(edges, edges[1:])]
    values = [rng.gauss(0, 1) for _ in range(100)]
    return {"name": "counts", "count": 5000, "discrete": False, "axis_name": "", "axis": [], "values": values,
            "mean": [0.1 * v for v in values], "mean_q05": [0.0] * 100, "mean_q95": [1.0] * 100,
            "band": band([0.0] * 100, [1.0] * 100), "replicates": [],
            "histogram": {"edges": edges, "observed": [sum(a <= v < b for v in values) for a, b in zip(edges, edges[1:])],
                          "band": {q: [max(0, m + z * math.sqrt(m)) for m in middle] for q, z in QUANTILES.items()}}}


def predictive(rng, sd):
    checks = [{"observed": "y", "statistic": "mean", "value": 4.1, "q05": 3.9, "q50": 4.1, "q95": 4.3, "p_value": 0.48},
              {"observed": "y", "statistic": "largest", "value": 12.9, "q05": 11.5, "q50": 12, "q95": 12.6, "p_value": 0.01}]
    return {"draws": 1000, "series": [along_axis(rng, sd), without_axis(rng)], "checks": checks}


def model(rng, index):
    means = [0.8 * k - 2 + 0.3 * index for k in range(10)]
    sds = [0.2 + 0.1 * (k % 4) for k in range(10)]
    shared = [rng.gauss(0, 1) for _ in range(400)]
    draws = [[m + s * (0.7 * z + 0.7 * rng.gauss(0, 1)) for z in shared] for m, s in zip(means, sds)]
    names = [f"theta[{k + 1}]" for k in range(9)] + [HOSTILE if index == 2 else "sigma"]
    evidence = [-131.2, -124.8, -126.1][index]
    reasons = [{"code": "imprecise", "level": "run longer", "text": "The standard error is 0.6; run longer."}] if index == 2 else []
    return {"name": MODELS[index], "kind": "formula", "weight": 1 / 3, "probability": [0.0013, 0.784, 0.2147][index],
            "probability_interval": [[0.001, 0.002], [0.71, 0.84], [0.16, 0.28]][index], "log_evidence": evidence,
            "log_evidence_se": 0.05, "log_evidence_interval": [evidence - 0.1, evidence + 0.1], "steps": 60, "particles": 1000,
            "acceptance": 0.31, "likelihood_evaluations": 1234567, "runs": 8, "seconds": 3.2 + index,
            "verdict": "run longer" if index == 2 else "trust", "dropped": False, "reasons": reasons, "warnings": [],
            "estimates": [{"name": "Standard (product of ratios)", "value": evidence, "error": 0.05},
                          {"name": "Path sampling (the shaded area)", "value": evidence + 0.01, "error": None}],
            "trace": trace(60 + 20 * index, -4000 - 500 * index, -110 - 4 * index),
            "parameters": [parameter(n, m, s) for n, m, s in zip(names, means, sds)], "draws": draws,
            "predictive": predictive(rng, 0.6 + 0.2 * index)}


def make():
    rng = random.Random(5)
    models = [model(rng, i) for i in range(3)]
    return {"title": "Model comparison: decay.toml", "version": "0.1.0", "method": "Direct evidence (SMC2)",
            "seed": "18446744073709551615", "seconds": 12.5, "rounds": 2,
            "verdict": ["“two exponentials” is the most probable of 3 models: its probability is 0.78 (95 % interval 0.71 to 0.84). "
                        "The data favour it over the next by a factor of 3.7: evidence that is positive.",
                        "Run longer before you rely on it."], "trust": "run longer", "best": 1, "strengths": STRENGTHS,
            "model_count": 3, "models": models,
            "log_bayes_factors": [[a["log_evidence"] - b["log_evidence"] for b in models] for a in models],
            "averaged_parameters": [{k: v for k, v in parameter("theta[1]", 0.5, 0.3).items() if k not in ("density", "prior")}],
            "averaged": {"models": MODELS, "probability": 1, "predictive": predictive(rng, 0.7)}, "union_trace": None,
            "settings": [["Method", "Direct evidence (SMC2)"], ["Particles", "1000"], ["Seed", "18446744073709551615"]],
            "notes": [], "missing": []}


def minimal():
    """The least that the page must cope with: a method that knows probabilities only, and numbers that are missing."""
    bare = {"weight": 0.5, "probability_interval": None, "log_evidence": None, "log_evidence_se": None,
            "log_evidence_interval": None, "runs": 1, "verdict": "", "reasons": [], "warnings": [], "estimates": [], "trace": None,
            "draws": [], "predictive": None}
    holes = {"name": "mu", **{k: None for k in ("mean", "sd", "q05", "q25", "q50", "q75", "q95")}}
    return {"title": "Little", "method": "Reversible jump", "verdict": ["a is the most probable."], "trust": "", "best": 0,
            "strengths": STRENGTHS, "model_count": 2,
            "models": [{**bare, "name": "a", "probability": 0.5, "parameters": [holes]},
                       {**bare, "name": "b", "probability": None, "parameters": []}],
            "log_bayes_factors": [[0, None], [None, 0]], "averaged_parameters": [], "averaged": None, "union_trace": None,
            "settings": [], "notes": [], "missing": ["No evidence path: the method rjmcmc keeps none."]}


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        json.dump(make(), out, ensure_ascii=False)
