"""How long work takes on 10 to 10,000 cores: a cost model fitted to measurements, and a discrete-event simulation.

    python3 bench/scaling_forecast.py [--pet pet.json] [--particles goodwin.json ...] [--seed 1]

The JSON files are those of bench/scaling.py; without them the constants below are used, which are of the machine that
docs/scaling.md names. Voxels and whole runs are simulated event by event, as src/base/work_queue.cpp hands them out: ranks
ask, rank 0 answers one letter after another, and the last pieces end at different times. The steps of one run whose
particles are spread are added up from a formula. Standard library only.
"""
import argparse
import heapq
import json
import math
import pathlib
import random

CORES = (10, 100, 1000, 10000)

# Measured by bench/scaling.py; seconds of one core.
VOXEL = 0.0215            # one voxel, preset fast
RANK_STEP = 62e-6         # moves of one particle in one step (Goodwin, three substances)
EVERYWHERE = 0.07e-6      # what every rank does for every particle in one step: weights, schedule, families
SETUP = 5.7               # of one run, before its first step (the map of Goodwin's own move), on every rank
# By the code.
NAP = 2e-3                # rank 0 looks for letters at least so often
RANK_OPERATIONS = 5       # collective operations a step
ROWS = 2 * 8 + 2          # numbers of a particle that moves to another rank
# Estimated, not measured: vary them to see what depends on them.
VOXEL_SPREAD = 0.4        # standard deviation of a voxel's time over its mean
LETTER = 15e-6            # rank 0 reads a letter and answers it
RESULT = 40e-6            # rank 0 checks the result of a chunk and writes it to the journal
SCAN_SERIAL = 6.0         # one scan of 200,000 voxels on rank 0: reading, maps, report
MOVING = 0.5              # share of the particles that leave their rank when resampled, for many ranks
RESAMPLED = 0.05          # share of the steps that resample
# Assumed of a cluster's network.
LATENCY = 3e-6            # seconds a message
BANDWIDTH = 10e9          # bytes a second, into a node
START = 2.0               # launching and MPI_Init, at 1,000 ranks


def simulate(pieces, cores, threads, spread, source):
    """Seconds until the last of the pieces is done. `pieces` are mean times; `threads` cores make a rank."""
    ranks = max(1, cores // threads)
    # Rank 0's own threads take pieces without letters; every other thread sends one to ask and one with the result.
    own = min(threads, cores)
    sigma = math.sqrt(math.log1p(spread * spread))
    events = []  # (time, is_remote)
    for _ in range(own):
        heapq.heappush(events, (0.0, False))
    for _ in range(cores - own):
        heapq.heappush(events, (LATENCY, True))
    dealer_free, end = 0.0, 0.0
    for mean in pieces:
        ready, remote = heapq.heappop(events)
        duration = mean * source.lognormvariate(-sigma * sigma / 2, sigma)
        if remote:
            # The letter waits for rank 0, which is busy with others or naps.
            begin = max(ready, dealer_free)
            if dealer_free < ready:
                begin += source.uniform(0, min(NAP, ready - dealer_free))
            dealer_free = begin + LETTER + RESULT
            ready = dealer_free + LATENCY
        finish = ready + duration + (LATENCY if remote else 0)
        end = max(end, finish)
        heapq.heappush(events, (finish, remote))
    return end, ranks


def scan(cores, chunk, source, voxels=200_000):
    pieces = [VOXEL * min(chunk, voxels - i) for i in range(0, voxels, chunk)]
    end, _ = simulate(pieces, cores, min(cores, 64), VOXEL_SPREAD / math.sqrt(chunk), source)
    return end


def start(cores):
    return START * max(1, math.log2(max(cores, 2)) / 10)


def particles_step(count, cores):
    """Seconds of one step of one run; one core a rank."""
    log_p = math.log2(max(cores, 2))
    gather = 8 * count / BANDWIDTH if cores > 1 else 0
    exchange = RESAMPLED * MOVING * 8 * ROWS * count / cores / BANDWIDTH
    return (count * RANK_STEP / cores + count * EVERYWHERE + gather + exchange + RANK_OPERATIONS * log_p * LATENCY)


def duration(seconds):
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"


def fit_particles(files):
    """RANK_STEP by least squares from processor seconds = SETUP + steps x particles x (a / ranks + EVERYWHERE)."""
    rows = []
    for name in files:
        for row in json.loads(pathlib.Path(name).read_text())["goodwin"]:
            work = row["steps"][0] * row["particles"]
            rows.append((1 / row["ranks"], (max(row["cpu"]) - SETUP) / work - EVERYWHERE))
    return sum(x * y for x, y in rows) / sum(x * x for x, _ in rows)


def main():
    global VOXEL, RANK_STEP
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pet")
    parser.add_argument("--particles", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source = random.Random(options.seed)
    if options.pet:
        row = json.loads(pathlib.Path(options.pet).read_text())["pet"][0]
        VOXEL = sum(row["cpu"]) / row["voxels"]
    if options.particles:
        RANK_STEP = fit_particles(options.particles)
    print(f"a voxel {VOXEL * 1e3:.1f} ms; a particle a step {RANK_STEP * 1e6:.1f} us where it lives, "
          f"{EVERYWHERE * 1e6:.2f} us everywhere")

    print("\none brain scan, 200,000 voxels (seconds of the voxels; chunks of 32, then of 4)")
    one = 200_000 * VOXEL
    for cores in CORES:
        text = [f"  {cores:6} cores"]
        for chunk in (32, 4):
            t = scan(cores, chunk, source)
            text.append(f"chunk {chunk}: {duration(t)}, efficiency {one / cores / t:.2f}")
        whole = scan(cores, 4 if cores > 1000 else 32, source) + SCAN_SERIAL + start(cores)
        print("; ".join(text) + f"; with start, reading and maps {duration(whole)}")

    print("\n1,000 scans, one team after all of them, or many teams of 100 cores (job array)")
    for cores in CORES:
        each = scan(cores, 32 if cores <= 1000 else 4, source) + SCAN_SERIAL
        team = min(cores, 100)
        teams = cores // team
        share, _ = simulate([scan(team, 32, source) + SCAN_SERIAL] * 1000, teams, 1, 0.05, source)
        print(f"  {cores:6} cores: one team {duration(1000 * each)}, efficiency {1000 * one / cores / (1000 * each):.2f}; "
              f"teams {duration(share)}, efficiency {1000 * one / cores / share:.2f}")

    print("\none run with 10^8 particles, 100 steps, particles spread; and the same particles as 1,000 islands of 10^5")
    base = 1e8 * (RANK_STEP + EVERYWHERE)
    for cores in (1, *CORES):
        t = particles_step(1e8, cores)
        island = SETUP + 1e5 * (RANK_STEP + EVERYWHERE) * 100
        islands, _ = simulate([island] * 1000, cores, 1, 0.05, source)
        print(f"  {cores:6} cores: {duration(SETUP + 100 * t)}, speed-up {base / t:.0f}; islands {duration(islands)}, "
              f"speed-up {1000 * island / islands:.0f}")


if __name__ == "__main__":
    main()
