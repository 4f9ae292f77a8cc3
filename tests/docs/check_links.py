"""Links of the pages: the files, pictures and headings that they name are there. Addresses on the web are not asked."""
import functools
import re
import sys

from pages import FENCE, ROOT, pages, without_code

LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINED = re.compile(r"^ *\[[^\]]+\]: *(\S+)", re.M)


def anchor(heading):
    """As GitHub and the site make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@functools.cache
def anchors(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {anchor(m[1]) for m in re.finditer(r"^#{1,6} +(.*?) *#*$", text, re.M)}


def problems(page):
    text = without_code(page.read_text(encoding="utf-8"))
    for found in [*LINK.finditer(text), *DEFINED.finditer(text)]:
        target, line = found[1], text.count("\n", 0, found.start()) + 1
        if re.match(r"[a-z]+:", target):
            continue
        place, _, heading = target.partition("#")
        file = (page.parent / place).resolve() if place else page
        where = f"{page.relative_to(ROOT)}:{line}"
        if not file.exists():
            yield f"{where}: {target} is not there"
        elif not file.is_relative_to(ROOT):
            yield f"{where}: {target} is outside of the repository"
        elif heading and file.suffix == ".md" and heading not in anchors(file):
            yield f"{where}: {place or 'the page'} has no heading '{heading}'"


def main():
    all_pages = list(pages())
    found = [problem for page in all_pages for problem in problems(page)]
    links = sum(len(LINK.findall(without_code(p.read_text(encoding="utf-8")))) for p in all_pages)
    print("\n".join(found))
    print(f"{len(all_pages)} pages, {links} links, {len(found)} broken")
    return 1 if found or links < 50 else 0


sys.exit(main())
