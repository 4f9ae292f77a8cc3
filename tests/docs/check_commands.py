"""check_commands.py PROGRAM: the program understands every command of the pages.

Commands of a block that belongs into a folder (see pages.py) are run in a copy of it, and must succeed; a block that says what they
print is held against it. All the others, in blocks and in the text, go to the program in an empty folder: what it says there of
missing files is right, what it says of its options is not.
"""
import functools
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pages import FENCE, ROOT, blocks, pages

PROGRAM = str(Path(sys.argv[1]).resolve())
SHELLS = {"sh", "bash", "console"}
SECONDS = 30  # a command that is still at work after that was understood
MISUSE = re.compile(r"--help'|unknown (option|command|kind)|unexpected argument")
UNFINISHED = re.compile(r"is required|nothing to analyse|needs to know what|required .* missing")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
TIME = re.compile(r"\b[\d.]+ ?(s|ms|seconds?|minutes?)\b")
LAUNCHER = re.compile(r"^(?:\$ |> )?(?:[A-Z_]+=\S+ |nice -n \d+ |(?:mpirun|srun)(?: -\S+(?: \d+)?)+ )*")


def joined(text):
    """Lines of a shell block, continued ones in one."""
    return re.sub(r"\\\n\s*", " ", text).splitlines()


def command_of(line):
    """The arguments of `evident` in a line, or None. Placeholders and what follows a pipe are left out."""
    line = LAUNCHER.sub("", line.strip())
    if not line.startswith("evident "):
        return None
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    words = []
    for word in lexer:
        if re.fullmatch(r"[|&;<>]+", word):
            break
        if word not in ("...", "…"):
            words.append(word)
    return words[1:]


def start(arguments, folder, seconds=None):
    return subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, timeout=seconds, check=False,
                          stdin=subprocess.DEVNULL)


@functools.cache
def options(command):
    return set(re.findall(r"--[\w-]+", start([command, "--help"], ROOT).stdout))


def misuse(arguments, whole=True):
    """What the program says of a command that it does not understand; empty when it does. One that is not whole may lack things."""
    if not arguments or arguments[0].isupper():  # `evident COMMAND --help`
        return ""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = start(arguments, folder, SECONDS)
        except subprocess.TimeoutExpired:
            return ""
    if done.returncode != 2 or not MISUSE.search(done.stderr):
        return ""
    if not whole and UNFINISHED.search(done.stderr):
        unknown = {a for a in arguments if a.startswith("--")} - options(arguments[0])
        return f"unknown {', '.join(unknown)}" if unknown else ""
    return done.stderr.strip()


def plain(text):
    """Without rules, times and the widths of columns."""
    return " ".join(re.sub(r"[─-]{3,}", "", TIME.sub("TIME", text)).split())


def alike(said, printed):
    """Words are the same; numbers agree within what random numbers may do on another processor; times may be any."""
    said, printed = plain(said), plain(printed)
    words = NUMBER.sub("#", printed)
    at = words.find(NUMBER.sub("#", said))
    if at < 0:
        return False
    ours, theirs = NUMBER.findall(said), NUMBER.findall(printed)[words[:at].count("#"):]
    return all(abs(float(a) - float(b)) <= 0.1 + 0.002 * abs(float(a)) for a, b in zip(ours, theirs))


def run_block(block, folder, problems):
    """Runs the commands of a block; gives what they printed."""
    out = ""
    for line in joined(block.text):
        arguments = command_of(line)
        if arguments is None:
            continue
        done = start(arguments, folder)
        out += done.stdout
        if done.returncode:
            problems.append(f"{block.place}: `{line.strip()}` ends with {done.returncode}: {done.stderr.strip()}")
    return out


def check_page(page, problems):
    """The number of commands that were tried."""
    tried, printed, folders = 0, "", {}
    with tempfile.TemporaryDirectory() as top:
        for block in blocks(page):
            if block.word == "prints":
                if not alike(block.text, printed):
                    problems.append(f"{block.place}: the commands above print something else:\n{printed}")
                continue
            if block.language not in SHELLS or block.word == "part":
                continue
            commands = [c for c in map(command_of, joined(block.text)) if c is not None]
            tried += len(commands)
            if block.word == "in":
                if block.argument not in folders:
                    folders[block.argument] = Path(top) / str(len(folders))
                    shutil.copytree(ROOT / block.argument, folders[block.argument], ignore=shutil.ignore_patterns("*.evident", "*.batch"))
                printed = run_block(block, folders[block.argument], problems)
            else:
                for arguments in commands:
                    if said := misuse(arguments):
                        problems.append(f"{block.place}: evident {' '.join(arguments)}: {said}")
    text = FENCE.sub(lambda m: "\n" * m[0].count("\n"), page.read_text(encoding="utf-8"))
    for span in re.finditer(r"`(evident [a-z][^`]*)`", text):
        tried += 1
        if said := misuse(command_of(" ".join(span[1].split())) or [], whole=False):
            problems.append(f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, span.start()) + 1}: {span[1]}: {said}")
    return tried


def main():
    problems = []
    tried = sum(check_page(page, problems) for page in pages())
    print("\n".join(problems))
    print(f"{tried} commands, {len(problems)} problems")
    return 1 if problems or tried < 50 else 0


sys.exit(main())
