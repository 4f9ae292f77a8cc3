"""y[i] = intercept + slope * x[i] + normal noise of a known size; without a slope, a constant. Speaks evident's line protocol."""
import math
import sys

names, data, noise = [], {}, 1.0


def log_likelihood(theta):
    """log p(data | theta), with its constants."""
    a, b = theta["intercept"], theta.get("slope", 0.0)
    total = -len(data["y"]) * math.log(noise * math.sqrt(2 * math.pi))
    return total - sum(((y - a - b * x) / noise) ** 2 for x, y in zip(data["x"], data["y"])) / 2


for line in sys.stdin:
    word, *rest = line.split()
    if word == "option" and rest[0] == "noise":
        noise = float(rest[1])
    elif word == "parameter":
        names.append(rest[0])
    elif word == "column":
        data[rest[0]] = [float(v) for v in rest[1:]]
    elif word == "begin":
        missing = {"x", "y"} - set(data)
        print(f"error the data need columns {missing}" if missing else "ready", flush=True)
    elif word == "batch":
        for _ in range(int(rest[1])):
            print(log_likelihood(dict(zip(names, map(float, sys.stdin.readline().split())))))
        print("done", rest[0], flush=True)
    elif word == "bye":
        break
