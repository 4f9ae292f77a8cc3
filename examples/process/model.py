import math, sys
log_density = {"normal": lambda r, s: -0.5 * (r / s) ** 2 - math.log(s * math.sqrt(2 * math.pi)),
               "laplace": lambda r, s: -abs(r) / s - math.log(2 * s)}[sys.argv[1]]
for line in sys.stdin:
    word, *rest = line.split()
    if word == "column": y = [float(v) for v in rest[1:]]
    if word == "begin": print("ready", flush=True)
    if word == "batch":
        for _ in range(int(rest[1])):
            mu, s = map(float, sys.stdin.readline().split())
            print(sum(log_density(v - mu, s) for v in y))
        print("done", rest[0], flush=True)
