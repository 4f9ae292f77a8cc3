"""Ctrl-C is heard whatever a likelihood is doing, and the interpreter ends in good order while runs go on."""
import signal
import subprocess
import sys
import threading
import time

import pytest

START = "import multiprocessing, os, signal, sys, threading, time, numpy as np, evident\n" \
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # tests in the background ignore it


def python(tmp_path, code):
    script = tmp_path / "script.py"  # a file, so that processes of a pool can import it
    script.write_text(code)
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    watchdog = threading.Timer(200, process.kill)
    watchdog.start()
    return process, watchdog


BUSY = {
    "a call that waits": START + """
def likelihood(t):
    print("go", flush=True)
    time.sleep(1000)
MODELS = [evident.Model("m", {"x": "normal(0, 1)"}, likelihood)]
""",
    "processes": START + """
def slow(theta):
    time.sleep(1000)
def likelihood(t):
    print("go", flush=True)
    return np.array(POOL.map(slow, list(t)))
MODELS = []
if __name__ == "__main__":
    POOL = multiprocessing.get_context("fork").Pool(2)
    MODELS = [evident.Model("m", {"x": "normal(0, 1)"}, likelihood)]
""",
    "thousands of parameters": START + """
calls = []
def likelihood(t):
    calls.append(1)
    if len(calls) == 20: print("go", flush=True)
    return -0.5 * np.sum(t**2, axis=1)
MODELS = [evident.Model("m", {f"x{k}": "normal(0, 1)" for k in range(5000)}, likelihood)]
""",
}


@pytest.mark.parametrize("code", BUSY.values(), ids=BUSY.keys())
def test_ctrl_c_is_heard(tmp_path, code):
    process, watchdog = python(tmp_path, code + """
if __name__ == "__main__":
    try:
        evident.compare(MODELS, threads=1)
    except KeyboardInterrupt:
        print("stopped", flush=True)
    print(evident.compare([evident.Model("m", {"x": "normal(0, 1)"}, lambda t: -t[:, 0]**2)], particles=100)[0].name, flush=True)
    for process in multiprocessing.active_children():
        process.kill()
    os._exit(0)  # what waits goes with it
""")
    assert process.stdout.readline() == "go\n"
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    line = process.stdout.readline()
    while line == "go\n":  # of another call
        line = process.stdout.readline()
    took = time.monotonic() - begun
    rest, err = process.communicate()
    watchdog.cancel()
    assert (line, rest, process.returncode) == ("stopped\n", "m\n", 0), err
    assert took < 10, "it should be about one second; machines are busy"


def test_daemon_threads_end_with_the_interpreter(tmp_path):
    process, watchdog = python(tmp_path, START + """
going = threading.Event()
def likelihood(t):
    going.set()
    return -np.sum(t**2, axis=1)
run = lambda: evident.compare([evident.Model("m", {"x": "normal(0, 1)"}, likelihood)], particles=10**6)
threading.Thread(target=run, daemon=True).start()
going.wait()
print("end", flush=True)
""")
    out, err = process.communicate()
    watchdog.cancel()
    assert (out, process.returncode) == ("end\n", 0), err


def test_no_run_begins_when_the_interpreter_ends(tmp_path):
    process, watchdog = python(tmp_path, START + """
class Late:
    def __del__(self):
        try:
            evident.compare([evident.Model("m", {"x": "normal(0, 1)"}, lambda t: -t[:, 0]**2)], particles=100)
        except evident.RunError as error:
            os.write(1, str(error).encode())
late = Late()
late.itself = late  # only the end of the interpreter collects it
sys.modules["late"] = late
""")
    out, err = process.communicate()
    watchdog.cancel()
    assert process.returncode == 0, err
    assert out == "" or "the interpreter is about to end" in out
