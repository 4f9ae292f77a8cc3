"""How the program scales over ranks: seconds, processor seconds of each rank, messages and bytes.

    python3 bench/scaling.py build/release/evident [--what pet goodwin compare] [--ranks 1 2] [--voxels 2000]
                             [--particles 100000] [--cess 0.9] [--weak] [--json out.json]

Each case runs on every number of ranks, with one thread a rank. Two speed-ups are printed: that of the clock, and the
processor seconds of one rank over the most that any rank used, which a busy machine spoils less (a rank that waits
sleeps). --weak makes the work grow with the ranks. bench/scaling_forecast.py reads the JSON file.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/mpi"))
import ranks as launch  # noqa: E402

# Runs one rank and notes what it used, in the file that the first argument names.
WRAPPER = """
import json, os, resource, subprocess, sys
done = subprocess.run(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
rank = os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ.get("PMI_RANK") or "0"
json.dump({"cpu": used.ru_utime + used.ru_stime, "user": used.ru_utime, "megabytes": used.ru_maxrss / 1024},
          open(sys.argv[1] + rank, "w"))
sys.exit(done.returncode)
"""
TRAFFIC = re.compile(r"rank 0: (\d+) collective operations, (\d+) letters, (\d+) bytes sent, (\d+) bytes received, "
                     r"([\d.]+) s in collective operations")


def measure(folder, count, arguments):
    (folder / "wrapper.py").write_text(WRAPPER)
    for old in folder.glob("used*"):
        old.unlink()
    words = [sys.executable, str(folder / "wrapper.py"), str(folder / "used"), *map(str, arguments)]
    if count > 1:
        words = ["mpirun", "-n", str(count), *words]
    environment = launch.environment(OMP_NUM_THREADS="1")
    begun = time.monotonic()
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment)
    seconds = time.monotonic() - begun
    if done.returncode != 0:
        sys.exit(f"the run failed: {done.stderr}")
    used = [json.loads((folder / f"used{r}").read_text()) for r in range(count)]
    row = {"ranks": count, "seconds": seconds, "cpu": [u["cpu"] for u in used],
           "megabytes": [u["megabytes"] for u in used]}
    if found := TRAFFIC.search(done.stderr):
        names = ("operations", "letters", "bytes_out", "bytes_in", "waiting")
        row |= dict(zip(names, map(float, found.groups())))
    if arguments[1] == "compare":
        document = json.loads(done.stdout)
        row["steps"] = [m["replicates"][0]["steps"] if "replicates" in m else None for m in document["models"]]
    return row


def pet(program, folder, options, factor):
    voxels = options.voxels * factor
    scan = folder / f"scan{voxels}"
    if not scan.is_dir():
        subprocess.run([program, "simulate", "pet-image", "--truth", "brain", "--voxels", str(voxels), "--out", scan],
                       check=True, capture_output=True)
    mask = scan / "derivatives/truth/sub-01/pet/sub-01_desc-brain_mask.nii.gz"
    return [program, "pet", scan, f"out{voxels}", "participant", "--mask", mask, "--preset", "fast", "--force",
            "--threads", 1]


def goodwin(program, folder, options, factor):
    example = pathlib.Path(__file__).resolve().parent.parent / "examples/goodwin"
    for name in ("study.toml", "data.csv"):
        (folder / name).write_bytes((example / name).read_bytes())
    return [program, "compare", "study.toml", "--json", "--no-pilot", "--model", "3 substances", "--threads", 1,
            "--particles", options.particles * factor, "--cess", options.cess]


def compare(program, folder, options, factor):
    goodwin(program, folder, options, factor)
    return [program, "compare", "study.toml", "--json", "--islands", 8 * factor, "--particles", 500, "--threads", 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--what", nargs="+", default=["pet", "goodwin", "compare"])
    parser.add_argument("--ranks", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--voxels", type=int, default=2000)
    parser.add_argument("--particles", type=int, default=100000)
    parser.add_argument("--cess", type=float, default=0.9)
    parser.add_argument("--weak", action="store_true")
    parser.add_argument("--json")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    results = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for what in options.what:
            rows = results[what] = []
            for count in options.ranks:
                arguments = globals()[what](program, folder, options, count if options.weak else 1)
                row = measure(folder, count, arguments)
                grown = count if options.weak else 1
                row |= {"voxels": options.voxels * grown} if what == "pet" else {"particles": options.particles * grown}
                rows.append(row)
                first = rows[0]
                work = row["ranks"] / first["ranks"] if options.weak else 1
                print(f"{what}: {count} ranks, {row['seconds']:.1f} s, speed-up "
                      f"{work * first['seconds'] / row['seconds']:.2f} by the clock, "
                      f"{work * max(first['cpu']) / max(row['cpu']):.2f} by processor seconds "
                      f"({', '.join(f'{c:.1f}' for c in row['cpu'])}); "
                      f"load {os.getloadavg()[0]:.1f}; {row.get('operations', 0):.0f} operations, "
                      f"{row.get('letters', 0):.0f} letters, {row.get('bytes_out', 0):.0f} bytes sent", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
