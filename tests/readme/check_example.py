"""Runs the README's C++ example and compares what it prints with the exact evidences of its two coins."""

import math
import subprocess
import sys

HEADS, TAILS = 15, 5


def log_beta(a, b):
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def exact(a, b):
    """log evidence of the tosses under a beta(a, b) prior."""
    return log_beta(a + HEADS, b + TAILS) - log_beta(a, b)


EXPECTED = {"fair": exact(100, 100), "any": exact(1, 1)}

output = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout
print(output)
found = {name: (float(evidence), float(probability)) for name, evidence, probability in map(str.split, output.splitlines())}
assert found.keys() == EXPECTED.keys(), found
for name, value in EXPECTED.items():
    print(name, "exact", value)
    # The error of eight islands and their bridges is about 0.001.
    assert abs(found[name][0] - value) < 0.02, (name, found[name], value)
odds = math.exp(found["any"][0] - found["fair"][0])
assert abs(found["any"][1] - odds / (1 + odds)) < 1e-4, found
