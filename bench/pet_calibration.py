#!/usr/bin/python3
"""Are the maps honest? Phantoms whose truth is drawn from the prior, analysed by the program.

  bench/pet_calibration.py [--evident build/release/evident] [--voxels 2000] [--preset fast] [--seed 5]

For each noise level: the share of the voxels whose 95 % interval of V_T holds the truth, how often the best model is
the true one and how often it should be by its own probability, and for model probabilities in tenths the share that
was right. With 2000 voxels a coverage is good to one point. Needs nibabel and numpy.
"""

import argparse
import pathlib
import subprocess
import tempfile

import nibabel
import numpy


def values(path, mask=None):
    data = numpy.asarray(nibabel.load(path).dataobj)
    return data if mask is None else data[mask]


def analyse(options, noise, folder):
    data, out = folder / noise, folder / f"{noise}-out"
    truth = data / "derivatives/truth/sub-01/pet"
    run = lambda *words: subprocess.run([options.evident, *map(str, words)], check=True, stdout=subprocess.DEVNULL)
    run("simulate", "pet-image", "--truth", "prior", "--voxels", options.voxels, "--noise", noise, "--seed",
        options.seed, "--out", data)
    mask_file = truth / "sub-01_desc-brain_mask.nii.gz"
    run("pet", data, out, "participant", "--mask", mask_file, "--preset", options.preset, "--noise", "normal",
        "--delay", 0, "--quiet")
    mask = values(mask_file) > 0
    result = lambda name: values(out / "sub-01/pet" / f"sub-01_{name}_mimap.nii.gz", mask)
    vt, order = (values(truth / f"sub-01_meas-{m}_mimap.nii.gz", mask) for m in ("VT", "order"))
    held = (result("model-BMA_meas-VTq025") <= vt) & (vt <= result("model-BMA_meas-VTq975"))
    p = numpy.stack([result(f"model-{m}TCM_meas-postprob") for m in (1, 2, 3)])
    right = numpy.stack([order == m for m in (1, 2, 3)])
    best = p.argmax(axis=0)
    print(f"| {noise} | {100 * held.mean():.1f} % | {100 * numpy.mean(best + 1 == order):.1f} % | "
          f"{100 * p.max(axis=0).mean():.1f} % |", flush=True)
    return p.ravel(), right.ravel()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--evident", default="build/release/evident")
    parser.add_argument("--voxels", type=int, default=2000)
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    print(f"{options.voxels} voxels, preset {options.preset}\n")
    print("| noise | interval of V_T holds | best model is the true one | it should be |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        results = {noise: analyse(options, noise, pathlib.Path(folder)) for noise in ("low", "medium", "high")}
    print("\n| probability given | " + " | ".join(f"right, {noise}" for noise in results) + " |\n|---|---|---|---|")
    for tenth in range(10):
        cells = []
        for p, right in results.values():
            some = numpy.clip((10 * p).astype(int), 0, 9) == tenth
            cells.append(f"{right[some].mean():.3f} of {some.sum()} (mean {p[some].mean():.3f})" if some.any() else "-")
        print(f"| {tenth / 10:.1f} to {(tenth + 1) / 10:.1f} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
