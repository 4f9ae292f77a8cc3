"""The program `evident`, which comes with the package: simulations and PET images run through it."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Iterable, Sequence

from ._core import InputError, RunError, spelled

__all__ = ["main", "simulate"]


def program() -> Path:
    """Where the program is."""
    found = Path(__file__).parent / "bin" / "evident"
    if not found.is_file():
        raise RunError(f"the program is not there: {found}. This package was built without it (EVIDENT_PROGRAM is OFF)")
    return found


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray":
        return ",".join(_text(v) for v in value)
    return repr(float(value)) if isinstance(value, float) else str(value)


def arguments(options: dict[str, Any], flags: Iterable[str] = (), lists: Iterable[str] = ()) -> list[str]:
    """Options as the command line has them: max_components=3 is --max-components 3."""
    out: list[str] = []
    for key, value in options.items():
        if value is None:
            continue
        name = "--" + key.replace("_", "-")
        if key in flags:
            out += [name] if value else []
        elif key in lists:
            for entry in [value] if isinstance(value, (str, os.PathLike)) else value:
                out += [name, os.fspath(entry)]
        else:
            out += [name, os.fspath(value) if isinstance(value, os.PathLike) else _text(value)]
    return out


def run(command: Sequence[str], show: bool = False) -> str:
    """Runs the program and returns what it prints. Ctrl-C stops it; what it complains of is raised here."""
    process = subprocess.Popen([str(program()), *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace",
                               env={**os.environ, "EVIDENT_OPTION_MARKS": "1"}, start_new_session=True)
    said: list[str] = []

    def listen() -> None:
        assert process.stderr is not None
        for line in map(spelled, process.stderr):
            said.append(line)
            if show and not line.startswith("evident: "):
                print(line, end="", file=sys.stderr, flush=True)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    assert process.stdout is not None
    try:
        printed = process.stdout.read()
        process.wait()
    except BaseException:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise
    finally:
        listener.join(timeout=5)
        process.stdout.close()
    if process.returncode == 0:
        return spelled(printed)
    start = next((i for i, line in enumerate(said) if line.startswith("evident: ")), None)
    message = "".join(said[start:] if start is not None else said[-5:]).removeprefix("evident: ").strip()
    raise (InputError if process.returncode == 2 else RunError)(message or f"the program ended with {process.returncode}")


def simulate(kind: str, out: Any, *, seed: int = 1, force: bool = False, **options: Any) -> Path:
    """Data with a known truth and a study for them, as ``evident simulate`` makes them; returns the folder.

    The options are those of ``evident simulate KIND --help``.

    Examples
    --------
    >>> import tempfile, evident
    >>> folder = evident.simulate("gaussian-mixture", tempfile.mkdtemp() + "/mix", seed=1, means=[-2, 2], max_components=2)
    >>> sorted(f.name for f in folder.iterdir())
    ['data.csv', 'manifest.json', 'study.toml', 'truth.json']
    >>> evident.compare(folder / "study.toml", particles=200).best.name
    '2 components'
    """
    run(["simulate", kind, *arguments({**options, "seed": seed, "out": out, "force": force}, flags=["force"])])
    return Path(out)


def main() -> None:
    """The command `evident`."""
    file = str(program())
    os.execv(file, [file, *sys.argv[1:]])
