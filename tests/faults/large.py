"""Much of everything: rows, parameters, models, names."""
import json
import os
import resource

from fault_case import LINE, STUDY, FaultCase, limits

GIB = 1 << 30


def spent():
    """Seconds of the processor, whatever else the machine does."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


class Large(FaultCase):
    def test_ten_million_rows(self):
        """Read whole, within seconds and a small multiple of the file's size: the last row has the mistake."""
        with open(self.folder / "data.csv", "wb") as file:
            file.write(b"y\n" + b"1.5\n-0.25\n" * 5_000_000 + b"oops\n")
        started = spent()
        self.fails(r"data.csv:10000002: 'oops'", "compare", "study.toml", status=2, preexec_fn=limits(("AS", 2 * GIB)))
        self.assertLess(spent() - started, 20)

    def test_a_mistake_among_the_first_rows_ends_at_once(self):
        """Of 4 GB, which are not read, and which there is no memory for. The end is a hole, of zeros: nothing on the disk."""
        kinds = {"formula": LINE.format("m", 3),
                 "mixture": '[[model]]\nname = "m"\nkind = "gaussian-mixture"\ncomponents = 2\ncolumn = "y"\n',
                 "regression": '[[model]]\nname = "m"\nkind = "linear-regression"\nresponse = "y"\n'}
        begun = "y,t\n" + "1.5,0\n" * 100
        rest = "1.5,0\n" * 200_000
        wrong = {"1.5,0\noops,0\n": r"data.csv:103: .*'oops'|data.csv:103: 'oops'", "1.5\n": "data.csv:102: 1 fields",
                 '1.5,0\n1.5,"0" 1\n': "data.csv:103: text after a closing quote", ",0\n": "data.csv:102: .*(missing|empty)"}
        for kind, model in kinds.items():
            self.write("study.toml", '[data]\nfile = "data.csv"\n' + model)
            for text, message in wrong.items():
                self.write("data.csv", begun + text + rest)
                os.truncate(self.folder / "data.csv", 4 * GIB)
                started = spent()
                self.fails(message, "compare", "study.toml", status=2, preexec_fn=limits(("AS", GIB)))
                self.assertLess(spent() - started, 2, f"{kind} {text}")
        self.assertLess((self.folder / "data.csv").stat().st_blocks * 512, 10_000_000)

    def test_what_only_the_first_rows_lack_is_no_mistake(self):
        """Categories, levels and values that come later, and missing ones that are left out."""
        self.write("data.csv", "y,g\n" + ",a\n" * 600_000 + "1,a\n2,b\n3,c\n" * 10)
        self.write("study.toml", '[data]\nfile = "data.csv"\ndrop_missing = true\n[sampler]\nparticles = 64\nreplicates = 1\n'
                                 '[[model]]\nname = "m"\n[model.parameters]\n"a[g]" = "normal(0, 3)"\n'
                                 '[model.likelihood]\ny = "normal(a[g], 1)"\n')
        done = self.succeeds("check", "study.toml")
        self.assertRegex(done.stdout, r"a\[c\] +normal")

    def test_a_million_parameters(self):
        self.write("study.toml", STUDY.format(64).replace('a = "', '"v[1000000]" = "normal(0, 1)"\na = "'))
        self.fails("a vector has from 1 to 10000 entries", "compare", "study.toml", status=2)
        vectors = "".join(f'"v{i}[10000]" = "normal(0, 1)"\n' for i in range(100))
        self.write("study.toml", STUDY.format(64).replace('a = "', vectors + 'a = "'))
        self.fails("with this there are 20000 parameters; a model may have 10000", "compare", "study.toml", status=2)
        lines = "".join(f'p{i} = "normal(0, 1)"\n' for i in range(500_000))
        self.write("study.toml", STUDY.format(64).replace('a = "', lines + 'a = "'))
        started = spent()
        self.fails("a model may have 10000", "compare", "study.toml", status=2)
        self.assertLess(spent() - started, 10)
        self.write("study.toml", STUDY.format(64).replace('a = "', 2 * lines.replace("p", "a_longer_name_") + 'a = "'))
        self.fails("study.toml: is larger than the [0-9]+ MB", "compare", "study.toml", status=2)

    def test_a_thousand_models(self):
        models = "".join(LINE.format(f"m{i}", 1 + i) for i in range(1000))
        self.write("study.toml", '[data]\nfile = "data.csv"\n[sampler]\nmethod = "bic"\n' + models)
        done = self.succeeds("compare", "study.toml", "--out", "out", "--quiet")
        result = json.loads((self.folder / "out/result.json").read_text())
        self.assertEqual(len(result["models"]), 1000)
        self.assertAlmostEqual(sum(m["probability"] for m in result["models"]), 1, places=9)
        lines = done.stdout.splitlines()
        self.assertLess(len(lines), 1050, "a line a model, and not many more")
        self.assertLess(max(map(len, lines[:1001])), 80, "rows that fit a terminal")
        self.assertRegex(lines[1000], "^m999 ")

    def test_a_long_line(self):
        self.write("data.csv", "y\n" + "1" * 20_000_000 + "\n")
        done = self.fails("data.csv:2: '1", "compare", "study.toml", status=2)
        self.assertLess(len(done.stderr), 500)
