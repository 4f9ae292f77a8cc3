"""Kills a PET run at random moments, resumes it, and compares all files with those of a run that nobody touched.

    python3 bench/pet_resume.py build/release/evident [--kills 20] [--voxels 2000] [--threads 2]

Prints one line a kill and the outcome; the exit status is 1 when any file differs.
"""
import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


class Bench:
    def __init__(self, options, folder):
        self.folder, self.out = folder, folder / "out"
        program = str(pathlib.Path(options.program).resolve())
        subprocess.run([program, "simulate", "pet-image", "--truth", "brain", "--voxels", str(options.voxels), "--out",
                        "study"], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        mask = "study/derivatives/truth/sub-01/pet/sub-01_desc-brain_mask.nii.gz"
        self.command = [program, "pet", "study", "out", "participant", "--mask", mask, "--preset", "fast", "--quiet",
                        "--threads", str(options.threads)]

    def run(self, *more):
        start = time.monotonic()
        done = subprocess.run([*self.command, *more], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"the run failed: {done.stderr}")
        return time.monotonic() - start

    def killed(self, after, *more):
        """True when the run was still going after so many seconds and is dead now."""
        process = subprocess.Popen([*self.command, *more], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=after)
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--voxels", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(options, pathlib.Path(name))
        seconds = bench.run()
        wanted = tree(bench.out)
        print(f"undisturbed: {len(wanted)} files in {seconds:.1f} s")
        kills = same = 0
        rounds = 0
        while kills < options.kills:
            shutil.rmtree(bench.out)
            rounds += 1
            resume, times = [], []
            while kills < options.kills:  # a run may be killed several times
                after = moments.uniform(0, seconds)
                if not bench.killed(after, *resume):
                    break
                kills += 1
                times.append(f"{after:.1f} s")
                journal = next(bench.out.rglob("journal"), None)
                resume = ["--resume"] if journal else []
                if not journal and any(bench.out.rglob("*_report.html")):
                    break  # killed after its last file was in place
            else:
                bench.run(*resume)
            good = tree(bench.out) == wanted
            same += good
            print(f"killed after {', '.join(times) or 'nothing'}: {'the same bytes' if good else 'DIFFERENT'}", flush=True)
        print(f"{kills} kills, {same} of {rounds} runs end with the same bytes")
        sys.exit(same != rounds)


main()
