"""Files of others: whatever a command replaces or removes, it was written by this program and nobody has changed it since."""
import functools
import json
import shutil
import signal
import subprocess

import program
from batch_case import BatchCase
from program import ProgramCase


def tree(folder):
    """Every file and folder below, with the bytes of files."""
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() and not p.is_symlink() else None
            for p in sorted(folder.rglob("*"))}


class KeepsCase(ProgramCase):
    def good(self, *arguments):
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def stays(self, pattern, *arguments):
        """Refused, with one message that matches, and nothing anywhere has changed."""
        before = tree(self.folder)
        self.refused(pattern, *arguments)
        self.assertEqual(tree(self.folder), before)


class Compare(KeepsCase):
    def force(self, out="study.evident"):
        return ("compare", "study.toml", "--quiet", "--out", out, "--force")

    def test_a_folder_with_a_result_of_somebody_else(self):
        (self.folder / "proj/raw").mkdir(parents=True)
        self.write("proj/result.json", "{}")
        self.write("proj/thesis.tex", "t")
        self.stays(r"output folder proj: it is not known who wrote '[^']+'.*; move that file away, or choose another folder "
                   r"\(--out\)\n", *self.force("proj"))

    def test_notes_in_earlier_results(self):
        self.good(*self.force())
        self.write("study.evident/notes.txt", "n")
        self.stays("study.evident: 'notes.txt' is not among the files that evident wrote, so --force does not replace",
                   *self.force())
        (self.folder / "study.evident/notes.txt").unlink()
        (self.folder / "study.evident/plots").mkdir()
        self.stays("'plots/' is not among", *self.force())
        (self.folder / "study.evident/plots").rmdir()
        self.good(*self.force())
        self.assertEqual(self.entries(), ["data.csv", "study.evident", "study.toml"])

    def test_a_file_that_was_changed(self):
        self.good(*self.force())
        file = self.folder / "study.evident/one-draws.csv"
        whole = file.read_bytes()
        self.write("study.evident/one-draws.csv", whole.replace(b",", b";"))
        self.stays("'one-draws.csv' was changed after evident wrote it", *self.force())
        file.unlink()
        file.symlink_to("../data.csv")
        self.stays("'one-draws.csv' was changed", *self.force())
        file.unlink()  # one that is gone is not lost
        self.good(*self.force())

    def test_results_without_a_list_of_files(self):
        self.good(*self.force())
        (self.folder / "study.evident/manifest.json").unlink()
        self.stays(r"no list of files \(manifest.json\)", *self.force())
        self.write("study.evident/manifest.json", '{"name": "my web page"}')
        self.stays("it is not known who wrote", *self.force())

    def test_a_list_that_was_changed_is_no_list(self):
        self.good(*self.force())
        file = self.folder / "study.evident/manifest.json"
        listed = json.loads(file.read_text())
        listed["files"].append({**listed["files"][0], "path": "../data.csv"})
        self.write("study.evident/manifest.json", json.dumps(listed))
        self.stays("it is not known who wrote", *self.force())

    def test_behind_a_link(self):
        (self.folder / "there").mkdir()
        self.write("there/thesis.tex", "t")
        (self.folder / "link").symlink_to("there")
        self.stays("output folder link: .*'thesis.tex'", *self.force("link"))

    def test_a_file_that_comes_during_the_run(self):
        for before in ("nothing", "results"):
            out = self.folder / "out"
            out.mkdir(exist_ok=True)
            if before == "results":
                self.good(*self.force("out"))
            start = functools.partial(subprocess.Popen, [program.PROGRAM, *self.force("out"), "--checkpoint", "kept"],
                                      cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process = self.held(start, 1)
            self.write("out/new.txt", "mine")
            earlier = tree(out)
            process.send_signal(signal.SIGCONT)
            _, err = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 1, err)
            self.assertRegex(err, r"\Aevident: output folder [^\n]*'new.txt'[^\n]*; what is done is kept in kept: repeat the "
                                  r"command with --resume to go on\n\Z")
            self.assertEqual(tree(out), earlier)
            (out / "new.txt").unlink()
            self.good(*self.force("out"), "--checkpoint", "kept", "--resume")
            self.assertEqual(self.entries(), ["data.csv", "out", "study.toml"])
            shutil.rmtree(out)

    def test_a_checkpoint_folder(self):
        (self.folder / "diary").mkdir()
        self.write("diary/journal", "Monday: rain")
        self.write("diary/my.note", "n")
        arguments = (*self.force(), "--checkpoint", "diary")
        self.stays("journal diary/journal: is not a journal of evident", *arguments)
        (self.folder / "diary/journal").unlink()
        self.good(*arguments)
        self.assertEqual(tree(self.folder / "diary"), {"my.note": b"n"})

    def test_the_page_of_results(self):
        if not program.REPORTS:
            self.skipTest("built without reports")
        self.good(*self.force())
        self.good("report", "study.evident", "--force")
        self.good(*self.force(), "--no-report")
        self.good("report", "study.evident")  # listed from now on
        self.good(*self.force())
        self.write("study.evident/report.html", "my own")
        done = self.run_program("report", "study.evident", "--force")
        self.assertEqual((done.returncode, (self.folder / "study.evident/report.html").read_text()), (1, "my own"))
        self.assertIn("'report.html' was changed after evident wrote it", done.stderr)


class Simulate(KeepsCase):
    def test_files_beside_the_truth(self):
        for kind in ("goodwin", "pet-image"):
            with self.subTest(kind):
                arguments = ("simulate", kind, "--out", kind, "--force")
                self.good(*arguments)
                self.good(*arguments, "--seed", 2)
                self.write(f"{kind}/notes.txt", "n")
                self.stays("'notes.txt' is not among the files", *arguments)

    def test_a_folder_with_a_truth_of_somebody_else(self):
        (self.folder / "proj").mkdir()
        self.write("proj/truth.json", "{}")
        self.stays("it is not known who wrote 'truth.json'", "simulate", "goodwin", "--out", "proj", "--force")


class Batch(BatchCase):
    stays = KeepsCase.stays

    def test_reports(self):
        arguments = self.batch("--reports", "--no-report", "--force")
        self.succeeds(*arguments)
        reports = self.folder / "out/reports"
        (reports / "mine").mkdir()
        self.write("out/reports/mine/letter.txt", "l")
        self.write("out/reports/list.txt", "l")
        self.succeeds(*arguments)
        self.assertEqual((reports / "mine/letter.txt").read_text(), "l")
        self.assertEqual((reports / "list.txt").read_text(), "l")
        one = next(p for p in sorted(reports.iterdir()) if (p / "result.json").exists())
        (one / "notes.txt").write_text("n")
        self.stays("'notes.txt' is not among the files", *arguments)

    def test_a_report_that_is_written_again(self):
        arguments = self.batch("--reports", "--no-report")
        self.succeeds(*arguments)
        one = next(p for p in sorted((self.folder / "out/reports").iterdir()) if p.name.endswith("s03"))
        (one / "notes.txt").write_text("n")
        self.succeeds(*arguments, "--resume")  # nothing is written again
        data = (self.folder / "d/s03.csv").read_text()
        self.write("d/s03.csv", data + data.splitlines()[-1] + "\n")
        self.fails("1 of 7 data sets failed .s03: output folder .*'notes.txt' is not among", *arguments, "--resume")
        self.assertEqual((one / "notes.txt").read_text(), "n")

    def test_tables(self):
        (self.folder / "out").mkdir()
        self.write("out/parameters.csv", "a,b\n")
        self.stays("holds parameters.csv already", *self.batch())
        self.stays("who wrote 'parameters.csv'", *self.batch("--force"))
        (self.folder / "out/parameters.csv").unlink()
        self.succeeds(*self.batch())
        self.write("out/results.csv", (self.folder / "out/results.csv").read_bytes() + b"mine\n")
        self.stays("'results.csv' was changed", *self.batch("--force"))
        self.stays("'results.csv' was changed", *self.batch("--resume"))

    def test_a_folder_of_reports_that_cannot_be(self):
        (self.folder / "out").mkdir()
        self.write("out/reports", "a file")
        self.stays("output folder out/reports: cannot be made", *self.batch("--reports"))

    def test_journal(self):
        (self.folder / "out").mkdir()
        self.write("out/journal", "Monday: rain")
        self.stays("out/journal: is not a journal of evident", *self.batch("--force"))

    def test_gather(self):
        for i in (1, 2):
            self.succeeds(*self.batch("--shard", f"{i}/2"))
        self.write("out/results.csv", "mine")
        self.stays("out: it is not known who wrote 'results.csv'", "gather", "out", "--force")
        (self.folder / "out/results.csv").unlink()
        self.succeeds("gather", "out", "--quiet")
        self.succeeds("gather", "out", "--quiet")
