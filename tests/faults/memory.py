"""Memory that ends: a message and exit status 1, whenever it happens; never an abort."""
import shutil

from fault_case import STUDY, FaultCase, limits

MIB = 1 << 20


class Memory(FaultCase):
    def test_too_many_particles(self):
        self.write("study.toml", STUDY.format(10**7))
        self.fails("out of memory; use fewer particles or less data", "compare", "study.toml", "--quiet", "--threads", 2,
                   preexec_fn=limits(("AS", 700 * MIB)))

    def test_any_limit(self):
        """Whatever is being made when nothing is left."""
        self.write("study.toml", STUDY.format(200000))
        before, failed = self.entries(), 0
        for limit in range(60, 240, 15):
            done = self.run_program("compare", "study.toml", "--quiet", "--threads", 2, "--out", "out", "--force",
                                    preexec_fn=limits(("AS", limit * MIB)))
            if done.returncode == 0:  # a larger limit may fail all the same: threads take memory as they come
                shutil.rmtree(self.folder / "out")
            self.assertIn(done.returncode, (0, 1, 127), f"{limit} MiB: {done.returncode} {done.stderr}")
            if done.returncode == 1:
                failed += 1
                self.assertRegex(done.stderr, r"\Aevident: [^\n]*memory[^\n]*\n\Z", f"{limit} MiB")
                self.assertEqual(self.entries(), before)
        self.assertGreater(failed, 3)

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
