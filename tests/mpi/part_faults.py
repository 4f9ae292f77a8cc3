"""Ranks that die or hang: a message that names them, a quick end, nothing lost but the chunks in flight."""
import os
import random
import signal
import time

import case
import ranks
from case import Case, tree


class FaultsTest(Case):
    def setUp(self):
        super().setUp()
        self.make_scan(24)

    def started(self, *more, particles=150, environment_more=None):
        """A new run on three ranks whose journal has begun to grow; once more where it ended before that was seen."""
        for _ in range(5):
            self.clear()
            process = ranks.start(3, case.PROGRAM, *self.slow(*more, particles=particles), cwd=self.folder,
                                  environment_more=environment_more)
            begun = time.time()
            while process.poll() is None and time.time() < begun + 240:
                if any(size > 2000 for size in self.sizes("journal") or ()):
                    return process
                time.sleep(0.01)
            if process.poll() != 0:
                process.kill()
                self.fail(f"the run could not be stopped: {process.communicate()}")
            process.communicate()
        self.fail("the runs ended before they could be stopped")

    def sizes(self, pattern):
        """Of the files with such a name; None where the run took something away meanwhile."""
        try:
            return [p.stat().st_size for p in (self.folder / "out").rglob(pattern)]
        except FileNotFoundError:
            return None

    def is_finished(self):
        return bool(self.sizes("*_report.html")) and self.sizes("journal") == []

    def slow(self, *more, particles=150):
        return self.pet("--quiet", "--cess", 0.97, *more, particles=particles)

    def clear(self):
        for path in sorted((self.folder / "out").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()

    def whole(self):
        done = self.run_ranks(0, *self.slow())
        self.assertEqual(done.returncode, 0, done.stderr)
        files = tree(self.folder / "out")
        self.clear()
        return files

    def ended(self, process, within=30):
        """What it said; None where the signal came when all was done and the ranks were leaving."""
        begun = time.time()
        _, errors = process.communicate(timeout=within + 30)
        self.assertLess(time.time() - begun, within)
        if self.is_finished() and not ranks.own_lines(errors):
            return None
        self.assertNotEqual(process.returncode, 0)
        return errors

    def test_a_killed_rank_is_named_and_the_run_goes_on(self):
        expected = self.whole()
        moments = random.Random(5)
        tries = 0
        for victim in (0, 1, 2):
            line = ""
            while "--resume" not in line:  # where all was done when the rank died, once more
                tries += 1
                self.assertLess(tries, 20, line)
                process = self.started()
                time.sleep(moments.uniform(0, 0.2))
                number = self.struck(process, victim)
                errors = self.ended(process) if number else None
                if errors is None:
                    continue
                lines = ranks.own_lines(errors)
                self.assertEqual(len(lines), 1, errors)
                line = lines[0]
                self.assertRegex(line, rf"rank {victim} \(process {number} on .+\) died; (.*--resume|.* are complete|its part)")
            done = self.run_ranks(3, *self.slow("--resume"))
            if "the run is finished already" not in done.stderr:  # rank 0 may have ended it while it was told
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(tree(self.folder / "out"), expected)
            self.clear()

    def test_a_stuck_rank_is_noticed(self):
        for victim in (1, 0):
            # Signs come every two seconds; a rank that is only slow for a while must not be taken for the stuck one.
            process = self.started(particles=20000, environment_more={"EVIDENT_TEAM_TIMEOUT": "10"})
            number = self.struck(process, victim, signal.SIGSTOP)
            self.assertIsNotNone(number, "the run ended before it could be stopped")
            errors = self.ended(process, within=60)
            self.assertRegex("\n".join(ranks.own_lines(errors)),
                             rf"rank {victim} \(process {number} on .+\) gave no sign of life for 10 s.*--resume")

    def test_others_do_the_work_of_a_stuck_rank(self):
        expected = self.whole()
        for _ in range(10):
            process = self.started(environment_more={"EVIDENT_TEAM_TIMEOUT": "600"})
            number = self.struck(process, 2, signal.SIGSTOP)
            if number is None:
                continue
            begun = time.time()
            while not self.is_finished() and process.poll() is None:
                self.assertLess(time.time(), begun + 120)
                time.sleep(0.1)
            if process.poll() is None:
                break
            self.assertEqual(process.returncode, 0, process.communicate())  # it was stopped when it had left already
        self.assertIsNone(process.poll(), "the runs ended before they could be stopped")
        self.assertEqual(tree(self.folder / "out"), expected)
        os.kill(number, signal.SIGCONT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)

    def test_a_stop_is_orderly(self):
        process = self.started(particles=2000)  # enough work for all that may come between
        self.assertIsNotNone(self.struck(process, 0, signal.SIGTERM), "the run ended before it could be stopped")
        errors = self.ended(process)
        lines = ranks.own_lines(errors)
        self.assertEqual(len(lines), 1, errors)
        self.assertRegex(lines[0], "stopped by SIGTERM.*--resume")

    def test_a_comparison_leaves_nothing_behind(self):
        process = ranks.start(3, case.PROGRAM, "compare", "study.toml", "--particles", 200000, "--quiet",
                              cwd=self.folder)
        begun = time.time()
        while len(ranks.processes(process.pid)) < 3 or not list(self.folder.glob("*study.evident*")):
            self.assertLess(time.time(), begun + 60)
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        time.sleep(0.5)
        self.assertIsNotNone(self.struck(process, 2), "the run ended before it could be stopped")
        lines = ranks.own_lines(self.ended(process))
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"rank 2 .* died; nothing was written")
        self.assertEqual(list(self.folder.glob("*study.evident*")), [])
