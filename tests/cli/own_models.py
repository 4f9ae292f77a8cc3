"""Models of one's own: `evident new model`, libraries and programs in studies, and that nothing runs unasked."""
import json
import math
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

import program
from program import ProgramCase

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "process"


def exact_evidence(x, y, noise, intercept_sd, slope_sd):
    """log N(y; 0, noise^2 I + a^2 1 1' + b^2 x x'), by the determinant and inverse of a matrix that is updated twice."""
    n, log_det, quadratic = len(y), len(y) * math.log(noise**2), 0.0
    inverse = [[(i == j) / noise**2 for j in range(n)] for i in range(n)]
    for u, sd in (([1.0] * n, intercept_sd), (x, slope_sd)):
        v = [sd * sum(inverse[i][j] * u[j] for j in range(n)) for i in range(n)]
        gain = 1 + sd * sum(u[i] * v[i] for i in range(n))
        log_det += math.log(gain)
        inverse = [[inverse[i][j] - v[i] * v[j] / gain for j in range(n)] for i in range(n)]
    quadratic = sum(y[i] * inverse[i][j] * y[j] for i in range(n) for j in range(n))
    return -0.5 * (n * math.log(2 * math.pi) + log_det + quadratic)


class Templates(ProgramCase):
    def template(self, language, *build):
        done = self.run_program("new", "model", "mine", "--language", language)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("evident compare study.toml --allow-code", done.stdout)
        folder = self.folder / "mine"
        for command in build:
            made = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            self.assertEqual((made.returncode, made.stderr), (0, ""))
        return folder

    def evidences(self, language, *build):
        folder = self.template(language, *build)
        done = self.run_program("compare", "mine/study.toml", "--allow-code", "--json", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [tuple(map(float, line.split(","))) for line in (folder / "data.csv").read_text().split()[1:]]
        x, y = map(list, zip(*rows))
        models = json.loads(done.stdout)["models"]
        self.assertEqual([m["name"] for m in models], ["constant", "line"])
        for m, slope_sd in zip(models, (0.0, 1.0)):
            exact = exact_evidence(x, y, 0.4, 10.0, slope_sd)
            self.assertLess(m["log_evidence_se"], 0.1)
            self.assertLess(abs(m["log_evidence"] - exact), 3 * m["log_evidence_se"], (m["name"], exact))

    def test_c(self):
        self.evidences("c", ["make", "-s"])

    def test_cpp(self):
        self.evidences("c++", ["make", "-s"])

    def test_python(self):
        self.evidences("python")

    @unittest.skipUnless(shutil.which("Rscript"), "there is no Rscript to run the template in R")
    def test_r(self):
        self.evidences("r")

    def test_check_of_the_template(self):
        self.template("c", ["make", "-s"])
        done = self.run_program("check", "mine/study.toml", "--allow-code", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        for m in json.loads(done.stdout)["models"]:
            self.assertEqual(m["findings"], [])
            self.assertGreater(m["gradient"]["tested"], 10)
            self.assertEqual(m["gradient"]["wrong"], 0)

    def test_refusals(self):
        self.template("c")
        self.refused(r"mine: exists; choose another name", "new", "model", "mine")
        self.refused(r"--language must be one of c, c\+\+, python, r, was 'cobol'", "new", "model", "x", "--language",
                     "cobol")
        self.refused(r"unknown kind 'modle'; did you mean 'model'\?", "new", "modle", "x")
        self.refused(r"needs to know what", "new")
        self.refused(r"NAME must not be empty", "new", "model", "")
        self.refused(r"mine/model\.so', which is not there; build it first", "compare", "mine/study.toml", "--allow-code")


class BadStudies(ProgramCase):
    def study(self, text, parameters='[model.parameters]\nmu = "normal(0, 10)"\n'):
        self.write("study.toml", f'[data]\nfile = "data.csv"\n[[model]]\nname = "own"\n{text}\n{parameters}')

    def both(self, pattern, *more):
        for command in ("compare", "check"):
            self.refused(pattern, command, "study.toml", *more)

    def test_nothing_runs_unasked(self):
        self.study('kind = "process"\ncommand = ["touch", "proof"]')
        self.both(r"study\.toml:6: 'command' in \[\[model\]\] runs code that is not evident's own.* add --allow-code")
        self.study('kind = "library"\nlibrary = "model.so"')
        self.both(r"study\.toml:6: 'library' in \[\[model\]\] runs code that is not evident's own.* add --allow-code")
        self.assertFalse((self.folder / "proof").exists())

    def test_library(self):
        self.study('kind = "library"')
        self.both(r"study\.toml:3: .*needs a library", "--allow-code")
        self.study('kind = "library"\nlibrary = ""')
        self.both(r"'library' in \[\[model\]\] must name a file", "--allow-code")
        self.write("text.so", "this is no library")
        self.study('kind = "library"\nlibrary = "text.so"')
        self.both(r"study\.toml:3: model 'own': the library cannot be loaded: .*text\.so", "--allow-code")

    def test_process(self):
        self.study('kind = "process"')
        self.both(r"needs a command, for example", "--allow-code")
        self.study('kind = "process"\ncommand = "no-such-program"')
        self.both(r"study\.toml:3: model 'own': there is no program 'no-such-program' in the PATH", "--allow-code")
        self.study('kind = "process"\ncommand = "python3 model.py"')
        self.both(r'write the command as a list: command = \["python3", "model\.py"\]', "--allow-code")
        self.study('kind = "process"\ncommand = ["false"]')
        self.both(r"the program 'false' failed: it ended with status 1", "--allow-code")
        self.study('kind = "process"\ncommand = ["cat"]')
        self.both(r"line 1 of its answer was 'evident 1', where 'ready' was expected", "--allow-code")
        self.study('kind = "process"\ncommand = ["sleep", "100"]\ntimeout = "0.5s"')
        self.both(r"it gave no answer within 0\.5 seconds", "--allow-code")
        self.study('kind = "process"\ncommand = ["cat"]\ntimeout = "soon"')
        self.both(r"study\.toml:7: 'timeout' in \[\[model\]\] must be a time above 0", "--allow-code")

    def test_parameters(self):
        process = 'kind = "process"\ncommand = ["cat"]'
        self.study(process, "")
        self.both(r"needs parameters", "--allow-code")
        self.study(process, "[model.parameters]\n")
        self.both(r"\[model\.parameters\] is empty", "--allow-code")
        self.study(process, '[model.parameters]\nmu = "nrmal(0, 1)"\n')
        self.both(r"study\.toml:8: 'mu' in \[model\.parameters\] is no prior: .*did you mean 'normal'", "--allow-code")
        self.study(process, '[model.parameters]\nmu = 1\n')
        self.both(r"'mu' in \[model\.parameters\] must be a text in quotes, was 1", "--allow-code")
        self.study(process, '[model.parameters]\n"mu[x]" = "normal(0, 1)"\n')
        self.both(r"is not the name of a vector", "--allow-code")
        self.study(process, '[model.parameters]\n"my mu" = "normal(0, 1)"\n')
        self.both(r"the parameter 'my mu' cannot be told to a program", "--allow-code")

    def test_columns(self):
        self.write("data.csv", "y,group\n1,a\n2,b\n")
        self.study('kind = "process"\ncommand = ["cat"]')
        self.both(r"data\.csv:2: column 'group': .*columns = \[\.\.\.\] in the model lists", "--allow-code")
        self.study('kind = "process"\ncommand = ["cat"]\ncolumns = ["z"]')
        self.both(r"data\.csv: has no column 'z'", "--allow-code")


SLOW = """\
import os, sys, time
for line in sys.stdin:
    word, *rest = line.split()
    if word == "begin": print("ready", flush=True)
    if word == "batch":
        open(f"pid-{os.getpid()}", "w").close()
        time.sleep(1000)
"""


class Processes(ProgramCase):
    def pids(self):
        return [int(p.name[4:]) for p in self.folder.glob("pid-*")]

    def running(self, pid):
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def slow(self, *more):
        self.write("slow.py", SLOW)
        self.write("study.toml", '[data]\nfile = "data.csv"\n[[model]]\nname = "slow"\nkind = "process"\n'
                   'command = ["python3", "slow.py"]\n[model.parameters]\nmu = "normal(0, 10)"\n')
        process = subprocess.Popen([program.PROGRAM, "compare", "study.toml", "--allow-code", "--threads", "2", *more],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.time() + 60
        while not self.pids() and time.time() < deadline:
            time.sleep(0.05)
        self.assertGreaterEqual(len(self.pids()), 1)  # at work on a batch
        return process

    def all_gone(self):
        deadline = time.time() + 60
        while any(map(self.running, self.pids())) and time.time() < deadline:
            time.sleep(0.05)
        self.assertEqual([p for p in self.pids() if self.running(p)], [])

    def test_interrupt_ends_the_programs(self):
        process = self.slow("--quiet")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (128 + signal.SIGINT, "evident: stopped by SIGINT; nothing was written\n"))
        self.all_gone()

    def test_kill_ends_the_programs(self):
        process = self.slow()
        process.kill()
        process.communicate(timeout=60)
        self.all_gone()

    def test_a_program_that_keeps_dying(self):
        self.write("bad.py", SLOW.replace("time.sleep(1000)", "sys.exit('no luck')"))
        self.write("study.toml", '[data]\nfile = "data.csv"\n[[model]]\nname = "bad"\nkind = "process"\nrestarts = 1\n'
                   'command = ["python3", "bad.py"]\n[model.parameters]\nmu = "normal(0, 10)"\n')
        done = self.run_program("compare", "study.toml", "--allow-code", "--threads", "1")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"(?s)no luck; started again.*evident: .*ended with status 1; its last words on "
                                      r"standard error: no luck \(at mu = [-0-9.]+\)\n\Z")
        self.assertFalse((self.folder / "study.evident").exists())

    def test_results_do_not_depend_on_threads(self):
        for name in ("study.toml", "data.csv", "model.py"):
            shutil.copy(EXAMPLE / name, self.folder)
        documents = []
        for threads in ("1", "3"):
            done = self.run_program("compare", "study.toml", "--allow-code", "--quiet", "--json", "--no-pilot",
                                    "--particles", "130", "--cess", "0.8", "--threads", threads)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            documents.append("\n".join(l for l in done.stdout.split("\n") if "seconds" not in l))
        self.assertEqual(*documents)
