"""evident batch: what it runs, writes and prints."""
import csv
import json
import math

from batch_case import MODELS, NAMES, STUDY, BatchCase, rows, table


class Results(BatchCase):
    def test_files(self):
        done = self.succeeds(*self.batch())
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()),
                         ["journal", "manifest.json", "parameters.csv", "results.csv", "results.json"])
        found = self.table()
        self.assertEqual([(r["name"], r["model"]) for r in found], [(n, m) for n in NAMES for m in ("flat", "line")])
        self.assertTrue(all(r["status"] == "ok" and r["message"] == "" for r in found))
        for k, name in enumerate(NAMES):  # those with a slope prefer the line, and by far
            best = [r["model"] for r in found if r["name"] == name and r["best"] == "yes"]
            self.assertEqual(best, ["line" if k % 2 else "flat"], name)
            both = [float(r["probability"]) for r in found if r["name"] == name]
            self.assertAlmostEqual(sum(both), 1, 12)
        document = self.document()
        self.assertEqual(document["study"], "study.toml")
        self.assertEqual(document["summary"]["models"][0]["preferred"], 4)
        self.assertEqual(document["summary"]["models"][1]["preferred"], 3)
        for item, k in zip(document["results"], range(7)):
            self.assertEqual((item["name"], item["data"], item["status"]), (NAMES[k], f"d/{NAMES[k]}.csv", "ok"))
            for model, row in zip(item["models"], (r for r in found if r["name"] == item["name"])):
                self.assertEqual(model["log_evidence"], float(row["log_evidence"]))
        total = sum(float(r["log_evidence"]) for r in found if r["model"] == "line")
        self.assertAlmostEqual(document["summary"]["models"][1]["sum_of_log_evidence"], total, 9)
        self.assertRegex(done.stdout, r"(?m)^7 data sets$")
        self.assertRegex(done.stdout, r"(?m)^flat +4 +7 ")
        self.assertRegex(done.stdout, r"(?m)^s02 +line +[01]\.[0-9]{4}")
        slopes = {r["name"]: float(r["mean"]) for r in self.table(name="parameters.csv")
                  if r["model"] == "line" and r["parameter"] == "slope"}
        self.assertTrue(all(abs(slopes[n] - 2 * (k % 2)) < 1 for k, n in enumerate(NAMES)), slopes)

    def test_evidences_are_right(self):
        """The flat model is normal with known variance: its evidence has a closed form."""
        self.succeeds(*self.batch("--particles", 1000, "--replicates", 8, "--cess", 0.99))
        for k, name in enumerate(NAMES):
            y = [v for _, v in rows(k)]
            n, s, q = len(y), sum(y), sum(v * v for v in y)
            exact = -0.5 * (n * math.log(2 * math.pi) + math.log(1 + 100 * n) + q - 100 * s * s / (1 + 100 * n))
            row = next(r for r in self.table() if r["name"] == name and r["model"] == "flat")
            self.assertGreater(float(row["log_evidence_se"]), 0)
            self.assertLess(abs(float(row["log_evidence"]) - exact), 6 * float(row["log_evidence_se"]), name)

    def test_one_item_alone(self):
        """A data set of a batch is what `compare` gives with its data and its seed."""
        self.succeeds(*self.batch())
        item = self.document()["results"][3]
        done = self.succeeds("compare", "study.toml", "--data", item["data"], "--seed", item["seed"], "--json", "--quiet")
        alone = json.loads(done.stdout)
        self.assertEqual([m["log_evidence"] for m in alone["models"]], [m["log_evidence"] for m in item["models"]])

    def test_names_decide(self):
        """Neither the order, nor what else is in the list, nor threads matter."""
        self.succeeds(*self.batch("--threads", 1))
        wanted = self.results()
        self.succeeds(*self.batch("--threads", 4, out="four"))
        self.assertEqual(self.results("four"), wanted)
        self.succeeds("batch", "study.toml", "--data", "d/s05.csv", "d/s02.csv", "--out", "two", "--quiet")
        both = [r for name in ("s05", "s02") for r in wanted["results.csv"] if r[0] == name]
        self.assertEqual(self.results("two")["results.csv"][1:], both)
        self.succeeds(*self.batch("--seed", 6, out="six"))
        self.assertNotEqual(self.results("six"), wanted)
        self.write("d/copy.csv", table(0))  # another name, other random numbers
        self.succeeds(*self.batch(out="copy", data="d/copy.csv"))
        self.assertNotEqual(self.table("copy")[0]["log_evidence"], self.table()[0]["log_evidence"])

    def test_groups(self):
        self.succeeds(*self.batch())
        lines = [f"{NAMES[k]},{t},{y}\n" for t in range(8) for k in range(7) for u, y in rows(k) if u == t]
        self.write("all.csv", "who,t,y\n" + "".join(lines))
        self.write("groups.toml", STUDY.replace("none.csv", "all.csv"))
        self.succeeds("batch", "groups.toml", "--groups", "who", "--out", "groups", "--quiet")
        self.assertEqual(self.results("groups")["results.csv"], self.results()["results.csv"])
        self.assertEqual(self.results("groups")["parameters.csv"], self.results()["parameters.csv"])

    def test_groups_of_other_kinds(self):
        """The column of the groups is no data of a model that takes all columns."""
        self.write("y.csv", "who,y\n" + "".join(f"{w},{v}\n" for w in "ab" for v in (1.5, -0.5, 2.25, 3.0, -1.0)))
        self.write("kinds.toml", '[data]\nfile = "y.csv"\n[sampler]\nparticles = 64\ncess = 0.9\nreplicates = 1\n'
                   '[[model]]\nname = "one"\nkind = "gaussian-mixture"\ncomponents = 1\n')
        self.succeeds("batch", "kinds.toml", "--groups", "who", "--quiet")
        self.assertEqual([r["name"] for r in self.table("kinds.batch")], ["a", "b"])

    def test_lists(self):
        self.succeeds(*self.batch())
        wanted = self.results()["results.csv"]
        self.write("plain.txt", "# data sets\n\n" + "".join(f"d/{n}.csv\n" for n in NAMES))
        self.write("table.tsv", "name\tage\tdata\n" + "".join(f"{n}\t7\td/{n}.csv\n" for n in NAMES))
        self.write("quoted.csv", '"file","name"\r\n' + "".join(f'"d/{n}.csv","{n}"\r\n' for n in NAMES))
        for name in ("plain.txt", "table.tsv", "quoted.csv"):
            self.succeeds("batch", "study.toml", "--list", name, "--out", name + ".out", "--quiet")
            self.assertEqual(self.results(name + ".out")["results.csv"], wanted, name)
        for n in NAMES:  # studies of their own
            self.write(f"d/{n}.toml", STUDY.replace("none.csv", f"{n}.csv"))
        self.write("studies.txt", "".join(f"d/{n}.toml\n" for n in NAMES))
        self.succeeds("batch", "studies.txt", "--quiet")
        self.assertEqual(self.results("studies.batch")["results.csv"], wanted)
        self.write("mixed.csv", "name,study,data\n" + "".join(
            f"{n},{'d/' + n if k % 2 else 'study'}.toml,{'' if k % 2 else f'd/{n}.csv'}\n" for k, n in enumerate(NAMES)))
        self.succeeds("batch", "mixed.csv", "--quiet")
        self.assertEqual(self.results("mixed.batch")["results.csv"], wanted)

    def test_names_from_folders(self):
        for k in range(3):
            (self.folder / f"sub-{k}").mkdir()
            self.write(f"sub-{k}/y.csv", table(k))
        self.succeeds(*self.batch(data="sub-*/y.csv"))
        self.assertEqual([i["name"] for i in self.document()["results"]], ["sub-0/y", "sub-1/y", "sub-2/y"])

    def test_several_files_of_one_study(self):
        """The first file is replaced; the others stay, row by row beside it where they have as many."""
        self.write("t.csv", "t\n" + "".join(f"{t}\n" for t in range(8)))
        for k in range(3):
            self.write(f"y{k}.csv", "y\n" + "".join(f"{y}\n" for _, y in rows(k)))
        self.write("study.toml", STUDY.replace('"none.csv"', '["none.csv", "t.csv"]'))
        self.succeeds(*self.batch(data="y?.csv"))
        self.assertEqual([i["best"] for i in self.document()["results"]], ["flat", "line", "flat"])
        order = [(t, k) for k in range(3) for t in range(8)]
        self.write("y.csv", "who,y\n" + "".join(f"y{k},{rows(k)[t][1]}\n" for t, k in order))
        self.write("t.csv", "t\n" + "".join(f"{t}\n" for t, _ in order))
        self.write("study.toml", STUDY.replace('"none.csv"', '["y.csv", "t.csv"]'))
        self.succeeds("batch", "study.toml", "--groups", "who", "--out", "groups", "--quiet")
        self.assertEqual(self.results("groups")["results.csv"], self.results()["results.csv"])

    def test_reports(self):
        self.succeeds(*self.batch("--reports", "--no-report"))
        folders = sorted(p.name for p in (self.folder / "out/reports").iterdir())
        self.assertEqual(folders, [f"{k + 1}-{n}" for k, n in enumerate(NAMES)])
        for item, folder in zip(self.document()["results"], folders):
            single = json.loads((self.folder / "out/reports" / folder / "result.json").read_text())
            self.assertEqual(single["models"][0]["log_evidence"], item["models"][0]["log_evidence"])
        gone = self.folder / "out/reports" / folders[2]
        for path in gone.iterdir():
            path.unlink()
        gone.rmdir()
        self.succeeds(*self.batch("--reports", "--no-report", "--resume"))
        self.assertTrue((gone / "result.json").is_file())

    def test_other_methods(self):
        models = "".join(f'[[model]]\nname = "{k}"\nkind = "gaussian-mixture"\ncomponents = {k}\n' for k in (1, 2))
        self.write("family.toml", '[data]\nfile = "none.csv"\ncolumn = "y"\n[sampler]\nmethod = "all-in-one"\n'
                   'particles = 300\ncess = 0.9\nreplicates = 2\n' + models)
        self.succeeds("batch", "family.toml", "--data", "d/s01.csv", "d/s02.csv", "--quiet")
        found = self.table("family.batch")
        self.assertEqual({r["name"] for r in found}, {"s01", "s02"})
        self.assertTrue(all(r["probability"] and r["probability_se"] for r in found))

    def test_dry_run(self):
        done = self.succeeds(*self.batch("--dry-run", "--shard", "2/3"))
        self.assertRegex(done.stdout, r"\A7 data sets, 2 of them in shard 2/3\n  s02  d/s02.csv\n  s05  d/s05.csv\n")
        self.assertFalse((self.folder / "out").exists())

    def test_data_of_compare(self):
        self.refused("d/no.csv: does not exist", "compare", "study.toml", "--data", "d/no.csv", "--json")
        self.write("study.toml", "[data]\n" + STUDY.split("\n", 2)[2])  # a study may name no data at all
        self.succeeds("compare", "study.toml", "--data", "d/s01.csv", "--json", "--quiet")


class Failures(BatchCase):
    def test_a_bad_data_set_stops_no_other(self):
        self.succeeds(*self.batch())
        wanted = self.results()["results.csv"]
        self.write("d/s03.csv", "t,y\n0,1\n1,nan\n")
        self.write("d/s05.csv", "")
        self.write("d/s06.csv", "t,z\n1,2\n")
        done = self.fails("3 of 7 data sets failed .s03: .*s03.csv:3: .*; mend them and repeat the command with --resume",
                          *self.batch(out="bad"))
        self.assertIn("failed: s05: d/s05.csv: is empty", done.stdout)
        found = self.results("bad")["results.csv"]
        self.assertEqual([r for r in found if r[1] != "failed"],
                         [r for r in wanted if r[0] not in ("s03", "s05", "s06")])
        failed = [r for r in self.table("bad") if r["status"] == "failed"]
        self.assertEqual([r["name"] for r in failed], ["s03", "s05", "s06"])
        self.assertTrue(all(r["message"] and not r["probability"] for r in failed))
        self.assertEqual(self.document("bad")["summary"]["failed"], 3)
        # Mended, only they are done again.
        for k in (2, 4, 5):
            self.write(f"d/{NAMES[k]}.csv", table(k))
        done = self.succeeds(*[a for a in self.batch("--resume", out="bad") if a != "--quiet"])
        self.assertRegex(done.stderr, r"7 of 7 data sets \(100 %\), 4 from before")
        self.assertEqual(self.results("bad")["results.csv"], wanted)

    def test_strict(self):
        self.write("d/s03.csv", "t,y\n0,x\n")
        done = self.run_program(*self.batch("--strict", "--threads", 1))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Aevident: s03: [^\n]*d/s03.csv:2: [^\n]*; what is done is kept in out: repeat[^\n]*\n\Z")
        self.assertFalse((self.folder / "out/results.csv").exists())

    def test_missing_files_of_a_list(self):
        self.write("list.txt", "d/s01.csv\nd/none.csv\nd\n")
        self.fails("2 of 3 data sets failed .none: d/none.csv: does not exist.", "batch", "study.toml", "--list",
                   "list.txt", "--out", "out", "--quiet")
        self.assertEqual([(r["name"], r["status"]) for r in self.table()],
                         [("s01", "ok"), ("s01", "ok"), ("none", "failed"), ("d", "failed")])

    def test_messages_of_data_sets_name_options(self):
        self.write("code.toml", '[[model]]\nname = "m"\nkind = "process"\ncommand = ["true"]\n'
                                '[model.parameters]\nmu = "normal(0, 1)"\n')
        self.write("fine.toml", STUDY.replace("none.csv", "d/s01.csv"))
        self.write("list.txt", "code.toml\nfine.toml\n")
        self.fails("code: .* add --allow-code", "batch", "list.txt", "--out", "out", "--quiet")
        self.assertRegex(self.table()[0]["message"], "add --allow-code$")
        self.assertRegex(self.document()["results"][0]["message"], "add --allow-code$")

    def test_a_wrong_study_is_found_first(self):
        self.write("study.toml", STUDY.replace("slope * t", "slope * "))
        done = self.run_program(*self.batch())  # with the formula and a caret below
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Aevident: study.toml:[0-9]+[^\n]+\n[^\n]*slope \* [^\n]*\n *\^\n\Z")
        self.assertFalse((self.folder / "out").exists())
        self.write("study.toml", STUDY.replace("particles = 100", "partciles = 100"))
        self.refused("study.toml:4: unknown key 'partciles'", *self.batch())
        self.write("study.toml", "[data\n")
        self.refused("study.toml:1", *self.batch())
        self.write("study.toml", STUDY)
        self.refused("--particles must be", *self.batch("--particles", "x"))
        self.refused("--threads must be", *self.batch("--threads", "x"))


class Usage(BatchCase):
    def test_refused(self):
        self.refused("which data sets\\?", "batch", "study.toml")
        self.refused("exclude each other", *self.batch("--groups", "t"))
        self.refused("exclude each other", *self.batch("--resume", "--force"))
        self.refused("--data d/no.csv: does not exist", *self.batch(data="d/no.csv"))
        self.refused(r"--data d/\*.tsv: matches no file", *self.batch(data="d/*.tsv"))
        self.refused("--data d: is a folder; write, for example, --data 'd/\\*.csv'", *self.batch(data="d"))
        self.refused("d/s01.csv is in the list twice", "batch", "study.toml", "--data", "d/s01.csv", "d/s01.csv")
        self.write("all.csv", "who,t,y\na,1,2\n,2,3\n")
        self.write("groups.toml", STUDY.replace("none.csv", "all.csv"))
        self.refused("all.csv: has no column 'wo'.*who", "batch", "groups.toml", "--groups", "wo")
        self.refused("all.csv:3: column 'who' is empty", "batch", "groups.toml", "--groups", "who")

    def test_shards_refused(self):
        for shard in ("0/0", "0/3", "4/3", "1", "1/", "/2", "a/b", "-1/3", "1/-3", "1/10000000000", "1.5/3", "auto/x", ""):
            self.refused("--shard", *self.batch("--shard", shard))
        self.refused("--shard auto: this is no task of an array job", *self.batch("--shard", "auto"))

    def test_shard_from_the_environment(self):
        import os
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "SGE"))}

        def shard(text, **more):
            done = self.run_program(*self.batch("--dry-run", "--shard", text), env={**clean, **more})
            return done.stdout.split("shard ")[1].split("\n")[0] if done.returncode == 0 else done.stderr
        slurm = {"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "3",
                 "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_STEP": "1"}
        self.assertEqual(shard("auto", **slurm), "3/4")
        self.assertEqual(shard("auto", **{**slurm, "SLURM_ARRAY_TASK_MIN": "1"}).split(":")[0], "evident")
        some = {"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_MAX": "5",
                "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_STEP": "1"}
        self.assertIn("write --shard auto/N", shard("auto", **some))
        self.assertEqual(shard("auto/7", **some), "5/7")
        self.assertIn("between 1 and 4, but this is task 5", shard("auto/4", **some))
        sge = {"SGE_TASK_ID": "2", "SGE_TASK_FIRST": "1", "SGE_TASK_LAST": "6", "SGE_TASK_STEPSIZE": "1"}
        self.assertEqual(shard("auto", **sge), "2/6")
        self.assertIn("no task of an array", shard("auto", SGE_TASK_ID="undefined"))
        self.assertEqual(shard("auto/9", PBS_ARRAY_INDEX="4"), "4/9")

    def test_hostile_lists(self):
        def list_of(text, pattern, study=("study.toml", "--list")):
            self.write("list.csv", text)
            self.refused(pattern, "batch", *study, "list.csv", "--out", "out")
        list_of("", "list.csv: is an empty list")
        list_of("# nothing\n\n", "list.csv: is an empty list")
        list_of("name,data\n", "list.csv: has column names but no data")
        list_of("name,data\na,d/s01.csv\na,d/s02.csv\n", "two data sets are called 'a' .d/s01.csv and d/s02.csv.")
        list_of("d/s01.csv\nd/s01.csv\n", "d/s01.csv is in the list twice")
        list_of('name,data\n"a\nb",d/s01.csv\n', "its name holds a line break")
        list_of(b"name,data\n\xff\xfe,d/s01.csv\n", "its name is not UTF-8")
        list_of(f"name,data\n{'x' * 600},d/s01.csv\n", "more than 500 bytes")
        list_of("name,data\na,\n", "list.csv:2: names no file")
        list_of("a\0b\n", "list.csv: is not a text file")
        list_of("data,file\na,b\n", "both 'data' and 'file'")
        list_of("d/s01.csv\n", "list.csv:1: 'd/s01.csv' is no study", study=())
        self.refused("none.txt: cannot be opened", "batch", "none.txt")
        self.refused("d: is a folder", "batch", "d")
        # Slashes are no harm, in names and in folders of reports.
        self.write("list.csv", "name,data\n../../a/b,d/s01.csv\n..,d/s02.csv\n")
        self.succeeds("batch", "study.toml", "--list", "list.csv", "--out", "out", "--quiet", "--reports", "--no-report")
        self.assertEqual(sorted(p.name for p in (self.folder / "out/reports").iterdir()), ["1-_.._.._a_b", "2-_.."])
        self.assertEqual([i["name"] for i in self.document()["results"]], ["../../a/b", ".."])

    def test_a_long_list_starts_soon(self):
        self.write("list.csv", "name,data\n" + "".join(f"n{i},d/{i}.csv\n" for i in range(100000)))
        done = self.succeeds("batch", "study.toml", "--list", "list.csv", "--dry-run")
        self.assertRegex(done.stdout, r"\A100000 data sets\n")
        # All of them fail, and that is told once.
        self.write("list.csv", "name,data\n" + "".join(f"n{i},d/{i}.csv\n" for i in range(5000)))
        done = self.run_program("batch", "study.toml", "--list", "list.csv", "--out", "out", "--quiet", timeout=120)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Aevident: 5000 of 5000 data sets failed .n0: d/0.csv: does not exist.[^\n]*\n\Z")
        with open(self.folder / "out/results.csv", encoding="utf-8") as file:
            self.assertEqual(sum(1 for _ in csv.reader(file)), 5001)


assert MODELS in STUDY
