"""The table of docs/library.md lists the components of cmake/components.cmake, what they need, and the packages that they add."""
import re
import sys

from pages import ROOT

sys.path.insert(0, str(ROOT / "tests/architecture"))
from components import LIBRARIES, NEEDS, below, read_components  # noqa: E402

text = "".join((ROOT / f"cmake/{name}.cmake").read_text(encoding="utf-8") for name in ("components", "netcdf"))
components = read_components(text)
debian = dict(re.findall(r"^ *evident_library\((\w+) .*DEBIAN ([\w.-]+)\)", text, re.M))


def packages(name):
    words = (re.sub(r"\$\{evident_(\w+)\}", r"\1", word) for word in components[name][LIBRARIES])
    return {debian[word] for word in words if word in debian}


def names(cell):
    return set(re.findall(r"`([\w.-]+)`", cell))


page = (ROOT / "docs/library.md").read_text(encoding="utf-8")
rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\| `.*\|$", page, re.M)]
said = {row[0].strip("`"): (names(row[2]), names(row[3])) for row in rows}
wanted = {name: (set(fields[NEEDS]), packages(name).difference(*(packages(n) for n in below(name, components) - {name})))
          for name, fields in components.items()}
for name in sorted(said.keys() | wanted.keys()):
    if said.get(name) != wanted.get(name):
        print(f"docs/library.md: {name}: the table says {said.get(name)}, the build {wanted.get(name)}")
sys.exit(0 if said == wanted and wanted else 1)
