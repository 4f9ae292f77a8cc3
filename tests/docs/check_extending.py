"""check_extending.py CXX [INCLUDE...] | --into FOLDER: the additions of docs/extending.md fit the sources.

The blocks that are new files or changes (see pages.py) go into a copy of the sources, and every .cpp that they touch must compile without a
warning; of the tests only new ones are compiled, as they take long. With --into they go into FOLDER, a clone in which all of it can then be built and run.
"""
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pages import ROOT, blocks


def hunks(text):
    """(before, after) of each part of a diff; parts are separated by @@."""
    for part in text.split("@@\n"):
        lines = part.splitlines(keepends=True)
        yield ("".join(l[1:] for l in lines if l[0] != "+"), "".join(l[1:] for l in lines if l[0] != "-"))


def put(block, root):
    """Into the file that the block names."""
    file = root / block.argument
    if block.word == "new":
        assert not file.exists(), f"{block.place}: {block.argument} is there already"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
        return
    text = file.read_text(encoding="utf-8")
    for before, after in hunks(block.text):
        assert text.count(before) == 1, f"{block.place}: not once in {block.argument}:\n{before}"
        text = text.replace(before, after)
    file.write_text(text, encoding="utf-8")


def compiles(file, root, compiler, includes):
    flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
    own = [f"-I{root / folder}" for folder in ("include", "src", "tests")]
    done = subprocess.run([compiler, *flags, *own, *(f"-isystem{i}" for i in includes), root / file], capture_output=True, text=True,
                          check=False)
    return "" if done.returncode == 0 else f"{file}:\n{done.stderr}"


def main(arguments):
    additions = [b for b in blocks(ROOT / "docs/extending.md") if b.word in ("new", "change")]
    assert len(additions) > 10, "the page has lost its additions"
    if arguments[0] == "--into":
        for block in additions:
            put(block, Path(arguments[1]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for tree in ("include", "src", "tests"):
            shutil.copytree(ROOT / tree, root / tree, ignore=shutil.ignore_patterns("*.py", "*.md", "data"))
        for block in additions:
            put(block, root)
        files = sorted({b.argument for b in additions if b.argument.endswith(".cpp") and (b.word == "new" or b.argument.startswith("src"))})
        with ThreadPoolExecutor(2) as pool:
            problems = list(filter(None, pool.map(lambda f: compiles(f, root, arguments[0], arguments[1:]), files)))
    print("\n".join(problems))
    print(f"{len(additions)} additions, {len(files)} files compiled, {len(problems)} problems")
    return 1 if problems else 0


sys.exit(main(sys.argv[1:]))
