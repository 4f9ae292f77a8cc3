"""MkDocs hook: what the pages link to in the repository is part of the site.

Pages of docs/ link to ../examples/decay or ../include/evident/model/model.hpp, which is right in the repository. The site has no
such places, so each file or folder that is linked to gets a page: a Markdown file as it is, a folder as its README with the list of
its files, any other file as a block of code. Links are turned to them, and names of files in code (`src/smc/temper.cpp`) become links.
Nothing points out of the site, so it works without a network.
"""
import posixpath
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!\\)(\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2 *$", re.M | re.S)
FILE = re.compile(r"(?<![\[`])`((?:src|include|tests|bench|cli|examples|tools|docs)/[\w./-]+\.\w+)`(?!\]|`)")
NAMES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "README.md": "index.md", "docs": "index.md"}
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".c": "c", ".py": "python", ".sh": "bash", ".toml": "toml", ".R": "r",
             ".json": "json", ".yml": "yaml", ".txt": "cmake" , ".csv": "text", ".tsv": "text", ".cff": "yaml", "": "text"}
LARGEST = 60_000  # bytes of a file that is shown

ELSEWHERE = re.compile(r"<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=\"?https?://[^>]*>")

_repository_path = {}  # page of the site -> what it shows


def page_of(path):
    """The page of a file or folder of the repository, from the top of docs/."""
    if path in NAMES:
        return NAMES[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if (ROOT / path).is_dir():
        return f"{path}/index.md"
    if path.endswith("/README.md"):
        return f"{posixpath.dirname(path)}/index.md"
    return path if path.endswith(".md") else f"source/{path}.md"


def outside_of_code(text, change):
    """`text` with `change` done to what is not in a fence."""
    parts, at = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join(parts + [change(text[at:])])


def with_links(text, folder):
    """Names of files, which are written from the top of the repository, as links."""
    def linked(match):
        file = ROOT / match[1]
        shown = file.is_file() and (file.suffix in LANGUAGES or file.suffix == ".md") and file.stat().st_size < LARGEST
        return f"[{match[0]}]({posixpath.relpath(match[1], folder or '.')})" if shown else match[0]

    return outside_of_code(text, lambda part: FILE.sub(linked, part))


def links(text, folder):
    """Places in the repository that a page in `folder` links to."""
    text = with_links(text, folder)
    found = []
    outside_of_code(text, lambda part: found.extend(m[2] for m in LINK.finditer(part)) or part)
    for target in found:
        place = target.partition("#")[0]
        if place and ":" not in place:
            yield posixpath.normpath(posixpath.join(folder, place))


def shown_files(folder):
    """Files of a folder that can be read as text, the largest left out."""
    for file in sorted(folder.iterdir()):
        if file.is_file() and file.suffix in LANGUAGES and file.stat().st_size < LARGEST:
            yield file


def text_of(path):
    """Markdown of the page that shows `path`."""
    file = ROOT / path
    if file.is_dir():
        readme = file / "README.md"
        text = readme.read_text(encoding="utf-8") if readme.exists() else f"# {path}\n"
        rows = [f"- [{f.name}]({f.name})" for f in shown_files(file)]
        others = [f"- {f.name}" for f in sorted(file.iterdir()) if f.suffix == ".ipynb"]
        return f"{text}\n## Files\n\nIn the repository: `{path}`.\n\n" + "\n".join(rows + others) + "\n"
    text = file.read_text(encoding="utf-8")
    if path.endswith(".md"):
        return text
    return f"# {file.name}\n\n`{path}`\n\n````{LANGUAGES.get(file.suffix, 'text')}\n{text.rstrip()}\n````\n"


def folder_of(path):
    """The folder that links of `path` start from."""
    return path if (ROOT / path).is_dir() else posixpath.dirname(path)


def on_files(files, config):
    _repository_path.clear()
    queue = ["CHANGELOG.md", "CONTRIBUTING.md"]
    for file in files.documentation_pages():
        queue += links(file.content_string, posixpath.dirname(f"docs/{file.src_uri}"))
    while queue:
        path = queue.pop()
        page = page_of(path)
        if files.get_file_from_path(page):
            continue
        if not (ROOT / path).exists():
            raise PluginError(f"a page links to {path}, which is not there")
        if path.startswith("docs/"):
            continue  # MkDocs itself says what is wrong with it
        if path.endswith("/README.md"):
            path = posixpath.dirname(path)
        text = text_of(path)
        made = File.generated(config, page, content=text)
        if page not in NAMES.values():
            made.inclusion = InclusionLevel.NOT_IN_NAV
        files.append(made)
        _repository_path[page] = path
        if not page.startswith("source/"):
            queue += links(text, folder_of(path))
    return files


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    if uri == "index.md":
        page.meta["hide"] = ["navigation"]  # it would list this page alone
    path = _repository_path.get(uri, f"docs/{uri}")
    if uri.startswith("source/"):
        page.meta["search"] = {"exclude": True}
        page.meta["hide"] = ["navigation", "toc"]  # lines of code are long
        return markdown
    folder = folder_of(path)

    def turned(match):
        place, mark, anchor = match[2].partition("#")
        if not place or ":" in place:
            return match[0]
        target = page_of(posixpath.normpath(posixpath.join(folder, place)))
        return match[1] + posixpath.relpath(target, posixpath.dirname(uri) or ".") + mark + anchor + match[3]

    return outside_of_code(with_links(markdown, folder), lambda part: LINK.sub(turned, part))


def on_post_page(output, page, config):
    """A page that loads anything from elsewhere would tell others who reads it, and break without a network."""
    found = ELSEWHERE.search(output)
    if found:
        raise PluginError(f"{page.file.src_uri} loads something from elsewhere: {found[0]}")
    return output
