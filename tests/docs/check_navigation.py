"""Every page of docs/ stands in the navigation of mkdocs.yml once, and what stands there is a page."""
import re
import sys

from pages import ROOT

OF_THE_REPOSITORY = {"changelog.md", "contributing.md"}  # docs/site/repository_pages.py makes them
text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
listed = re.findall(r": ([\w-]+\.md)$", text[text.index("\nnav:"):], re.M)
there = {p.name for p in (ROOT / "docs").glob("*.md")}
problems = [f"docs/{n} is not in the navigation of mkdocs.yml" for n in sorted(there - set(listed))]
problems += [f"mkdocs.yml: {n} is not there" for n in sorted(set(listed) - there - OF_THE_REPOSITORY)]
problems += [f"mkdocs.yml: {n} stands there twice" for n in sorted({n for n in listed if listed.count(n) > 1})]
print("\n".join(problems))
print(f"{len(listed)} pages, {len(problems)} problems")
sys.exit(1 if problems or len(listed) < 20 else 0)
