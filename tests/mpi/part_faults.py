"""Ranks that die or hang: a message that names them, a quick end, nothing lost but the chunks in flight."""
import os
import signal
import time

import case
import ranks
from case import Case, tree


def zombie(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


class FaultsTest(Case):
    def setUp(self):
        super().setUp()
        self.make_scan(24)

    def started(self, *more, particles=150, appends=1, environment_more=None):
        """A new run that stands still with a journal of so many chunks, of 12."""
        self.clear()
        return self.held(*self.slow(*more, particles=particles), appends=appends, environment_more=environment_more)

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
        """What it said."""
        begun = time.monotonic()
        _, errors = process.communicate(timeout=within + 30)
        self.assertLess(time.monotonic() - begun, within)
        self.assertNotEqual(process.returncode, 0)
        return errors

    def test_a_killed_rank_is_named_and_the_run_goes_on(self):
        expected = self.whole()
        for victim, appends in ((0, 1), (1, 4), (2, 8)):
            process = self.started(appends=appends)
            number = self.struck(process, victim)
            if victim != 0:
                self.let_go(process)
            errors = self.ended(process)
            lines = ranks.own_lines(errors)
            self.assertEqual(len(lines), 1, errors)
            self.assertRegex(lines[0], rf"rank {victim} \(process {number} on .+\) died; .*--resume")
            done = self.run_ranks(3, *self.slow("--resume"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(tree(self.folder / "out"), expected)
            self.clear()

    def test_a_stuck_rank_is_noticed(self):
        for victim in (1, 0):
            # Signs come every two seconds; a rank that is only slow for a while must not be taken for the stuck one.
            process = self.started(particles=100000, environment_more={"EVIDENT_TEAM_TIMEOUT": "10"})
            number = self.struck(process, victim, signal.SIGSTOP)
            if victim != 0:
                self.let_go(process)
            errors = self.ended(process, within=60)
            self.assertRegex("\n".join(ranks.own_lines(errors)),
                             rf"rank {victim} \(process {number} on .+\) gave no sign of life for 10 s.*--resume")

    def test_one_that_stood_still_does_not_speak_of_the_others(self):
        # Rank 0 has ended when rank 1 goes on: its death is no news.
        process = self.started(particles=100000, environment_more={"EVIDENT_TEAM_TIMEOUT": "6"})
        number = self.struck(process, 1, signal.SIGSTOP)
        zero = ranks.processes(process.pid)[0]
        self.let_go(process)
        self.wait_until(process, lambda: not os.path.exists(f"/proc/{zero}") or zombie(zero))
        try:
            os.kill(number, signal.SIGCONT)
        except ProcessLookupError:
            pass
        errors = self.ended(process, within=60)
        self.assertEqual(len(ranks.own_lines(errors)), 1, errors)
        self.assertIn("rank 1", ranks.own_lines(errors)[0])

    def test_a_signal_to_one_rank_says_what_is_kept(self):
        for victim in (0, 2):
            process = self.started()
            self.struck(process, victim, signal.SIGTERM)
            self.let_go(process)
            lines = ranks.own_lines(self.ended(process))
            self.assertEqual(len(lines), 1, lines)
            self.assertRegex(lines[0], "stopped by SIGTERM; what is done is kept in out\S*: .*--resume")

    def test_others_do_the_work_of_a_stuck_rank(self):
        expected = self.whole()
        process = self.started(environment_more={"EVIDENT_TEAM_TIMEOUT": "600"})
        number = self.struck(process, 2, signal.SIGSTOP)
        self.let_go(process)
        self.wait_until(process, lambda: self.is_finished() and not (self.folder / "out/sub-01/pet/.sub-01.evident").exists())
        self.assertEqual(tree(self.folder / "out"), expected)
        os.kill(number, signal.SIGCONT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)

    def test_a_stop_is_orderly(self):
        process = self.started()
        self.struck(process, 0, signal.SIGTERM)
        self.let_go(process)
        errors = self.ended(process)
        lines = ranks.own_lines(errors)
        self.assertEqual(len(lines), 1, errors)
        self.assertRegex(lines[0], "stopped by SIGTERM.*--resume")

    def test_a_comparison_leaves_nothing_behind(self):
        process = ranks.start(3, case.PROGRAM, "compare", "study.toml", "--particles", 200000, "--quiet",
                              cwd=self.folder)
        self.addCleanup(process.kill)
        # Rank 0 makes the folder when all ranks have met.
        self.wait_until(process, lambda: list(self.folder.glob("*study.evident*")))
        self.struck(process, 2)
        lines = ranks.own_lines(self.ended(process))
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"rank 2 .* died; nothing was written")
        self.assertEqual(list(self.folder.glob("*study.evident*")), [])
