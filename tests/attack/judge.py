"""What may have happened in a case. Anything else is a finding, told as a text."""
import json
import os
import re
import stat

import seeds

# Words of the libraries below, and of programs that fell over.
LEAKS = re.compile(r"terminate called|what\(\):|std::|boost::|basic_string|vector::_|nanobind|filesystem error|Assertion|core dumped|"
                   r"Traceback|stack smashing|AddressSanitizer|runtime error:|\[json\.exception|CLI::")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
KEYS = {"compare": {"schema", "evident", "method", "models", "probabilities"}, "check": {"evident", "method", "models"}}
LONGEST = 6000  # of a message: two paths of the greatest length are in some


def picture(folder):
    """What is in a folder, without the places that a command may write to."""
    out = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            info = os.lstat(path)
            if is_output(os.path.relpath(path, folder)):
                continue
            size = 0 if stat.S_ISDIR(info.st_mode) else (info.st_size, info.st_mtime_ns, info.st_ino)
            out[os.path.relpath(path, folder)] = (info.st_mode, size)
    return out


def is_output(path):
    """Of a path in the folder of a case: here/ is where the command runs."""
    parts = path.split(os.sep)
    return parts[0] == "here" and len(parts) > 1 and (parts[1] in ("out", "kept") or parts[1].endswith((".evident", ".batch", ".checkpoint")))


def messages(err):
    """Messages, without the formula and the caret that stand below one, and without the progress of a batch."""
    return [line for line in err.splitlines()
            if line and not line.startswith("  ") and not re.match(r"\d+ of \d+ data sets \(", line)]


def of_answer(case, out):
    command = case.seed.command[0]
    if command not in KEYS or "--json" not in case.command:
        return None
    try:
        document = json.loads(out)
    except ValueError as e:
        return f"status 0, and no JSON: {e}"
    if not {"evident", "models"} <= document.keys() or not document["models"]:
        return f"status 0, and the document has {sorted(document)}"
    if command == "compare":
        total = sum(m["probability"] or 0 for m in document["models"])
        if all(m["probability"] is not None for m in document["models"]) and abs(total - 1) > 1e-6:
            return f"status 0, and probabilities add up to {total}"
        if case.same and seeds.numbers(out) != seeds.numbers(case.seed.answer):
            return "status 0, and other numbers than without the attack"
    return None


def of_status(case, status, out, err):
    said = messages(err)
    if status < 0:
        return f"ended by signal {-status}"
    if status == 0:
        return of_answer(case, out)
    if status == 143 and case.stopped:
        return None if len(said) == 1 else f"stopped, and {len(said)} messages"
    if status == 141 and not out:
        return None
    if status not in (1, 2):
        return f"status {status}"
    if len(said) != 1:
        return f"status {status}, and {len(said)} messages"
    if not said[0].startswith("evident: ") or len(said[0]) < len("evident: ") + 10:
        return f"status {status}, and no message"
    return None


def finding(case, status, out, err, before, after):
    if case.hung:
        return f"was still there {case.budget} s after it was asked to stop"
    wrong = of_status(case, status, out, err)
    if wrong:
        return wrong
    for text in (out, err):
        if found := LEAKS.search(text):
            return f"says {found[0]!r}"
        if found := CONTROL.search(text):
            return f"writes {found[0]!r} to the terminal"
    if any(len(line) > LONGEST for line in err.splitlines()):
        return "a message without end"
    if before != after:
        changed = sorted(k for k in before.keys() | after.keys() if before.get(k) != after.get(k))
        return f"touched {changed[:5]}"
    return None
