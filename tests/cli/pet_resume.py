"""Runs of `evident pet` that are stopped: killed, interrupted, out of disk. They go on and end with the same bytes."""
import functools
import json
import os
import signal
import subprocess

import program
from pet_case import IMAGE, MASK, PetCase, tree

WORK = ".sub-01.evident"
LIST = "sub-01_manifest.json"
SMALL = ("--chunk", 2, "--threads", 1)
SLOW = (*SMALL, "--particles", 150, "--cess", 0.97)  # slow enough to be stopped between two chunks


class ResumeCase(PetCase):
    def setUp(self):
        super().setUp()
        self.small_mask(24)
        self.journal = self.folder / "out" / WORK / "journal"

    def start(self, *more, **options):
        return subprocess.Popen([program.PROGRAM, *map(str, self.arguments(*SLOW, *more))], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def started(self, *more, chunks=1):
        """A run whose journal has grown by so many chunks, and that stands still."""
        return self.held(functools.partial(self.start, *more), chunks)

    def killed(self, chunks=2):
        process = self.started(chunks=chunks)
        process.kill()
        process.communicate()
        self.assertTrue(self.journal.is_file())

    def whole(self):
        """The bytes of a run that nobody stopped, in the same folder as those that are; the folder is gone then."""
        self.succeeds(*self.arguments(*SLOW))
        files = tree(self.folder / "out")
        subprocess.run(["rm", "-r", self.folder / "out"], check=True)
        return files

    def resume_refused(self, pattern, *more):
        before = tree(self.folder / "out")
        self.refused(pattern, *self.arguments(*more))
        self.assertEqual(tree(self.folder / "out"), before)


class Killed(ResumeCase):
    def test_kill_at_several_moments(self):
        wanted = self.whole()
        self.assertGreater(len(wanted), 50)
        for chunks in (1, 4, 8):
            self.killed(chunks)
            done = self.succeeds(*self.arguments(*SLOW, "--resume"))
            self.assertRegex(done.stderr, r"[0-9]+ of 24 voxels \([0-9]+ %\), [0-9]+ from before")
            self.assertEqual(tree(self.folder / "out"), wanted)
            subprocess.run(["rm", "-r", self.folder / "out"], check=True)

    def test_kill_twice_and_other_threads(self):
        wanted = self.whole()
        self.killed(2)
        process = self.started("--resume")
        process.kill()
        process.communicate()
        threads = [v if v != 1 or SLOW[i - 1] != "--threads" else 3 for i, v in enumerate(SLOW)]
        self.succeeds(*self.arguments(*threads, "--resume"))
        self.assertEqual(tree(self.folder / "out"), wanted)

    def test_kill_while_files_are_given_their_places(self):
        """A run that ended between two renames: some results are there, and the journal."""
        wanted = self.whole()
        self.killed(3)
        for name in (*sorted(wanted)[:7], LIST):  # the list of files comes first, and has all of them
            (self.folder / "out" / name).write_bytes(wanted[name])
        self.succeeds(*self.arguments(*SLOW, "--resume"))
        self.assertEqual(tree(self.folder / "out"), wanted)

    def test_a_torn_or_damaged_journal(self):
        wanted = self.whole()
        self.killed(5)
        data = bytearray(self.journal.read_bytes())
        self.journal.write_bytes(data[:-7])  # a chunk that was being written
        self.succeeds(*self.arguments(*SLOW, "--resume"))
        self.assertEqual(tree(self.folder / "out"), wanted)
        subprocess.run(["rm", "-r", self.folder / "out"], check=True)
        self.killed(5)
        data = bytearray(self.journal.read_bytes())
        data[-200] ^= 0x10  # within the payload of the last chunk
        data[-2000] ^= 0x10  # and of one before
        self.journal.write_bytes(data)
        done = self.succeeds(*self.arguments(*SLOW, "--resume"))
        self.assertIn("evident: 2 finished pieces of work were damaged on the disk and are done again\n", done.stderr)
        made = tree(self.folder / "out")
        self.assertEqual(json.loads(made.pop(LIST))["pieces_done_again"], 2)
        self.assertEqual(json.loads(wanted.pop(LIST))["pieces_done_again"], 0)
        self.assertEqual(made, wanted)

    def test_resume_from_the_start_and_after_the_end(self):
        wanted = self.whole()
        self.succeeds(*self.arguments(*SLOW, "--resume"))
        self.assertEqual(tree(self.folder / "out"), wanted)
        done = self.succeeds(*self.arguments(*SLOW, "--resume"))
        self.assertEqual(done.stdout, "The run is finished already; its results are in out\n")
        self.assertEqual(tree(self.folder / "out"), wanted)
        self.resume_refused("out: the results of another run are here; .*--force", *SLOW, "--resume", "--seed", 2)
        lost = next(n for n in wanted if n.endswith(".nii.gz"))
        (self.folder / "out" / lost).unlink()
        self.succeeds(*self.arguments(*SLOW, "--resume"))  # done again
        self.assertEqual(tree(self.folder / "out"), wanted)

    def test_another_run_is_refused(self):
        self.killed()
        self.refused("out: an unfinished run is here; add --resume to go on with it, or --force to start again",
                     *self.arguments(*SLOW))
        self.resume_refused("another run: .*seed.*1.*2", *SLOW, "--resume", "--seed", 2)
        self.resume_refused("another run: .*particles.*150.*151", *SMALL, "--particles", 151, "--cess", 0.97, "--resume")
        self.resume_refused("another run: .*models", *SLOW, "--resume", "--models", "1,2")
        self.resume_refused("another run: .*prior", *SLOW, "--resume", "--prior", "zhou2013-n")
        mask = (self.folder / MASK).read_bytes()
        self.small_mask(23)
        self.resume_refused("another run: .*voxels", *SLOW, "--resume")
        self.write(MASK, mask)
        image, data = (self.folder / IMAGE).read_bytes(), self.image_data().copy()
        data[tuple(self.inside()[3])][5] += 1
        self.save(IMAGE, data)
        self.resume_refused("another run: .*curves", *SLOW, "--resume")
        self.write(IMAGE, image)
        self.succeeds(*self.arguments(*SLOW, "--force"))
        self.assertFalse((self.folder / "out" / WORK).exists())

    def test_files_of_others_stay(self):
        self.succeeds(*self.arguments(*SLOW))
        mine = self.folder / "out/notes.txt"
        mine.write_text("n")
        self.succeeds(*self.arguments(*SLOW, "--force"))
        self.assertEqual(mine.read_text(), "n")
        report = self.folder / "out/sub-01_report.html"
        report.write_text("my own")
        self.resume_refused("out: 'sub-01_report.html' was changed after evident wrote it", *SLOW, "--force")
        report.unlink()
        (self.folder / "out" / LIST).unlink()
        self.resume_refused("out: it is not known who wrote", *SLOW, "--force")
        subprocess.run(["rm", "-r", self.folder / "out"], check=True)
        self.killed()
        work = self.folder / "out" / WORK
        (work / "mine.txt").write_text("m")
        self.succeeds(*self.arguments(*SLOW, "--force"))
        self.assertEqual(tree(work), {"mine.txt": b"m"})
        (work / "journal").write_text("Monday: rain")
        self.resume_refused("journal: is not a journal of evident", *SLOW, "--force")


class Stopped(ResumeCase):
    def stopped_by(self, number):
        process = self.started(chunks=2)
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + number, err)
        self.assertEqual(out, "")
        return err.splitlines()[-1]

    def test_interrupt_and_terminate(self):
        wanted = self.whole()
        for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
            self.assertEqual(self.stopped_by(number), f"evident: stopped by {name}; what is done is kept in out: repeat "
                                                      "the command with --resume to go on")
            self.assertEqual(os.listdir(self.folder / "out"), [WORK])
            self.succeeds(*self.arguments(*SLOW, "--resume"))
            self.assertEqual(tree(self.folder / "out"), wanted)
            subprocess.run(["rm", "-r", self.folder / "out"], check=True)


class Disk(ResumeCase):
    """A file system of its own, which root may mount."""

    def mount(self, options):
        (self.folder / "disk").mkdir(exist_ok=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.folder / "disk"], capture_output=True)
        if done.returncode != 0:
            self.skipTest("may not mount a file system")
        self.addCleanup(subprocess.run, ["umount", self.folder / "disk"], capture_output=True)

    def remount(self, options):
        subprocess.run(["mount", "-o", "remount," + options, self.folder / "disk"], check=True, capture_output=True)

    def test_full_disk(self):
        self.succeeds(*self.arguments(*SLOW, out="disk/out"))
        wanted = tree(self.folder / "disk/out")
        self.folder.joinpath("disk").rename(self.folder / "old")
        # So small that the journal does not fit, then that the maps do not: each time the run goes on after more room.
        self.mount("size=8k")
        done = self.run_program(*self.arguments(*SLOW, out="disk/out"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], "evident: .*No space left on device")
        self.remount("size=120k")
        done = self.run_program(*self.arguments(*SLOW, "--resume", out="disk/out"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], "evident: .*No space left on device.*--resume")
        self.assertEqual(os.listdir(self.folder / "disk/out"), [WORK])
        self.remount("size=20m")
        self.succeeds(*self.arguments(*SLOW, "--resume", out="disk/out"))
        self.assertEqual(tree(self.folder / "disk/out"), wanted)

    def test_disk_that_is_full_anywhere(self):
        """As tests/faults/disk.py has it for compare and batch."""
        self.succeeds(*self.arguments(*SLOW, out="disk/out"))
        wanted = tree(self.folder / "disk/out")
        needed = sum(len(data) + 4096 for data in wanted.values())
        self.folder.joinpath("disk").rename(self.folder / "old")
        places = int(os.environ.get("EVIDENT_FULL_DISKS", 5))
        stopped = 0
        for k in range(1, places + 1):
            self.mount(f"size={needed * k // (places + 1) // 4096 * 4}k")
            done = self.run_program(*self.arguments(*SLOW, out="disk/out"))
            if done.returncode != 0:
                stopped += 1
                self.assertRegex(done.stderr.splitlines()[-1], "evident: .*No space left on device")
            self.remount("size=64m")
            self.succeeds(*self.arguments(*SLOW, "--resume", out="disk/out"))
            self.assertEqual(tree(self.folder / "disk/out"), wanted, f"place {k}")
            subprocess.run(["umount", self.folder / "disk"], check=True)
        self.assertGreaterEqual(stopped, places * 3 // 5)

    def test_read_only_folder(self):
        self.mount("size=1m,ro")
        self.refused("disk/out.*cannot be made .Read-only file system.; choose another folder",
                     *self.arguments(*SMALL, out="disk/out"))
