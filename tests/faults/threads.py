"""Threads that cannot be had: the run goes on with fewer, or says why it cannot."""
import os
import shutil
import subprocess

import program
from fault_case import STUDY, FaultCase, limits


class Threads(FaultCase):
    def setUp(self):
        super().setUp()
        self.write("study.toml", STUDY.format(2000))
        self.succeeds("compare", "study.toml", "--out", "wanted", "--quiet")

    def confined(self, most, *arguments):
        """As somebody who may have so many threads; root may have any, and becomes nobody."""
        options = {}
        if os.getuid() == 0:
            shutil.copy(program.PROGRAM, self.folder / "program")
            self.folder.chmod(0o777)
            options = {"user": 65534, "group": 65534, "extra_groups": []}
        program_file = self.folder / "program" if options else program.PROGRAM
        return subprocess.run([program_file, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, preexec_fn=limits(("NPROC", most)), **options)

    def test_few_threads(self):
        before = self.entries()
        for most in (1, 2, 3, 5, 9):
            done = self.confined(most, "compare", "study.toml", "--quiet", "--threads", 8, "--out", f"out{most}")
            self.assertIn(done.returncode, (0, 1), f"{most}: {done.returncode} {done.stderr}")
            if done.returncode == 1:
                self.assertRegex(done.stderr, r"\Aevident: [^\n]*thread[^\n]*\n\Z", most)
            else:
                self.assertEqual((self.folder / f"out{most}/m-draws.csv").read_bytes(),
                                 (self.folder / "wanted/m-draws.csv").read_bytes(), most)
        left = [n for n in self.entries() if n not in before and n != "program" and not n.startswith("out")]
        self.assertEqual(left, [])
