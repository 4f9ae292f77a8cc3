"""check_headers.py CXX CC: the example at the top of every public header compiles.

Each block of code of a leading comment becomes a function, in the namespace of its header, with all public headers at hand. The
names that examples use without a declaration are those of FUNCTION and GIVEN. Lines that are indented further than code are output.
"""
import re
import subprocess
import sys

from pages import ROOT

INCLUDE = ROOT / "include"
FUNCTION = "double log_likelihood(double);\n"
GIVEN = """
std::shared_ptr<const evident::Model> model, std::shared_ptr<const evident::Model> other, const evident::ModelFamily& family,
std::vector<evident::Candidate> candidates, evident::CompareOptions options, const evident::Comparison& comparison,
const evident::Context& context, const evident::Streams& streams, evident::Population& particles,
const evident::TemperedTarget& target, evident::ConstBlock theta, std::span<double> out
"""
GIVEN_IN_C = "static double my_log_likelihood(void* user, const double* theta) { return 0; }\nstatic int my_data;\n"
STANDARD = "".join(f"#include <{name}>\n" for name in ("iostream", "memory", "span", "vector"))
FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-return-type", "-Wno-missing-field-initializers"]


def leading_comment(header):
    """Its lines, without the marks of the comment."""
    text = header.read_text(encoding="utf-8")
    comment = text[: text.index("#pragma once")]
    return [re.sub(r"^(//|/\*| \*) ?", "", line).removesuffix("*/").rstrip() for line in comment.splitlines()]


def examples(header):
    """(line number, code) of each block."""
    block, first = [], 0
    for number, line in enumerate([*leading_comment(header), "end"], 1):
        if line.startswith("  "):
            first = first if block else number
            block.append(line[2:])
        elif line and block:
            if not block[0].startswith(" "):
                yield first, "\n".join(block)
            block = []
        elif block:
            block.append("")


def function(header, line, code, number):
    space = re.findall(r"^namespace ([\w:]+) \{$", header.read_text(encoding="utf-8"), re.M)
    using = f"using namespace {space[-1]};" if space else "using namespace evident;"
    place = f'#line {line} "{header.relative_to(ROOT)}"'
    return f"int example_{number}({GIVEN.strip()}) {{\nusing namespace evident; {using}\n{{\n{place}\n{code}\n}}\n}}\n"


def compiles(command, text):
    done = subprocess.run([*command, *FLAGS, "-I", INCLUDE, "-"], input=text, capture_output=True, text=True, check=False)
    print(done.stderr, end="")
    return done.returncode == 0


def c_text(header, code):
    include = f'#include <stdio.h>\n#include "{header.relative_to(INCLUDE)}"\n'
    return include + (code if header.name == "model.h" else f"{GIVEN_IN_C}void example(void);\nvoid example(void) {{\n{code}\n}}\n")


def main():
    cxx, cc = sys.argv[1:3]
    headers = sorted(p for p in INCLUDE.rglob("*") if p.suffix in (".h", ".hpp"))
    found = {h: list(examples(h)) for h in headers}
    without = [f"{h.relative_to(ROOT)} has no example" for h in headers if not found[h]]
    cpp = [h for h in headers if h.suffix == ".hpp"]
    text = STANDARD + "".join(f'#include "{h.relative_to(INCLUDE)}"\n' for h in cpp)
    text += FUNCTION
    parts = [(h, *e) for h in cpp for e in found[h]]
    text += "\n".join(function(*part, number) for number, part in enumerate(parts))
    good = compiles([cxx, "-x", "c++", "-std=c++20"], text)
    for header in (h for h in headers if h.suffix == ".h"):
        for _, code in found[header]:
            good = compiles([cc, "-x", "c", "-std=c99"], c_text(header, code)) and good
    print("\n".join(without))
    print(f"{len(headers)} headers, {sum(map(len, found.values()))} examples")
    return 0 if good and not without else 1


sys.exit(main())
