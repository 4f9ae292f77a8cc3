"""What goes wrong is told in full, and nothing leaks or hangs."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import evident


def quick(function, **options):
    return evident.compare([evident.Model("m", {"x": "normal(0, 1)"}, function)], particles=200, islands=2, **options)


class Odd(Exception):
    pass


def test_exception_arrives_unchanged():
    def broken(theta):
        raise Odd("as it is")

    with pytest.raises(Odd, match="as it is") as caught:
        quick(broken)
    assert caught.value.parameters.shape[1] == 1


def test_exception_of_a_scalar_function_names_the_vector():
    def broken(theta):
        if theta[0] > 1:
            raise Odd("too large")
        return -theta[0] ** 2

    with pytest.raises(Odd) as caught:
        evident.compare([evident.Model("m", {"x": "normal(0, 1)"}, broken, vectorized=False)], particles=200, islands=2)
    assert caught.value.parameters[0] > 1


def test_wrong_shape():
    with pytest.raises(ValueError, match="one value for each row"):
        quick(lambda t: np.zeros(3))


def test_the_core_s_messages():
    with pytest.raises(evident.InputError, match="prior of 'x'"):
        evident.Model("m", {"x": "normall(0, 1)"}, len)
    with pytest.raises(evident.InputError, match="cess"):
        quick(lambda t: -t[:, 0] ** 2, cess=2)
    with pytest.raises(evident.InputError, match="^steps= must be a whole number between 1 and 10000000, was 2.5$"):
        quick(lambda t: -t[:, 0] ** 2, schedule="linear", steps=2.5)
    with pytest.raises(evident.InputError, match="^steps= cannot be an object of type object; it takes: whole number"):
        quick(lambda t: -t[:, 0] ** 2, steps=object())
    with pytest.raises(TypeError, match="there is no option 'partciles'; did you mean 'particles'?"):
        quick(lambda t: -t[:, 0] ** 2, partciles=2)
    with pytest.raises(TypeError, match="prior of 'x'"):
        evident.Model("m", {"x": 3}, len)
    with pytest.raises(evident.RunError, match="-inf"):
        quick(lambda t: np.full(len(t), -np.inf))


def test_nan_policy():
    half = lambda t: np.where(t[:, 0] > 0, np.nan, -t[:, 0] ** 2)
    model = quick(half)[0].document
    assert model["verdict"] != "trust" and model["nan"]["log_evidence_too_low"] > 0.6
    assert all(place["at"][0] > 0 for place in model["nan"]["places"])
    with pytest.raises(evident.RunError, match="NaN in .* evaluations, more than nan_limit allows: at x = "):
        quick(half, nan_limit=0.05)


@pytest.mark.parametrize("body", [
    "time.sleep(0.01); len(calls) == 5 and print('go', flush=True)",
    "print('go', flush=True)\n    while True: pass",
], ids=["many short calls", "one call that does not end"])
def test_ctrl_c_stops_a_run(body):
    code = (
        "import signal, time, numpy as np, evident\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # tests in the background ignore it
        "calls = []\n"
        "def slow(t):\n"
        "    calls.append(1)\n"
        f"    {body}\n"
        "    return -np.sum(t**2, axis=1)\n"
        "try:\n"
        "    evident.compare([evident.Model('m', {'x': 'normal(0, 1)'}, slow)], particles=10**6, threads=1)\n"
        "except KeyboardInterrupt:\n    print('stopped', flush=True)\n"
        "print(evident.compare([evident.Model('m', {'x': 'normal(0, 1)'}, lambda t: -t[:, 0]**2)], particles=100)[0].name)\n")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    watchdog = threading.Timer(100, process.kill)
    watchdog.start()
    assert process.stdout.readline() == "go\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    watchdog.cancel()
    assert (out, process.returncode) == ("stopped\nm\n", 0), err  # and the next run works


def test_direct_calls_raise_too():
    def broken(theta):
        raise Odd("here")

    core = evident.Model("m", {"x": "normal(0, 1)"}, broken)._build()
    for _ in range(2):
        with pytest.raises(Odd):
            core.log_likelihood(np.zeros((3, 1)))
    with pytest.raises(evident.InputError, match="2 columns, the model has 1"):
        core.log_likelihood(np.zeros((3, 2)))


LENGTH = int(os.environ.get("EVIDENT_LEAK_LENGTH", "1"))  # 20: ten thousand exceptions, and runs enough


def repeat(once, count):
    """Memory stays where it is after the first few."""
    for _ in range(max(5, count // 10)):
        once()
    before = memory()
    for _ in range(count):
        once()
    grown = memory() - before
    print(f"{count} times: {grown / 1e6:.2f} MB")
    assert grown < 4e6


def memory():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_exceptions_do_not_leak():
    def broken(theta):
        raise Odd("x" * 1000)

    def once():
        with pytest.raises(Odd):
            quick(broken)

    repeat(once, 500 * LENGTH)


def test_runs_do_not_leak():
    repeat(lambda: quick(lambda t: -t[:, 0] ** 2), 20 * LENGTH)


def test_a_function_that_knows_its_own_result_is_freed():
    import gc
    import weakref

    class Mark:
        pass

    def once():
        kept = {"mark": Mark()}
        function = lambda t: -t[:, 0] ** 2 * (1 if kept else 0)  # noqa: E731
        kept["result"] = quick(function)
        return weakref.ref(kept["mark"])

    mark = once()
    gc.collect()
    assert mark() is None


def test_other_threads_of_python_go_on():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    during, deadline = 0, time.monotonic() + 60
    while during <= 3 and time.monotonic() < deadline:  # a busy machine may let nothing but the run go on for a while
        before = len(ticks)
        quick(lambda t: -t[:, 0] ** 2)
        during += len(ticks) - before
    stop.set()
    thread.join()
    assert during > 3


def test_options_are_called_what_they_are_here(tmp_path):
    file = tmp_path / "study.toml"
    file.write_text('[[model]]\nname = "m"\nkind = "process"\ncommand = ["true"]\n[model.parameters]\nmu = "normal(0, 1)"\n')
    with pytest.raises(evident.InputError, match="add allow_code=True$"):
        evident.compare(file)
    with pytest.raises(evident.InputError, match="^replicates= has no effect with islands=, which are the runs then"):
        evident.compare(file, replicates=2, islands=4)
    with pytest.raises(evident.InputError, match='^only="n": .*study.toml has no model of that name; it has m$'):
        evident.compare(file, only=["n"])
    with pytest.raises(evident.InputError, match="remove islands=0$"):
        line = {"name": "m", "parameters": {"mu": "normal(0, 5)"}, "likelihood": {"y": "normal(mu, 1)"}}
        evident.compare({"model": [line]}, data={"y": [1, 2]}, islands=0, precision=0.1)


@pytest.mark.parametrize("returned, words", [
    (lambda x: np.ma.masked_greater(-x[:, 0] ** 2, -0.5), "masked array"),
    (lambda x: np.array(["2020-01-01"] * len(x), dtype="datetime64[D]"), r"datetime64\[D\]"),
    (lambda x: np.zeros(len(x), dtype="timedelta64[D]"), r"timedelta64\[D\]"),
    (lambda x: np.array(["1.5"] * len(x)), "<U3"),
    (lambda x: ["1.5"] * len(x), "<U3"),
    (lambda x: np.array(["1.5"] * len(x), dtype=object), "objects of type str"),
    (lambda x: np.zeros(len(x), dtype=[("a", float)]), r"\[\('a', '<f8'\)\]"),
    (lambda x: -x[:, 0] ** 2 + 0j, "complex128"),
])
def test_values_that_are_no_numbers_are_refused(returned, words):
    with pytest.raises(TypeError, match="the log likelihood is .*" + words):
        quick(returned)


@pytest.mark.parametrize("value, words", [("1.5", "<U3"), (np.datetime64("2020-01-01"), "datetime64"), (np.ma.masked, "masked array")])
def test_scalar_values_that_are_no_numbers_are_refused(value, words):
    with pytest.raises(TypeError, match=words):
        evident.compare([evident.Model("m", {"x": "normal(0, 1)"}, lambda x: value, vectorized=False)], particles=200, islands=2)


@pytest.mark.parametrize("kind", [list, tuple, np.float32, object, "int64"])
def test_other_numbers_are_taken(kind):
    def function(x):
        values = np.round(-x[:, 0] ** 2)
        return kind(values) if kind in (list, tuple) else values.astype(kind)

    assert np.isfinite(quick(function)["m"].log_evidence)


def test_an_infinite_likelihood_ends_with_an_error():
    with pytest.raises(evident.RunError, match=r"the log likelihood is \+inf at x = "):
        quick(lambda x: np.where(x[:, 0] > 1, np.inf, 0.0))


def test_a_likelihood_that_is_nan_is_called_so():
    with pytest.raises(evident.RunError, match="NaN"):
        quick(lambda x: np.full(len(x), np.nan), nan_limit=1)


@pytest.mark.parametrize("arguments", [{"observations": -1}, {"observations": 2**70}, {"observations": "x"}])
def test_counts_are_checked(arguments):
    with pytest.raises(ValueError, match="observations must be a whole number from 0"):
        evident.Model("m", {"x": "normal(0, 1)"}, len, **arguments)


def test_too_many_threads():
    with pytest.raises(evident.InputError, match="threads= must be between 0 and 1024, was 100000"):
        quick(lambda x: -x[:, 0] ** 2, threads=100000)


def test_other_kinds_of_arguments_do_not_reach_the_binding():
    """A path may be bytes, and an answer to yes or no anything."""
    with pytest.raises(evident.InputError, match="nowhere.toml: cannot be opened"):
        evident.study_models(b"nowhere.toml", allow_code=1)
    with pytest.raises(evident.InputError, match="nowhere.toml: cannot be opened"):
        evident.compare("nowhere.toml", only=[3], allow_outside="yes")
