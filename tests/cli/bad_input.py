"""Every bad input: what is wrong, where, and how to mend it; before anything is written."""
import os

from program import DATA, STUDY, ProgramCase


class BadStudy(ProgramCase):
    def study(self, old, new):
        self.assertIn(old, STUDY)
        self.write("study.toml", STUDY.replace(old, new, 1))

    def test_missing_file(self):
        self.refused(r"nope\.toml: cannot be opened: No such file", "compare", "nope.toml")

    def test_folder(self):
        self.refused(r"is a folder, not a file", "compare", ".")

    def test_empty_file(self):
        self.write("study.toml", "")
        self.refused(r"study\.toml: is empty", "compare", "study.toml")

    def test_malformed_toml(self):
        self.study("particles = 64", "particles = = 64")
        self.refused(r"study\.toml:5:\d+: not valid TOML: ", "compare", "study.toml")

    def test_not_text(self):
        self.write("study.toml", b"\xff\xfe\x00\x01")
        self.refused(r"study\.toml: is not a text file \(byte 3 is zero\)", "compare", "study.toml")

    def test_unknown_key(self):
        self.study("particles", "partciles")
        self.refused(r"^evident: study\.toml:5: unknown key 'partciles' in \[sampler\]; did you mean 'particles'\?$",
                     "compare", "study.toml")

    def test_unknown_kind(self):
        self.study('"gaussian-mixture"', '"gaussian-mixtures"')
        self.refused(r"study\.toml:10: 'kind' .* did you mean 'gaussian-mixture'\?", "compare", "study.toml")

    def test_zero_particles(self):
        self.study("particles = 64", "particles = 0")
        self.refused(r"study\.toml:5: 'particles' in \[sampler\] must be between 2 and \d+, was 0", "compare",
                     "study.toml")

    def test_cess_outside(self):
        for value in ("0", "1", "1.5", "-0.1", "nan"):
            self.study("cess = 0.9", f"cess = {value}")
            self.refused(r"study\.toml:6: 'cess' in \[sampler\] must be above 0 and below 1, was", "compare",
                         "study.toml")

    def test_negative_weight(self):
        self.study("components = 1", "components = 1\nweight = -1")
        self.refused(r"study\.toml:12: 'weight' in \[\[model\]\] must be at least 0, was -1", "compare", "study.toml")

    def test_duplicate_names(self):
        self.study('"two"', '"one"')
        self.refused(r"study\.toml:14: 'name' in \[\[model\]\] \"one\" is used twice", "compare", "study.toml")

    def test_message_stays_on_one_line(self):
        self.study("particles", '"a\\nb\\u001b[31m"')
        self.refused(r"unknown key 'a b \[31m'", "compare", "study.toml")


class BadMethods(ProgramCase):
    def sampler(self, keys, pattern, *arguments):
        self.write("study.toml", STUDY.replace("particles = 64\ncess = 0.9", keys))
        self.refused(pattern, "compare", "study.toml", *arguments)

    def family(self, text, pattern, method="all-in-one"):
        head = STUDY[:STUDY.index("[sampler]")]
        self.write("study.toml", f'{head}[sampler]\nmethod = "{method}"\n\n[family]\n{text}')
        self.refused(pattern, "compare", "study.toml")

    def test_names(self):
        self.sampler('method = "al-in-one"', r"study\.toml:5: 'method' in \[sampler\] .*did you mean 'all-in-one'\?")
        self.refused(r'--method must be one of "direct", .*, was "gibs"', "compare", "study.toml", "--method",
                     "gibs")

    def test_keys_of_other_methods(self):
        self.sampler("chains = 4", r"study\.toml:5: 'chains' in \[sampler\] has no effect with method \"direct\"; it "
                                   r"belongs to population-mcmc, rjmcmc, harmonic-mean")
        self.sampler('method = "rjmcmc"\ncess = 0.9', r"study\.toml:6: 'cess' .* has no effect with method \"rjmcmc\"")
        self.sampler('method = "bic"\nband = [0.2, 0.5]', r"'band' .* has no effect with method \"bic\"")
        self.sampler('method = "ais"\nresample_threshold = 0.5', r"must be 0 with method \"ais\"")
        self.sampler('method = "chib"\nladders = 2', r"'ladders' .* has no effect with method \"chib\"")

    def test_ranges(self):
        self.sampler('method = "population-mcmc"\nchains = 1', r"'chains' in \[sampler\] must be between 2 and \d+, was 1")
        self.sampler('method = "population-mcmc"\nupdate = "seriel"', r"'update' .* did you mean 'serial'\?")
        self.sampler('method = "rjmcmc"\nburn_in = 1', r"'burn_in' in \[sampler\] must be between 100 and")

    def test_options_without_effect(self):
        self.refused(r"--particles has no effect with method \"bic\"", "compare", "study.toml", "--method", "bic",
                     "--particles", 100)
        self.refused(r"--cess has no effect with method \"rjmcmc\"", "compare", "study.toml", "--method", "rjmcmc",
                     "--cess", 0.9)

    def test_models_that_are_no_family(self):
        self.write("study.toml", STUDY + 'labels = "ordered"\n')
        for method in ("all-in-one", "relative", "rjmcmc"):
            self.refused(r"study\.toml:17: 'labels' in \[\[model\]\] must be the same for 'one' and 'two'", "compare",
                         "study.toml", "--method", method)
        self.write("study.toml", STUDY.replace('"gaussian-mixture"', '"goodwin"'))
        self.refused(r"method rjmcmc needs moves between the models; kind \"goodwin\" has none; use direct", "compare",
                     "study.toml", "--method", "rjmcmc")
        self.write("study.toml", STUDY)
        self.refused(r"method relative .* at least two", "compare", "study.toml", "--method", "relative", "--model",
                     "one")

    def test_family_tables(self):
        self.family('kind = "gaussian-mixture"\n', r"study\.toml:7: .* needs components, for example")
        self.family('kind = "gaussian-mixture"\ncomponents = "uniform(4, 1)"\n', r"study\.toml:9: 'components' in \[family\]")
        self.family('kind = "gausian-mixture"\n', r"study\.toml:8: 'kind' .* did you mean 'gaussian-mixture'\?")
        self.family('kind = "goodwin"\n', r"kind \"goodwin\" has none; use direct")
        self.family('kind = "linear-regression"\ncovariates = ["q"]\n', r"data\.csv: has no column 'q'")
        self.family('kind = "gaussian-mixture"\ncomponents = "uniform(1, 3)"\n', r"\[family\] needs a method that moves "
                    r"between models", method="direct")
        self.refused(r"--model: .* has a \[family\]", "compare", "study.toml", "--model", "one", "--method", "rjmcmc")


class BadData(ProgramCase):
    def data(self, text, pattern):
        self.write("data.csv", text)
        self.refused(pattern, "compare", "study.toml")

    def test_missing(self):
        (self.folder / "data.csv").unlink()
        self.refused(r"study\.toml:2: 'file' in \[data\] names 'data\.csv', which does not exist", "compare",
                     "study.toml")

    def test_tables(self):
        self.data("", r"data\.csv: is empty")
        self.data("y\n", r"data\.csv: has column names but no data")
        self.data("y\n1\ntwo\n3\n", r"data\.csv:3: column 'y': 'two' is not a number")
        self.data("y\n1\nNaN\n3\n", r"data\.csv:3: column 'y': 'NaN' is not a finite number")
        self.data("y\n1\ninf\n3\n", r"data\.csv:3: column 'y': 'inf' is not a finite number")
        self.data("x,y\n1,2\n3\n", r"data\.csv:3: 1 fields, but the line of column names has 2")
        self.data("y,y\n1,2\n", r"data\.csv:1: two columns are named 'y'")
        self.data('y\n"1\n2\n', r"data\.csv:2: a quote")
        self.data("y\n1\n1\n1\n", r"study\.toml:\d+: model 'one': ")

    def test_only_used_columns_count(self):
        self.write("data.csv", "who,y\n" + "".join(f"a,{v}\n" for v in DATA.split()[1:]))
        done = self.run_program("compare", "study.toml", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)


class BadOutput(ProgramCase):
    def test_unwritable(self):
        self.refused(r"output folder data\.csv/out: ", "compare", "study.toml", "--out", "data.csv/out")
        self.refused(r"output folder /proc/out: cannot be written", "compare", "study.toml", "--out", "/proc/out")
        self.refused(r"output folder no/such/out: '.*' is not an existing folder", "compare", "study.toml", "--out",
                     "no/such/out")

    def test_existing_is_refused(self):
        (self.folder / "study.evident").mkdir()
        self.write("study.evident/result.json", "old")
        self.refused(r"output folder study\.evident: exists; give --force", "compare", "study.toml")
        self.assertEqual((self.folder / "study.evident/result.json").read_text(), "old")

    def test_force_spares_what_is_not_a_result(self):
        self.refused(r"it is not known who wrote 'data.csv'.*so --force does not replace the folder", "compare", "study.toml", "--out", ".", "--force")
        self.refused(r"is a file, not a folder", "compare", "study.toml", "--out", "data.csv", "--force")


class BadUsage(ProgramCase):
    def test_marks_for_programs_that_spell_options_themselves(self):
        done = self.run_program("compare", "study.toml", "--model", "too", env={**os.environ, "EVIDENT_OPTION_MARKS": "1"})
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("evident: \ufdd0model\ufdd1too\ufdd2: study.toml has no model"), done.stderr)

    def test_arguments(self):
        self.refused(r"a command is needed")
        self.refused(r"unknown command 'comprae'; did you mean 'compare'\?", "comprae")
        self.refused(r"study is required", "compare")
        self.refused(r"unknown option '--partciles'; did you mean '--particles'\?", "compare", "study.toml",
                     "--partciles=9")
        self.refused(r"unexpected argument 'more'", "compare", "study.toml", "more")
        self.refused(r'--particles must be a whole number between 2 and \d+, was "many"', "compare", "study.toml",
                     "--particles", "many")
        self.refused(r"--particles must be between 2 and \d+, was 0", "compare", "study.toml", "--particles", "0")
        self.refused(r"--cess must be above 0 and below 1, was 1\.5", "compare", "study.toml", "--cess",
                     "1.5")
        self.refused(r"--threads must be", "compare", "study.toml", "--threads", "-3")
        self.refused(r"--seed must be", "compare", "study.toml", "--seed", "1.5")
        self.refused(r"--model too: .* did you mean 'two'\?", "compare", "study.toml", "--model", "too")
        self.refused(r"study.toml: precision, decide and time need islands, 2 or more; remove --no-pilot or --islands 0$",
                     "compare", "study.toml", "--precision", "0.1", "--no-pilot")
        self.refused(r"2 or more; remove --islands 1$", "compare", "study.toml", "--precision", "0.1", "--islands", "1")
        self.refused(r"--replicates has no effect with --islands, which", "compare", "study.toml", "--replicates", "2",
                     "--islands", "4")
        self.refused(r"no kind of model is called 'gausian-mixture'; did you mean", "models", "gausian-mixture")
        self.refused(r"unknown kind 'gausian-mixture'; did you mean", "simulate", "gausian-mixture", "--out", "x")
        self.refused(r"--means must be", "simulate", "gaussian-mixture", "--out", "x", "--means", "1,b")
