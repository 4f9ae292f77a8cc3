"""Made-up data of a PET report: a small ellipsoid with three models, no study behind it. `python3 pet_data.py FILE.json`."""
import base64
import json
import math
import random
import sys

HOSTILE = "</script><img src=x onerror=\"document.title='broken'\"> & \u2028 <b>putamen</b>"
MODELS = ["1TCM", "2TCM", "3TCM"]
SHAPE, VOXEL_MM = (10, 12, 7), (4.0, 4.0, 5.0)
DURATIONS = [55] + [10] * 3 + [30] * 7 + [120] * 12 + [300] * 6 + [600] * 3


def frames():
    start = [sum(DURATIONS[:i]) for i in range(len(DURATIONS))]
    return {"start": start, "duration": DURATIONS, "mid": [s + d / 2 for s, d in zip(start, DURATIONS)]}


def plasma(seconds):
    t = seconds / 60 - 0.5
    if t <= 0:
        return 0.0
    return 90 * t * math.exp(-4 * t) + 9 * (math.exp(-0.12 * t) - math.exp(-4 * t)) + 3 * math.exp(-0.01 * t)


def input_function(rng):
    time = [2 * i for i in range(60)] + [120 + 60 * i for i in range(82)]
    samples = [(5 * i, "autosampler") for i in range(36)] + [(t, "manual") for t in (200, 400, 900, 1800, 3000, 4500, 5000)]
    return {
        "time": time,
        "plasma": [plasma(t) for t in time],
        "whole_blood": [0.7 * plasma(t) for t in time],
        "parent_fraction": [0.15 + 0.85 * math.exp(-t / 1500) for t in time],
        "samples": [{"time": t, "value": plasma(t) * (1 + 0.05 * rng.gauss(0, 1)), "kind": kind} for t, kind in samples],
    }


def tissue(mid, amount, rate):
    return [amount * (1 - math.exp(-rate * m)) * math.exp(-m / 9000) for m in mid]


def fitted(mid, amount, best):
    """Three models of one curve; `best` is the index of the most probable."""
    weights = [math.exp(-1.5 * abs(m - best)) for m in range(3)]
    return [{"name": name, "probability": weights[m] / sum(weights), "log_evidence": -39 - 2.0 * abs(m - best),
             "log_evidence_se": 0.05, "VT": amount / 2.5 + 0.1 * m, "VT_sd": 0.2 + 0.05 * m,
             "fit": tissue(mid, amount * (0.92 + 0.04 * m), 0.003 + 0.0006 * m)} for m, name in enumerate(MODELS)]


def curve(label, voxel, region, amount, best, mid, rng):
    activity = [a * (1 + 0.04 * rng.gauss(0, 1)) for a in tissue(mid, amount, 0.0036)]
    return {"label": label, "voxel": voxel, "region": region, "activity": activity, "models": fitted(mid, amount, best),
            "best": MODELS[best]}


def inside(voxel):
    return sum(((v + 0.5) / n * 2 - 1) ** 2 for v, n in zip(voxel, SHAPE)) <= 0.92


def order_of(voxel):
    return 0 if voxel[1] < 3 else 2 if voxel[0] >= 7 and voxel[1] >= 8 else 1


def volume_of(voxel):
    return 2 + 5 * math.exp(-sum((v - c) ** 2 for v, c in zip(voxel, (5, 7, 4))) / 12)


def layer(name, label, kind, unit, low, high, value):
    """One byte a voxel, x fastest."""
    nx, ny, nz = SHAPE
    data = bytearray()
    for voxel in ((x, y, z) for z in range(nz) for y in range(ny) for x in range(nx)):
        if not inside(voxel):
            data.append(0)
        elif kind == "labels":
            data.append(value(voxel))
        else:
            data.append(1 + round(254 * min(1, max(0, (value(voxel) - low) / (high - low)))))
    return {"name": name, "label": label, "kind": kind, "unit": unit, "min": low, "max": high,
            "bytes": base64.b64encode(bytes(data)).decode()}


def histogram(name, model, centre, width, rng):
    edges = [centre + width * (i / 8 - 1.5) for i in range(25)]
    values = [rng.gauss(centre, width / 2) for _ in range(300)]
    return {"name": name, "model": model, "edges": edges,
            "counts": [sum(a <= v < b for v in values) for a, b in zip(edges, edges[1:])]}


def make():
    rng = random.Random(7)
    times = frames()
    mid = times["mid"]
    voxels = [(x, y, z) for z in range(SHAPE[2]) for y in range(SHAPE[1]) for x in range(SHAPE[0]) if inside((x, y, z))]
    kept = rng.sample(voxels, 12)
    shares = [sum(order_of(v) == m for v in voxels) / len(voxels) for m in range(3)]
    names = ["cerebellum", "thalamus", HOSTILE, "frontal cortex", "hippocampus"]
    return {
        "title": "Model comparison of sub-01", "subject": "sub-01, [11C]diprenorphine, made-up data",
        "version": "0.1.0", "command": "evident pet sub-01_pet.nii.gz --blood sub-01_blood.tsv --seed 7", "seed": 7,
        "verdict": f"2TCM describes {100 * shares[1]:.0f} % of the voxels best; V_T is 2.1 to 7.0 mL/cm³ across the mask.",
        "settings": [["particles", 1000], ["CESS threshold", 0.999], ["prior", "zhou2013-i"], ["noise", "Student-t"],
                     ["mask", "sub-01_mask.nii.gz"], ["blood volume", 0]],
        "notes": ["The image was decay-corrected to the injection.", "Blood samples were converted from kBq/mL."],
        "warnings": ["2 voxels have a constant curve and were not fitted."],
        "models": MODELS, "unit": "kBq/mL", "input": input_function(rng), "frames": times,
        "mean_curve": {"activity": [a * (1 + 0.01 * rng.gauss(0, 1)) for a in tissue(mid, 11, 0.0036)],
                       "models": fitted(mid, 11, 1)},
        "residuals": [{"name": name, "mean": [0.5 * math.cos(i / 4) / (m + 1) for i in range(len(mid))],
                       "q05": [-1.6 + 0.1 * rng.random() for _ in mid], "q95": [1.6 + 0.1 * rng.random() for _ in mid]}
                      for m, name in enumerate(MODELS)],
        "maps": {"shape": SHAPE, "voxel_mm": VOXEL_MM, "axes": "RAS", "layers": [
            layer("order", "Best model", "labels", "", 1, 3, lambda v: 1 + order_of(v)),
            layer("VT", "V_T, averaged over models", "values", "mL/cm³", 2, 7, volume_of),
            layer("VTsd", "Standard deviation of V_T", "values", "mL/cm³", 0, 1, lambda v: 0.1 + 0.08 * (v[0] % 4)),
            layer("probability", "Probability of the best model", "values", "", 0, 1, lambda v: 0.6 + 0.04 * v[1] % 0.4)]},
        "histograms": [histogram("V_T / mL cm⁻³", m, 3.5 + i, 1.2, rng) for i, m in enumerate(MODELS)] +
                      [histogram("Tempering steps", m, 180 + 40 * i, 30, rng) for i, m in enumerate(MODELS)] +
                      [histogram("Acceptance", m, 0.3 - 0.03 * i, 0.05, rng) for i, m in enumerate(MODELS)],
        "status": [{"name": "fitted", "count": len(voxels), "meaning": "all models ran"},
                   {"name": "constant", "count": 2, "meaning": "the curve does not change; not fitted"},
                   {"name": "prior edge", "count": 11, "meaning": "the posterior leans on a bound of the prior"}],
        "curves": [curve(f"voxel {', '.join(map(str, v))}", list(v), None, 2.5 * volume_of(v), order_of(v), mid, rng)
                   for v in sorted(kept)] +
                  [curve(n, None, n, 8 + 2 * i, i % 3, mid, rng) for i, n in enumerate(names)],
        "regions": [{"name": n, "voxels": 40 + 13 * i * (i % 3), "VT": 3.2 + 0.7 * ((i * 3) % 5), "VT_sd": 0.2,
                     "order_shares": [0.5 - 0.1 * i, 0.4 + 0.1 * i, 0.1]} for i, n in enumerate(names)],
    }


def minimal():
    """The least that the page must cope with, and numbers that are missing."""
    times = frames()
    holes = [None if i % 3 == 0 else float(i) for i in range(len(times["mid"]))]
    return {"title": "Little", "models": ["1TCM"], "frames": times,
            "mean_curve": {"activity": holes, "models": [{"name": "1TCM", "probability": None, "fit": holes}]},
            "input": {"time": [0, 60], "plasma": [0, None], "whole_blood": None, "parent_fraction": None},
            "regions": [{"name": "a", "voxels": 0, "VT": None}], "histograms": [], "curves": []}


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        json.dump(make(), out, ensure_ascii=False)
