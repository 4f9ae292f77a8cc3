"""The checker must find what is planted: every rule is broken once, and a clean tree stays clean."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from check import check_tree
from layers import LAYERS, MAX_PUBLIC_HEADERS

ONCE = "#pragma once\n"
HEAD = "// What it is for.\n//\n//   f();\n" + ONCE


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.write("include/evident/base/block.hpp", HEAD + "#include <vector>\n")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def violations(self, path, text):
        self.write(path, text)
        return check_tree(self.root)[0]

    def assert_clean(self, path, text):
        self.assertEqual(self.violations(path, text), [])

    def assert_found(self, path, text, words):
        found = self.violations(path, text)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(path + ":"), found)
        self.assertIn(words, found[0])

    def test_downward_includes_are_clean(self):
        self.assert_clean("src/smc/run.cpp", '#include "evident/base/block.hpp"\n#include "kernel/move-inl.hpp"\n')
        self.assert_clean("src/study/models.cpp", '#include "evident/models/pet/model.hpp"\n')
        self.assert_clean("cli/cmd/compare.cpp", '#include "evident/report/document.hpp"\n#include <CLI/CLI.hpp>\n')
        self.assert_clean("src/models/pet/a.cpp", '#include "evident/models/pet/b.hpp"\n#include "models/pet/c-inl.hpp"\n')

    def test_up(self):
        self.write("include/evident/model/model.hpp", HEAD)
        self.assert_found("include/evident/dist/x.hpp", HEAD + '#include "evident/model/model.hpp"\n', "includes up")

    def test_up_through_a_private_header(self):
        self.assert_found("src/base/x.cpp", '#include "smc/state.hpp"\n', "includes up")

    def test_sideways(self):
        self.assert_found("src/schedule/x.cpp", '#include "evident/kernel/options.hpp"\n', "sideways")
        (self.root / "src/schedule/x.cpp").unlink()
        self.assert_found("src/report/x.cpp", '#include "evident/study/study.hpp"\n', "sideways")

    def test_one_model_does_not_know_another(self):
        self.assert_found("src/models/pet/x.cpp", '#include "evident/models/gmm/model.hpp"\n', "models/gmm")

    def test_models_know_no_sampler(self):
        self.assert_found("src/models/pet/x.cpp", '#include "evident/smc/options.hpp"\n', "includes up")

    def test_samplers_know_no_model(self):
        self.assert_found("src/smc/x.cpp", '#include "evident/models/pet/model.hpp"\n', "any model")

    def test_unknown_module(self):
        self.assert_found("src/utils/x.cpp", "\n", "no layer")

    def test_parent_folder(self):
        self.assert_found("src/smc/x.cpp", '#include "../kernel/x.hpp"\n', "'..'")

    def test_highway(self):
        self.assert_clean("src/dist/x.cpp", "#include <hwy/highway.h>\n")
        self.assert_clean("src/dist/x-inl.hpp", '#include "hwy/highway.h"\n')
        self.assert_found("src/dist/x.hpp", ONCE + "#include <hwy/highway.h>\n", "hwy/highway.h")

    def test_highway_target_include_counts(self):
        self.assert_found("src/dist/x.cpp", '#define HWY_TARGET_INCLUDE "smc/x.cpp"\n', "includes up")

    def test_tbb(self):
        self.assert_clean("src/base/x.cpp", "#include <tbb/parallel_for.h>\n")
        self.assert_found("src/smc/x.cpp", "#include <oneapi/tbb/parallel_for.h>\n", "src/base")

    def test_toml_and_json(self):
        self.assert_clean("src/study/x.cpp", "#include <toml++/toml.h>\n")
        self.assert_clean("src/report/x.cpp", "#include <nlohmann/json.hpp>\n")
        self.assert_found("src/report/y.cpp", "#include <toml++/toml.h>\n", "src/study")
        (self.root / "src/report/y.cpp").unlink()
        self.assert_found("src/study/y.cpp", "#include <nlohmann/json.hpp>\n", "src/report")

    def test_public_headers_need_no_other_library(self):
        self.assert_found("include/evident/base/x.hpp", HEAD + "#include <Eigen/Core>\n", "public headers")

    def test_public_headers_include_public_ones(self):
        self.assert_clean("include/evident/base/y.hpp", HEAD + '#include "evident/base/block.hpp"\n')
        self.assert_found("include/evident/base/x.hpp", HEAD + '#include "base/team.hpp"\n', "private")

    def test_public_headers_are_few(self):
        for number in range(MAX_PUBLIC_HEADERS - 1):
            self.write(f"include/evident/base/x{number}.hpp", HEAD)
        self.assertEqual(check_tree(self.root)[0], [])
        self.write("include/evident/base/one_more.hpp", HEAD)
        self.assertIn("31 public headers", check_tree(self.root)[0][0])

    def test_public_headers_begin_with_an_example(self):
        self.assert_clean("include/evident/base/x.h", "/* What it is for.\n *\n *   f(); */\n" + ONCE)
        self.assert_found("include/evident/base/y.hpp", "// What it is for.\n" + ONCE, "example")
        (self.root / "include/evident/base/y.hpp").unlink()
        self.assert_found("include/evident/base/x.hpp", ONCE, "example")

    def test_namespaces(self):
        self.assert_clean("src/base/x.cpp", "namespace evident {\nnamespace {\n}\nnamespace philox {\n")
        self.assert_clean("src/study/x.cpp", "namespace evident {\nclass Table;\n}\nnamespace evident::study {\n")
        self.assert_found("src/base/y.cpp", "namespace evident::base {\n", "is in evident ")
        (self.root / "src/base/y.cpp").unlink()
        self.assert_found("src/study/y.cpp", "namespace evident {\n\nvoid f();\n", "is in evident::study")
        (self.root / "src/study/y.cpp").unlink()
        self.assert_found("src/study/z.cpp", "namespace evident::study::detail {\n", "is in evident::study")

    def test_using_namespace(self):
        self.assert_clean("src/base/x.cpp", "using namespace std;\n")
        self.assert_found("src/base/x.hpp", ONCE + "  using namespace std;\n", "using namespace")

    def test_pragma_once(self):
        self.assert_clean("src/base/x-inl.hpp", "\n")
        self.assert_found("src/base/x.hpp", "\n", "#pragma once")

    def test_length(self):
        self.assert_clean("src/base/x.cpp", "\n" * 400)
        self.assert_found("src/base/x.cpp", "\n" * 401, "401 lines")

    def test_flags(self):
        self.assert_clean("src/base/x.cpp", 'f("a--b -- c", "srun --mpi=list");  // "--vb" is a flag\n')
        self.assert_clean("cli/x.cpp", 'f("--vb");\n')
        self.assert_found("src/base/x.cpp", 'throw InputError("so far; add --vb");\n', '"so far; add --vb" names a flag')
        self.assert_found("src/base/x.cpp", 'f("a", "--{} has no effect");\n', "names a flag")

    def test_wrapping(self):
        caught = "} catch (const PlacedError& e) {\n"
        self.assert_clean("src/base/x.cpp", caught + 'throw InputError("a" + e.message());\nnote(e.what());\n')
        self.assert_clean("src/base/x.cpp", caught + "} catch (const std::exception& e) {\nthrow InputError(e.what());\n")
        self.assert_found("src/base/x.cpp", caught + 'throw InputError("a" + e.what());\n', "lost the marks")
        self.assert_found("src/base/x.cpp", caught + "section.fail(e.what());\n", "lost the marks")

    def test_options_exist(self):
        self.write("cli/x.cpp", 'app.add_option("--time-unit");\nif (key == "replace") return "--force";\n')
        self.assert_clean("src/base/x.cpp", 'f(option("time_unit", "s"), option("replace"));\n')
        self.assert_found("src/base/x.cpp", 'f(option("time_unti"));\n', "no option 'time_unti'")

    def test_components_include_what_they_need(self):
        self.write("cmake/components.cmake", "evident_component(core MODULES base)\nevident_component(formula MODULES formula NEEDS core)\n"
                   "evident_component(study MODULES study\n                  NEEDS formula)\nevident_component(imaging MODULES imaging NEEDS core)\n")
        self.assert_clean("src/study/x.cpp", '#include "evident/base/block.hpp"\n#include "evident/formula/graph.hpp"\n')
        self.assert_found("src/imaging/x.cpp", '#include "study/section.hpp"\n', "component imaging includes 'study/section.hpp' of study")

    def test_components_link_what_they_include(self):
        self.write("cmake/components.cmake", "evident_component(imaging MODULES imaging LIBRARIES zlib)\n")
        self.assert_clean("src/imaging/x.cpp", "#include <zlib.h>\n")
        self.write("src/imaging/y.cpp", "#include <fmt/format.h>\n")
        self.assertIn("imaging includes fmt", check_tree(self.root)[0][0])
        (self.root / "src/imaging/y.cpp").unlink()
        (self.root / "src/imaging/x.cpp").unlink()
        self.assertIn("imaging names zlib", check_tree(self.root)[0][0])

    def test_components_that_cannot_be_read(self):
        self.write("cmake/components.cmake", "evident_component\n(core MODULES base)\n")
        self.assertIn("no component", check_tree(self.root)[0][0])

    def test_maps(self):
        table = "".join(f"| {layer} | `{module}/` | what is there |\n" for module, layer in LAYERS.items())
        self.assert_clean("CONTRIBUTING.md", table)
        self.assert_found("CONTRIBUTING.md", table.replace("| 7 | `smc/`", "| 6 | `smc/`"), "says layer 6 of 'smc'")

    def test_exit_code(self):
        def run():
            check = Path(__file__).with_name("check.py")
            return subprocess.run([sys.executable, check, self.root], capture_output=True, text=True, check=False)

        self.assertEqual(run().returncode, 0)
        self.write("src/base/x.cpp", '#include "evident/smc/options.hpp"\n')
        result = run()
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/base/x.cpp:1:", result.stdout)

    def test_an_empty_tree_is_an_error(self):
        (self.root / "include/evident/base/block.hpp").unlink()
        self.assertEqual(check_tree(self.root), ([], 0))


if __name__ == "__main__":
    unittest.main()
