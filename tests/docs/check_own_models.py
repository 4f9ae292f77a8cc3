"""The page on models of one's own shows the example and the interface as they are."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs/own-models.md").read_text(encoding="utf-8")


def block(language):
    found = re.findall(rf"^```{language}\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"{len(found)} blocks of {language}"
    return found[0]


for language, name in (("python", "model.py"), ("toml", "study.toml")):
    assert block(language) == (root / "examples/process" / name).read_text(encoding="utf-8"), f"{name} differs"
header = " ".join((root / "include/evident/external/model.h").read_text(encoding="utf-8").split())
for declaration in block("c").splitlines():
    assert declaration in header, f"not in the header: {declaration}"
lines = (root / "examples/process/model.py").read_text(encoding="utf-8").splitlines()
assert len(lines) <= 12, "the example has grown"
