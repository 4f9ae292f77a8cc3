#!/usr/bin/env python3
"""Reads the #include lines of include/, src/ and cli/ and fails on one that breaks the architecture, that of the layers or that of
the components which are linked (components.py); the names of namespaces; the public headers, which are few and begin with an
example; and the messages, which name options by their keys (base/option.hpp) and keep them when errors are wrapped.

    python3 tests/architecture/check.py [ROOT]

Prints one line per violation, `file:line: what is wrong`, and exits with 1 when there is any. The rules are in
layers.py and, in words, in CONTRIBUTING.md.
"""

import re
import sys
from pathlib import Path

from components import check_components
from layers import (FLAGS_OF_OTHERS, IN_EVIDENT, LAYERS, MAX_LINES, MAX_PUBLIC_HEADERS, MODELS_SEEN_FROM, NESTED,
                    OWNERS)

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
TARGET_INCLUDE = re.compile(r'^\s*#\s*define\s+HWY_TARGET_INCLUDE\s+(")([^"]+)"')
USING_NAMESPACE = re.compile(r"^\s*using\s+namespace\b")
LITERAL_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//.*')
FLAG = re.compile(r"(?<![\w-])--[a-z{][a-z-]*")
OPTION = re.compile(r'(?<![\w.:])option\("([a-z_]+)"')
NAMESPACE = re.compile(r"^\s*namespace ([\w:]+) \{")
DECLARATION = re.compile(r"(class|struct) \w+;|template <>")
CATCH = re.compile(r"catch \(const ([\w:]+)& ?(\w*)\)")
SOURCES = {".hpp", ".h", ".cpp"}
HEADERS = {".hpp", ".h"}
C_HEADERS = {"stddef.h", "stdint.h"}  # a .h is for C, whose standard library has such names


class Place:
    """Where a file stands: its module, and for models/<kind>/ the kind."""

    def __init__(self, parts):
        known = len(parts) > 1
        self.module = parts[0] if known else None
        self.kind = parts[1] if known and parts[0] == "models" and len(parts) > 2 else None


def place_of_file(path):
    """`path` is relative to the root: include/evident/base/x.hpp, src/base/x.cpp, cli/main.cpp."""
    parts = path.parts
    if parts[0] == "cli":
        return Place(("cli",) + parts[1:])
    return Place(parts[2:] if parts[0] == "include" else parts[1:])


def place_of_include(name, path, root):
    """None for a header that is not ours."""
    parts = Path(name).parts
    if parts[0] == "evident":
        return Place(parts[1:])
    if (root / path.parent / name).exists():
        return place_of_file(path.parent / name)
    if parts[0] in LAYERS and len(parts) > 1:
        return Place(parts)
    return None


def check_direction(here, there, name):
    if there.module is None or there.module == here.module:
        if here.kind and there.kind and here.kind != there.kind:
            return f"models/{here.kind} must not include models/{there.kind} ({name})"
        return None
    if there.module not in LAYERS:
        return f"'{name}': module '{there.module}' has no layer in tests/architecture/layers.py"
    if here.module is None:  # include/evident/evident.hpp, the header of headers
        return None
    own, other = LAYERS[here.module], LAYERS[there.module]
    if other >= own:
        way = "sideways" if other == own else "up"
        return f"{here.module} (layer {own}) includes {way}: '{name}' (layer {other})"
    if there.module == "models" and own < MODELS_SEEN_FROM:
        return f"{here.module} must work with any model, but includes '{name}'"
    return None


def check_public(path, name, quote, root):
    """A public header includes what users have: public headers and the standard library."""
    if path.parts[0] == "include" and quote == '"' and not (root / "include" / name).exists():
        return f"'{name}' is private; a public header includes public headers only"
    return None


def check_namespaces(path, module, lines):
    """Every namespace is that of the module, or one of NESTED in it; others hold declarations and specializations
    only: (line number, text)."""
    own = ["evident"] + ([] if module in IN_EVIDENT or module is None else [module])
    nested = NESTED.get(module, set()) | {"HWY_NAMESPACE"}
    for number, line in enumerate(lines, 1):
        match = NAMESPACE.match(line)
        first = next((line for line in lines[number:] if line), "")
        if not match or DECLARATION.match(first):
            continue
        names = match[1].split("::")
        inner = names[len(own):] if names[:len(own)] == own else names
        if not set(inner) <= nested:
            yield number, f"namespace {match[1]}: {path.parent} is in {'::'.join(own)} (layers.py)"


def check_head(path, lines):
    """A public header begins with a comment that has an example; tests/docs/check_headers.py compiles it."""
    head = "\n".join(lines).split("#pragma once")[0]
    if not re.match(r"// \S|/\* \S", head) or not re.search(r"^(//| \*)   \S", head, re.M):
        yield 1, "a public header begins with its purpose and an example"


def check_library(path, name, quote):
    for pattern, allowed in OWNERS:
        if re.match(pattern, name) and not any(re.fullmatch(a, path.as_posix()) for a in allowed):
            return f"'{name}' may be included only in {', '.join(allowed) or 'tests'}"
    # Users of the library must not need the libraries that it is built with.
    of_c = path.suffix == ".h" and name in C_HEADERS
    if path.parts[0] == "include" and quote == "<" and ("/" in name or "." in name) and not of_c:
        return f"'{name}': public headers include the standard library and evident only"
    return None


def check_include(path, here, quote, name, root):
    if ".." in Path(name).parts:
        return f"'{name}': write the path from include/ or src/, without '..'"
    found = check_library(path, name, quote) or check_public(path, name, quote, root)
    if found:
        return found
    there = place_of_include(name, path, root)
    return check_direction(here, there, name) if there else None


def literals(line):
    return [text for text in LITERAL_OR_COMMENT.findall(line) if text.startswith('"')]


def check_flags(line):
    """The library has users that have no command line."""
    for literal in literals(line):
        for flag in FLAG.findall(literal):
            if flag not in FLAGS_OF_OTHERS:
                return f"{literal} names a flag; write option(...) of base/option.hpp"
    return None


def check_wrapping(lines):
    """What is caught and thrown again keeps its options: (line number, text)."""
    caught = None
    for number, line in enumerate(lines, 1):
        match = CATCH.search(line)
        caught = match or caught
        is_ours = caught and caught[2] and caught[1].endswith(("Error", "TeamFailure"))
        if is_ours and f"{caught[2]}.what()" in line and re.search(r"\bthrow\b|\bfail\(", line):
            yield number, f"{caught[2]}.what() has lost the marks of options; wrap {caught[2]}.message()"


SAMPLER_OPTIONS = "src/study/sampler_options.cpp"  # the table that flags are made from


def check_keys(root, files):
    """Each option that a message names is one that the program has, or that it spells in a way of its own."""
    text = {path: (root / path).read_text(encoding="utf-8") for path in files}
    program = "".join(content for path, content in text.items() if path.parts[0] == "cli" or str(path) == SAMPLER_OPTIONS)
    for path, content in text.items():
        for number, line in enumerate(content.splitlines(), 1):
            for key in OPTION.findall(line.split("//")[0]):
                if not any(form in program for form in (f'"--{key.replace("_", "-")}', f'key == "{key}"', f'    {{"{key}",')):
                    yield f"{path}:{number}: the program has no option '{key}'"


def check_file(path, root):
    """All violations in one file, as (line number, text)."""
    here = place_of_file(path)
    if here.module is not None and here.module not in LAYERS:
        return [(1, f"module '{here.module}' has no layer in tests/architecture/layers.py")]
    is_header = path.suffix in HEADERS
    found = []
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line) or TARGET_INCLUDE.match(line)
        if match:
            text = check_include(path, here, match[1], match[2], root)
            if text:
                found.append((number, text))
        flag = check_flags(line) if path.parts[0] != "cli" and not match else None
        if flag:
            found.append((number, flag))
        if is_header and USING_NAMESPACE.match(line):
            found.append((number, "'using namespace' in a header"))
    found += check_wrapping(lines)
    found += check_namespaces(path, here.module, lines)
    if path.parts[0] == "include":
        found += check_head(path, lines)
    # Highway includes its -inl files once per instruction set, which #pragma once would prevent.
    if is_header and not path.stem.endswith("-inl") and not any(l.strip() == "#pragma once" for l in lines):
        found.append((1, "header without #pragma once"))
    if len(lines) > MAX_LINES:
        found.append((len(lines), f"{len(lines)} lines; split a file above {MAX_LINES}"))
    return found


def all_includes(files, root):
    """What check_components() asks for. Without the header of headers, which is no part of any component."""
    for path in files:
        here = place_of_file(path)
        for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if match and here.module:
                there = place_of_include(match[2], path, root)
                yield path, number, here.module, match[2], there.module if there else None


def check_maps(root):
    """The tables of layers in the documents are those of layers.py."""
    for name, modules_of in (("CONTRIBUTING.md", r"`(\w+)/`"), ("docs/architecture.md", r"`(\w+)`")):
        if not (root / name).exists():
            continue
        rows = re.findall(r"^\| (\d+) \| ([^|]*) \|", (root / name).read_text(encoding="utf-8"), re.M)
        said = {module: int(layer) for layer, modules in rows for module in re.findall(modules_of, modules)}
        for module in sorted(LAYERS.keys() | said.keys()):
            if LAYERS.get(module) != said.get(module):
                yield f"{name}: says layer {said.get(module)} of '{module}', and layers.py {LAYERS.get(module)}"


def check_tree(root):
    """(violations as text, number of files read)"""
    root = Path(root)
    files = [p.relative_to(root) for top in ("include", "src", "cli") for p in sorted((root / top).rglob("*"))
             if p.suffix in SOURCES]
    found = [f"{path}:{number}: {text}" for path in files for number, text in check_file(path, root)]
    found += [*check_keys(root, files), *check_maps(root)]
    public = [path for path in files if path.parts[0] == "include"]
    if len(public) > MAX_PUBLIC_HEADERS:
        found.append(f"include: {len(public)} public headers, and {MAX_PUBLIC_HEADERS} are the most: a user reads the whole list")
    components = root / "cmake/components.cmake"
    if components.exists():
        found += check_components(components.read_text(encoding="utf-8"), all_includes(files, root))
    return found, len(files)


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2]
    violations, files = check_tree(root)
    for violation in violations:
        print(violation)
    if not files:
        print(f"no sources below {root}")
    print(f"architecture: {files} files, {len(violations)} violations")
    return 1 if violations or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
