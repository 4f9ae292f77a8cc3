"""Much of everything: rows, parameters, models, names."""
import json
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
