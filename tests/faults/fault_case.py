"""What the tests of faults share."""
import resource
import subprocess

from program import ProgramCase

LINE = '[[model]]\nname = "{}"\n[model.parameters]\na = "normal(0, {})"\n[model.likelihood]\ny = "normal(a, 1)"\n'
STUDY = '[data]\nfile = "data.csv"\n[sampler]\nparticles = {}\ncess = 0.9\nreplicates = 1\n' + LINE.format("m", 3)


def limits(*pairs):
    """For preexec_fn: the limits of a process, by the names that `man setrlimit` has."""
    def set_them():
        for name, value in pairs:
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
    return set_them


class FaultCase(ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("study.toml", STUDY.format(64))
        self.before = self.entries()

    def succeeds(self, *arguments, **options):
        done = self.run_program(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def fails(self, pattern, *arguments, status=1, **options):
        """One clear message, perhaps with the formula and a caret below it, and nothing left behind."""
        before = self.entries()
        done = self.run_program(*arguments, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertRegex(done.stderr, "(?m)^evident: .*" + pattern)
        self.assertNotIn("terminate", done.stderr)
        self.assertEqual(self.entries(), before)
        return done

    def mount(self, options):
        """A file system of its own, in the folder `disk`."""
        (self.folder / "disk").mkdir(exist_ok=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.folder / "disk"], capture_output=True)
        if done.returncode != 0:
            self.skipTest("may not mount a file system")
        self.addCleanup(subprocess.run, ["umount", "-l", self.folder / "disk"], capture_output=True)
