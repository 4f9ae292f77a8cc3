"""The Markdown pages of the repository: their text, their blocks of code and what comments above a block say of it.

    <!-- in examples/decay -->     the block belongs into that folder: studies are read there, commands and Python are run there
    <!-- prints -->                the block is what the commands before it print
    <!-- new src/a.cpp -->         the block is a whole file
    <!-- change src/a.cpp -->      the block is a change of that file, as a diff
    <!-- part -->                  the block is part of something larger, and is not tried
"""
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(?P<indent> *)(?P<mark>`{3,}|~{3,})(?P<language>[\w+-]*) *\n(?P<text>.*?)^(?P=indent)(?P=mark) *$", re.M | re.S)
SAYS = re.compile(r"<!-- *(in|prints|new|change|part) *(.*?) *-->\s*\Z")


@dataclass
class Block:
    page: Path
    line: int
    language: str
    text: str
    word: str = ""      # in, prints, new, change, part
    argument: str = ""  # the folder or file

    @property
    def place(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages():
    """What people read: not what a build or an installation left behind."""
    for pattern in ("*.md", "docs/*.md", "examples/**/*.md", "python/*.md", "papers/**/*.md"):
        for page in sorted(ROOT.glob(pattern)):
            if ".evident" not in str(page.relative_to(ROOT)) and "build" not in page.relative_to(ROOT).parts:
                yield page


def blocks(page):
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        said = SAYS.search(text[: found.start()])
        yield Block(page, text.count("\n", 0, found.start()) + 1, found["language"], found["text"],
                    said[1] if said else "", said[2] if said else "")


def without_code(text):
    """The same lines, with blocks and spans of code left empty."""
    text = FENCE.sub(lambda m: "\n" * m[0].count("\n"), text)
    text = re.sub(r"^(    |\t).*$", "", text, flags=re.M)
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
