"""Standard streams that are closed, by a reader that has seen enough or from the start."""
import json
import subprocess

import program
from fault_case import FaultCase


class Pipes(FaultCase):
    def shell(self, command, **options):
        return subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, env={"EVIDENT": program.PROGRAM, "PATH": "/usr/bin:/bin"}, **options)

    def test_a_reader_that_goes(self):
        """Nobody reads: nothing is said, the status is that of a broken pipe, and the results are whole."""
        for command in ("compare study.toml --quiet", "compare study.toml --quiet --json", "models", "methods", "--help",
                        "check study.toml"):
            done = self.shell(f'"$EVIDENT" {command} | true; echo ${{PIPESTATUS[0]}}')
            self.assertIn(done.stdout.strip(), ("0", "141"), command)  # 0: what it wrote fitted into the pipe
            self.assertEqual(done.stderr, "", command)
        self.assertIn("models", json.loads((self.folder / "study.evident/result.json").read_text()))

    def test_head(self):
        done = self.shell('for i in 1 2 3 4 5; do "$EVIDENT" models | head -1; done')
        self.assertEqual(len(done.stdout.splitlines()), 5)
        self.assertNotIn("terminate", done.stderr)

    def test_a_closed_error_stream_is_no_file(self):
        """Messages must not get into a file that happens to get the number of the closed stream."""
        self.succeeds("compare", "study.toml", "--out", "whole")
        done = self.shell('"$EVIDENT" compare study.toml --out out 2>&-')
        self.assertEqual(done.returncode, 0)
        self.assertEqual((self.folder / "out/m-draws.csv").read_bytes(), (self.folder / "whole/m-draws.csv").read_bytes())
        self.assertEqual(self.shell('"$EVIDENT" batch study.toml --data data.csv --out b 0<&- 2>&-').returncode, 0)
        self.succeeds("batch", "study.toml", "--data", "data.csv", "--out", "b", "--resume", "--quiet")
        self.assertTrue((self.folder / "b/journal").read_bytes().startswith(b"EVIDJRNL"))

    def test_a_closed_output_stream_is_an_error(self):
        done = self.shell('"$EVIDENT" compare study.toml --quiet --json 0<&- 1>&-')
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "evident: standard output cannot be written: Bad file descriptor\n")
