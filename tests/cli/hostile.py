"""What somebody with bad intentions hands over: files that are none, paths that lead nowhere, names that would repaint a terminal."""
import json
import os
import re
import subprocess
import time

import program
from program import DATA, STUDY, ProgramCase

CHECK = ("check", "study.toml", "--quick", "--draws", 50)
QUICK = ("--particles", 32, "--islands", 2, "--quiet")


class Files(ProgramCase):
    def refused_at_once(self, pattern, *arguments):
        began = time.monotonic()
        self.refused(pattern, *arguments)
        self.assertLess(time.monotonic() - began, 30)  # it would be never

    def test_a_pipe_is_not_waited_for(self):
        (self.folder / "data.csv").unlink()
        os.mkfifo(self.folder / "data.csv")
        os.mkfifo(self.folder / "pipe.toml")
        self.refused_at_once(r"data\.csv: is a pipe, not a regular file", *CHECK)
        self.refused_at_once(r"pipe\.toml: is a pipe, not a regular file", "compare", "pipe.toml")
        self.refused_at_once(r"data\.csv: is a pipe", "batch", "study.toml", "--list", "data.csv")

    def test_four_terabytes(self):
        with open(self.folder / "data.csv", "r+b") as file:
            file.truncate(1 << 42)
        self.refused_at_once(r"data\.csv: is larger than the 4096 MB that are read; --mem allows more$", *CHECK)
        self.refused_at_once(r"data\.csv: is not a text file \(byte \d+ is zero\)", *CHECK, "--mem", "5T")

    def test_mem_is_the_limit_of_a_data_file(self):
        self.refused(r"data\.csv: is larger than the 10 bytes that are read; --mem allows more$", *CHECK, "--mem", 10)
        self.assertEqual(self.run_program(*CHECK, "--mem", "1K").returncode, 0)
        for value in ("-1G", "0", "x", "1X", "1 G", "G", "99999999999999999999", "1e9"):
            self.refused(rf"^evident: --mem must be a size above 0, such as 500M or 2G, was '{value}'$", *CHECK, f"--mem={value}")

    def test_mem_of_pet_leaves_the_image_alone(self):
        """The value ends where the next argument begins."""
        self.refused(r"--mem must be a size above 0, such as 500M or 2G, was '0'", "pet", "--mem", 0, "data", "out", "participant")

    def test_links_that_lead_to_themselves(self):
        (self.folder / "loop").symlink_to("loop")
        for command in (("compare", "loop"), ("check", "loop/study.toml"), ("compare", "study.toml", "--data", "loop"),
                        ("compare", "study.toml", "--out", "loop/x"), ("report", "loop"), ("gather", "loop")):
            self.refused(r"loop.*Too many levels of symbolic links", *command)

    def test_paths_that_are_too_long(self):
        name = "x" * 300
        for command in (("compare", name), ("compare", "study.toml", "--data", name), ("compare", "study.toml", "--out", name),
                        ("report", name), ("gather", name)):
            self.refused("x{20}.*File name too long", *command)


class Arguments(ProgramCase):
    def test_durations(self):
        for value in ("1e30s", "1e300h", "9000h", "99999999999999999999", "-1", "0", "nan", "inf", "1d"):
            self.refused(r"--time must be a time above 0 and at most 8760h, a year, such as 90s, 10m or 2h, was '", "compare",
                         "study.toml", f"--time={value}")
        self.write("study.toml", STUDY.replace("replicates = 1", 'time = "1e30s"'))
        self.refused(r"study\.toml:7: 'time' in \[sampler\] must be a time above 0 and at most 8760h", "compare", "study.toml")

    def test_gather_of_anything(self):
        for folder in ("/etc", ".", "nowhere"):
            self.refused(r"^evident: [^\n]*(holds no shards|No such file|does not exist|there is no)", "gather", folder)

    def test_a_folder_that_is_gone(self):
        for command, said in (((*CHECK[:1], "study.toml"), "study.toml: cannot be opened: No such file or directory"),
                              (("compare", self.folder / "study.toml", *QUICK, "--out", "out"), "No such file or directory")):
            gone = self.folder / "gone"
            gone.mkdir()
            done = subprocess.run(["sh", "-c", 'rmdir "$0" && exec "$@"', str(gone), program.PROGRAM, *map(str, command)], cwd=gone,
                                  capture_output=True, text=True, timeout=60)
            self.assertIn(done.returncode, (1, 2), done.stderr)
            self.assertRegex(done.stderr, r"\Aevident: [^\n]+\n\Z")
            self.assertIn(said, done.stderr)
            self.assertNotIn("filesystem error", done.stderr)


class Likelihoods(ProgramCase):
    def failing(self, likelihood, pattern):
        self.write("study.toml", f'[data]\nfile = "data.csv"\n[[model]]\nname = "m"\n[model.parameters]\na = "normal(0, 1)"\n'
                                 f'[model.log_likelihood]\nl = "{likelihood}"\n')
        done = self.run_program("compare", "study.toml", *QUICK, timeout=60)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, pattern)

    def test_infinity_ends(self):
        self.failing("exp(1000 + a^2)", r"^evident: model 'm': the log likelihood is \+inf at a = ")
        self.failing("where(a > 1, exp(1000), 0)", r"^evident: model 'm': the log likelihood is \+inf at a = ")

    def test_nan(self):
        self.failing("sqrt(-1 - a^2)", r"^evident: model 'm': the log likelihood was NaN")


class Terminals(ProgramCase):
    """Names come from files: none of their characters may act on a terminal."""
    ODD = {"\x1b[2J": "\\u001b[2J", "\u202e": "\\u202e", "\u2066": "\\u2066", "\x9b": "\\u009b", "\u200f": "\\u200f"}

    def harmless(self, text):
        self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", text), ascii(text))

    def test_names_of_models(self):
        for raw, escaped in self.ODD.items():
            self.write("study.toml", STUDY.replace('"one"', f'"one{escaped}x"'))
            is_control = raw[0] < " "  # in a name of a study a mistake of its own
            for command in (("compare", "study.toml", *QUICK, "--force"), CHECK, ("compare", "study.toml", *QUICK, "--json"),
                            (*CHECK, "--json")):
                done = self.run_program(*command)
                self.assertEqual(done.returncode, 2 if is_control else 0, done.stderr)
                self.harmless(done.stdout + done.stderr)
            if is_control:
                continue
            name = json.loads(self.run_program("compare", "study.toml", *QUICK, "--json").stdout)["models"][0]["name"]
            self.assertEqual(name, f"one{raw}x")

    def test_columns_and_files(self):
        for raw in self.ODD:
            self.write("data.csv", DATA.replace("y", f"a{raw}b", 1))
            self.harmless(self.run_program("compare", "study.toml", *QUICK).stderr)
            for command in (("compare", f"no{raw}.toml"), ("compare", "study.toml", "--data", f"no{raw}.csv"), ("report", f"no{raw}"),
                            ("compare", "study.toml", "--model", f"no{raw}"), ("simulate", f"no{raw}")):
                done = self.run_program(*command)
                self.assertEqual(done.returncode, 2, command)
                self.harmless(done.stdout + done.stderr)

    def test_folders_for_results(self):
        for raw in self.ODD:
            done = self.run_program("simulate", "gaussian-mixture", "--out", f"here{raw}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.harmless(done.stdout + done.stderr)


    def test_a_long_name_is_abridged(self):
        self.write("study.toml", STUDY.replace("particles", "x" * 100000))
        done = self.run_program("compare", "study.toml")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Aevident: study\.toml:5: unknown key 'x+\.\.\.[^\n]*\n\Z")
        self.assertLess(len(done.stderr), 5000)


class OneReader(ProgramCase):
    def test_head_ends_quietly(self):
        done = subprocess.run(["bash", "-c", f'"{program.PROGRAM}" models | head -1; echo ${{PIPESTATUS[0]}}'], capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.stderr, "")
        self.assertIn(done.stdout.splitlines()[1], ("0", "141"))  # 0: all fitted into the pipe

    def test_nobody_reads(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([program.PROGRAM, "models"], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (141, ""))
