"""evident doctor: what it tells, and what makes it fail."""
import json
import os
import re

from program import ProgramCase


class Doctor(ProgramCase):
    def document(self, **environment):
        done = self.run_program("doctor", "--json", env={**os.environ, **environment})
        return done, json.loads(done.stdout)

    def test_all_is_well(self):
        before = self.entries()
        done = self.run_program("doctor")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        for word in ("Program", "Compiler", "Built with", "SIMD", "HTML reports", "netCDF", "Machine", "Threads", "Memory", "MPI",
                     "Python", "Self-test"):
            self.assertRegex(done.stdout, rf"(?m)^(  )?{word}\b")
        self.assertNotIn("FAILED", done.stdout)
        self.assertRegex(done.stdout, r"\nAll is well \(\d+\.\d s\)\.\n\Z")
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        self.assertEqual(self.entries(), before)

    def test_document(self):
        done, document = self.document()
        self.assertEqual((done.returncode, done.stderr, document["well"]), (0, "", True))
        self.assertEqual(document["version"], self.run_program("--version").stdout.split()[1])
        self.assertIn(document["program"]["simd"]["in_use"], document["program"]["simd"]["compiled"])
        self.assertRegex(document["program"]["built_with"]["Eigen"], r"^\d+\.\d+")
        self.assertTrue(any(re.search("libstdc|libasan", file) for file in document["program"]["loaded"]))
        self.assertEqual(document["machine"]["threads"]["used"], len(os.sched_getaffinity(0)))
        tests = document["self_test"]
        self.assertTrue(all(test["passed"] for test in tests.values()))
        for name in ("evidence_built_in", "evidence_formula"):
            test = tests[name]
            self.assertLess(abs(test["log_evidence"] - test["exact"]), 6 * test["standard_error"])
            self.assertLess(test["standard_error"], 0.1)
        self.assertGreater(tests["speed"]["pet_likelihoods_per_second"], 1000)
        self.assertLess(tests["simd_pet"][document["program"]["simd"]["in_use"]], 1e-9)

    def test_exact_evidence_of_the_formula(self):
        """y ~ N(mu, 1), mu ~ N(0, 2^2), integrated here by Simpson's rule."""
        import math
        y = [0.3, 1.9, 2.4, 0.8, -0.2, 1.1, 1.6, 0.1, 2.2, 0.9, 1.3, -0.6]
        n, lower, upper = 4000, -20.0, 20.0
        total = 0.0
        for i in range(n + 1):
            mu = lower + (upper - lower) * i / n
            log_density = -0.5 * (mu / 2) ** 2 - math.log(2) - 0.5 * sum((v - mu) ** 2 for v in y)
            log_density -= 0.5 * (len(y) + 1) * math.log(2 * math.pi)
            total += (1 if i in (0, n) else 4 if i % 2 else 2) * math.exp(log_density)
        exact = math.log(total * (upper - lower) / n / 3)
        _, document = self.document()
        self.assertAlmostEqual(document["self_test"]["evidence_formula"]["exact"], exact, places=9)

    def test_limits_are_told(self):
        _, document = self.document()
        self.assertNotIn("ulimit", document["machine"]["memory"])
        done = self.run_program("doctor", preexec_fn=lambda: __import__("resource").setrlimit(
            __import__("resource").RLIMIT_AS, (2**46, 2**46)))  # a sanitized program needs 2^45
        self.assertIn("ulimit -v allows 7.04e+04 GB", done.stdout.replace("\n" + " " * 22, " "))

    def test_a_module_that_cannot_be_loaded_is_a_failure(self):
        self.write("broken.so", "no library")
        environment = {"EVIDENT_MPI_MODULE": str(self.folder / "broken.so")}
        done, document = self.document(**environment)
        self.assertEqual((done.returncode, document["well"]), (1, False))
        self.assertRegex(done.stderr, r"\Aevident: not well: MPI; [^\n]+\n\Z")
        self.assertIn("broken.so", document["machine"]["mpi"]["problem"])
        done = self.run_program("doctor", env={**os.environ, **environment})
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"MPI +FAILED: the module cannot be used")
        self.assertIn("-> install the MPI", done.stdout)

    def test_no_module_is_no_failure(self):
        done, document = self.document(EVIDENT_MPI_MODULE=str(self.folder / "none.so"))
        self.assertEqual((done.returncode, document["well"], document["machine"]["mpi"]["library"]), (0, True, ""))

    def test_a_python_that_knows_nothing(self):
        self.write("python3", "#!/bin/sh\nexit 1\n")
        os.chmod(self.folder / "python3", 0o755)
        _, document = self.document(PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertIsNone(document["machine"]["python"]["package"])
        self.write("python3", "#!/bin/sh\necho 9.9.9 /opt/python\n")
        done, document = self.document(PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertEqual(document["machine"]["python"], {"package": "9.9.9", "python": "/opt/python"})
        self.assertEqual(done.returncode, 0)

    def test_a_folder_that_is_gone(self):
        """One message, and none of the shell that asks for Python."""
        def go_there():
            os.mkdir("gone")
            os.chdir("gone")
            os.rmdir("../gone")

        done = self.run_program("doctor", preexec_fn=go_there)
        self.assertEqual((done.returncode, done.stderr), (1, "evident: not well: Working folder; '->' tells what to do\n"))
        self.assertRegex(done.stdout, "Working folder +FAILED: it does not exist any more")
        done = self.run_program("simulate", "goodwin", "--seed", "1", "--out", "x", preexec_fn=go_there)
        self.assertEqual((done.returncode, done.stderr), (2, "evident: output folder x: No such file or directory\n"))

    def test_wrong_use(self):
        self.refused("unknown option '--jason'; did you mean '--json'", "doctor", "--jason")
        self.refused("unexpected argument 'please'", "doctor", "please")
