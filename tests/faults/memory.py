"""Memory that ends: a message and exit status 1, whenever it happens; never an abort."""
import re
import shutil

from fault_case import STUDY, FaultCase, limits

MIB = 1 << 20


def contents(folder):
    """Of the files, by their names, without times and what has the sums of times."""
    found = {}
    for file in folder.rglob("*"):
        if file.is_file() and file.name not in ("manifest.json", "journal"):
            data = re.sub(rb'"seconds": ?[-+0-9.e]+', b"", file.read_bytes())
            if file.suffix == ".csv":
                rows = [line.split(b",") for line in data.splitlines()]
                data = [[cell for head, cell in zip(rows[0], row) if head != b"seconds"] for row in rows]
            found[str(file.relative_to(folder))] = data
    return found


class Memory(FaultCase):
    def test_too_many_particles(self):
        self.write("study.toml", STUDY.format(10**7))
        self.fails("out of memory; use fewer particles or less data", "compare", "study.toml", "--quiet", "--threads", 2,
                   preexec_fn=limits(("AS", 700 * MIB)))

    def test_any_limit(self):
        """Whatever is being made when nothing is left."""
        self.write("study.toml", STUDY.format(200000))
        before, failed = self.lasting_entries(), 0
        for limit in range(60, 240, 15):
            done = self.run_program("compare", "study.toml", "--quiet", "--threads", 2, "--out", "out", "--force",
                                    preexec_fn=limits(("AS", limit * MIB)))
            if done.returncode == 0:  # a larger limit may fail all the same: threads take memory as they come
                shutil.rmtree(self.folder / "out")
            self.assertIn(done.returncode, (0, 1, 127), f"{limit} MiB: {done.returncode} {done.stderr}")
            if done.returncode == 1:
                failed += 1
                self.assertRegex(done.stderr, r"\Aevident: [^\n]*memory[^\n]*\n\Z", f"{limit} MiB")
                self.assertEqual(self.lasting_entries(), before)
        self.assertGreater(failed, 3)

    def run_at_limits(self, arguments, limits_):
        """Whatever the limit: the results, or a message, and then --resume makes them."""
        self.succeeds(*arguments)
        wanted = contents(self.folder / "out")
        failed = 0
        for limit in limits_:
            shutil.rmtree(self.folder / "out")
            done = self.run_program(*arguments, preexec_fn=limits(("AS", limit * MIB)))
            self.assertIn(done.returncode, (0, 1, 127), f"{limit} MiB: {done.returncode} {done.stderr}")
            if done.returncode == 1:
                failed += 1
                self.assertRegex(done.stderr, r"\Aevident: [^\n]*memory[^\n]*\n\Z", f"{limit} MiB")
            if done.returncode != 0:
                self.succeeds(*arguments, "--resume")
            found = contents(self.folder / "out")
            self.assertEqual([name for name in wanted if found.get(name) != wanted[name]], [], f"{limit} MiB")
            self.assertEqual(set(found), set(wanted))
        self.assertGreater(failed, 0)

    def test_batch_at_any_limit(self):
        self.write("study.toml", STUDY.format(200))
        for k, rows in enumerate((10, 300_000, 20, 200_000)):
            self.write(f"d{k}.csv", "y\n" + "1.5\n-0.25\n" * rows)
        self.run_at_limits(("batch", "study.toml", "--data", "d[0-9].csv", "--out", "out", "--quiet", "--threads", 2, "--reports",
                            "--no-report"), (75, 95, 115, 135, 160, 190))

    def test_pet_at_any_limit(self):
        self.succeeds("simulate", "pet-image", "--seed", 3, "--voxels", 12, "--out", "scan")
        self.run_at_limits(("pet", "scan", "out", "participant", "--mask",
                            "scan/derivatives/truth/sub-01/pet/sub-01_desc-brain_mask.nii.gz", "--preset", "fast", "--delay", 0,
                            "--chunk", 2, "--particles", 2000, "--threads", 2, "--quiet"), (75, 95, 115, 135, 160))

    def test_too_much_data(self):
        with open(self.folder / "data.csv", "wb") as file:
            file.write(b"y\n" + b"1.5\n-0.25\n" * 3_000_000)
        self.fails("out of memory", "compare", "study.toml", "--quiet", preexec_fn=limits(("AS", 300 * MIB)))

    def test_batch(self):
        """A data set without memory is a failed data set; the others are done."""
        self.write("study.toml", STUDY.format(64))
        self.write("small.csv", "y\n1\n2\n")
        with open(self.folder / "large.csv", "wb") as file:
            file.write(b"y\n" + b"1.5\n-0.25\n" * 3_000_000)
        done = self.run_program("batch", "study.toml", "--data", "*l*.csv", "--out", "out", "--quiet", "--threads", 1,
                                preexec_fn=limits(("AS", 300 * MIB)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"1 of 2 data sets failed.*large.*memory")
        self.assertIn("small,ok,m,yes", (self.folder / "out/results.csv").read_text())
