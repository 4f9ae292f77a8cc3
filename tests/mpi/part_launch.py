"""How a team is started and how it says what is wrong."""
import pathlib
import re
import time

import case
import ranks
from case import Case


class LaunchTest(Case):
    def test_says_what_it_runs_on(self):
        done = self.run_ranks(2, "compare", "study.toml", "--no-pilot", "--particles", 64)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^2 ranks on 1 machine, \d+ threads? each \(.+\)$")
        self.assertEqual(done.stdout.count("Results are in"), 1)
        self.assertTrue((self.folder / "study.evident/result.json").is_file())

    def test_threads_follow_the_environment(self):
        done = self.run_ranks(2, "compare", "study.toml", "--no-pilot", "--particles", 64,
                              environment_more={"OMP_NUM_THREADS": "3"})
        self.assertIn("2 ranks on 1 machine, 3 threads each", done.stderr)

    def test_one_rank_talks(self):
        done = self.run_ranks(3, "models")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, self.run_ranks(0, "models").stdout)

    def test_bad_input_is_one_message_and_exit_2(self):
        for arguments in (("compare", "nothing.toml"), ("compare", "study.toml", "--partciles", 5), ("pet",)):
            alone = self.run_ranks(0, *arguments)
            done = self.run_ranks(3, *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(ranks.own_lines(done.stderr), alone.stderr.splitlines())
            self.assertEqual(done.stdout, "")

    def test_what_only_rank_0_sees_ends_all(self):
        first = self.run_ranks(2, "compare", "study.toml", "--no-pilot", "--particles", 64, "--quiet")
        self.assertEqual(first.returncode, 0, first.stderr)
        done = self.run_ranks(3, "compare", "study.toml", "--no-pilot", "--particles", 64, "--quiet")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(ranks.own_lines(done.stderr)), 1, done.stderr)
        self.assertIn("--force", done.stderr)

    def test_a_failed_run_is_one_message_and_exit_1(self):
        # Each rank has runs of its own; one that fails ends all of them.
        (self.folder / "study.toml").write_text((self.folder / "study.toml").read_text().replace(
            "cess = 0.9", "cess = 0.999999\nmax_steps = 3"))
        done = self.run_ranks(3, "compare", "study.toml", "--json", "--quiet", "--replicates", 4)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(ranks.own_lines(done.stderr)), 1, done.stderr)
        self.assertIn("max_steps", done.stderr)

    def test_without_the_module_there_is_one_message(self):
        gone = {"EVIDENT_MPI_MODULE": str(self.folder / "none.so")}
        done = self.run_ranks(3, "compare", "study.toml", environment_more=gone)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(ranks.own_lines(done.stderr)), 1, done.stderr)
        self.assertRegex(done.stderr, r"no module for MPI.*none\.so")
        alone = self.run_ranks(0, "compare", "study.toml", "--no-pilot", "--particles", 64, environment_more=gone)
        self.assertEqual(alone.returncode, 0, alone.stderr)

    def test_a_module_of_something_else_is_refused(self):
        (self.folder / "none.so").write_text("no library")
        done = self.run_ranks(2, "models", environment_more={"EVIDENT_MPI_MODULE": str(self.folder / "none.so")})
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(ranks.own_lines(done.stderr)), 1, done.stderr)

    def other_build(self, old, new):
        """The program with another version or commit in it, beside a link to its module."""
        folder = self.folder / "other"
        folder.mkdir()
        program = pathlib.Path(case.PROGRAM)
        bytes_ = program.read_bytes()
        self.assertEqual(len(old), len(new))
        self.assertIn(old.encode(), bytes_)
        (folder / program.name).write_bytes(bytes_.replace(old.encode(), new.encode()))
        (folder / program.name).chmod(0o755)
        (folder / "evident_mpi.so").symlink_to(program.parent / "evident_mpi.so")
        return folder / program.name

    def test_ranks_of_another_version_are_refused(self):
        version = self.run_ranks(0, "--version").stdout.split()[1]
        other = self.other_build(version, "9" + version[1:])
        words = ("compare", "study.toml", "--no-pilot", "--particles", 64)
        for commands, odd in (([case.PROGRAM, case.PROGRAM, other], 2), ([other, case.PROGRAM], 1)):
            begun = time.monotonic()
            done = ranks.run_each([[program, *words] for program in commands], cwd=self.folder, timeout=60)
            self.assertLess(time.monotonic() - begun, 10)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(ranks.own_lines(done.stderr)), 1, done.stderr)
            self.assertRegex(done.stderr, rf"rank {odd} runs evident [0-9.]+.*, and rank 0 evident [0-9.]+.*; start the same")
            self.assertFalse((self.folder / "study.evident").exists())

    def test_ranks_of_another_commit_are_refused(self):
        found = re.search(r"commit (\w+)", self.run_ranks(0, "--version").stdout)
        if not found:
            self.skipTest("this build does not know its commit")
        other = self.other_build(found[1], found[1][::-1].translate(str.maketrans("0123456789abcdef", "fedcba9876543210")))
        done = ranks.run_each([[program, "models"] for program in (case.PROGRAM, other)], cwd=self.folder, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(ranks.own_lines(done.stderr)), 1, done.stderr)
        self.assertIn(f"and rank 0 evident {self.run_ranks(0, '--version').stdout.split()[1]} (commit {found[1]}", done.stderr)

    def test_mpi_can_be_switched_off(self):
        done = self.run_ranks(2, "--version", environment_more={"EVIDENT_MPI": "0"})
        self.assertEqual(done.stdout, 2 * self.run_ranks(0, "--version").stdout)
