"""The same bytes for any number of ranks and threads."""
from case import Case, tree


class SameTest(Case):
    def assert_same(self, *arguments):
        expected = self.document(0, "--threads", 1, *arguments)
        self.assertEqual(self.document(0, "--threads", 2, *arguments), expected)
        for count in (1, 2, 3, 4):
            self.assertEqual(self.document(count, *arguments), expected, f"{count} ranks")
        self.assertEqual(self.document(2, "--threads", 2, *arguments), expected, "2 ranks with 2 threads")

    def test_direct(self):
        self.assert_same("--no-pilot")  # on 3 and 4 ranks the particles of each run are spread

    def test_replicates(self):
        self.assert_same("--replicates", 3)

    def test_islands(self):
        self.assert_same("--islands", 4, "--particles", 150)

    def test_one_model_spread(self):
        self.assert_same("--no-pilot", "--model", "two", "--particles", 1000)

    def test_all_in_one(self):
        (self.folder / "study.toml").write_text(
            '[data]\nfile = "data.csv"\n[sampler]\nmethod = "all-in-one"\nparticles = 300\ncess = 0.9\n'
            '[family]\nkind = "gaussian-mixture"\ncomponents = "uniform(1, 4)"\nlabels = "ordered"\n')
        self.assert_same("--replicates", 3)

    def test_pet(self):
        self.make_scan()

        def files(count, *more):
            done = self.run_ranks(count, *self.pet("--force", "--quiet", *more))
            self.assertEqual(done.returncode, 0, done.stderr)
            return tree(self.folder / "out")

        expected = files(0, "--threads", 1)
        self.assertGreater(len(expected), 10)
        self.assertEqual(files(0, "--threads", 2), expected)
        for count in (1, 2, 3, 4):
            self.assertEqual(files(count), expected, f"{count} ranks")
