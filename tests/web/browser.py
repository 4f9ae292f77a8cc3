"""A headless Chromium, driven over a pipe with the DevTools protocol; the standard library is enough for that.

    with Browser() as browser:
        page = browser.open("report.html", width=1200, dark=False)
        page.run("document.title")
        page.click(100, 200)
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self, seconds=60):
        program = os.environ.get("EVIDENT_BROWSER") or next(filter(None, map(shutil.which, PROGRAMS)), None)
        if not program:
            raise BrowserError(f"no browser found; looked for {', '.join(PROGRAMS)} (see [test] in tools/packages)")
        self.seconds, self.last_id, self.rest, self.events = seconds, 0, b"", []
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        # The protocol's pipes are descriptors 3 and 4 of the browser; the shell puts them there.
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
                 "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
                 "--force-color-profile=srgb", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}"]
        line = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(["/bin/bash", "-c", line, program, *flags], pass_fds=(to_browser, from_browser),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (BrowserError, OSError):
            pass
        os.close(self.write_end)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read_end)
        self.profile.cleanup()

    def call(self, method, session=None, **params):
        """Sends a command and waits for its result; events that come meanwhile are kept."""
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + self.seconds
        while True:
            answer = self.read(end)
            if answer is None:
                raise BrowserError(f"no answer to {method} within {self.seconds} s")
            if answer.get("id") != self.last_id:
                self.events.append(answer)
            elif "error" in answer:
                raise BrowserError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def read(self, end):
        """The next message, or None when there is none before `end`."""
        while b"\0" not in self.rest:
            if not select.select([self.read_end], [], [], max(0, end - time.monotonic()))[0]:
                return None
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise BrowserError("the browser ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def wait_event(self, method, session):
        end = time.monotonic() + self.seconds
        while not any(e.get("method") == method and e.get("sessionId") == session for e in self.events):
            event = self.read(end)
            if event is None:
                raise BrowserError(f"no {method} within {self.seconds} s")
            self.events.append(event)

    def open(self, file, **options):
        return Page(self, Path(file).resolve().as_uri(), **options)


class Page:
    """One tab. `problems` are console errors, exceptions and broken security policies; `requests` what it tried to load."""

    def __init__(self, browser, url, width=1200, height=900, dark=False, script=True):
        self.browser = browser
        self.events_before = len(browser.events)
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Performance.enable", timeDomain="threadTicks")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Page.navigate", url=url)
        browser.wait_event("Page.loadEventFired", self.session)
        if script:
            self.draw()

    def draw(self):
        """Two frames later, what the page draws after its layout is there."""
        self.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))")

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    @property
    def seconds(self):
        """Processor time of the page so far; the clock on the wall would count what other programs do."""
        metrics = {m["name"]: m["value"] for m in self.call("Performance.getMetrics")["metrics"]}
        return metrics["TaskDuration"]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def run(self, expression):
        """The value of a JavaScript expression, awaited."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise BrowserError(f"{expression}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def hover(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.draw()

    def key(self, name):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def place(self, selector):
        """The rectangle of an element after it was scrolled into view: x, y, width, height."""
        return self.run(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center"}}); const r = e.getBoundingClientRect();
            return [r.x, r.y, r.width, r.height]; }})()""")

    def screenshot(self, file, whole=True):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        Path(file).write_bytes(base64.b64decode(data))

    def pdf(self, file):
        data = self.call("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)["data"]
        Path(file).write_bytes(base64.b64decode(data))

    def _events(self, *methods):
        return [e for e in self.browser.events[self.events_before:]
                if e.get("sessionId") == self.session and e["method"] in methods]

    @property
    def problems(self):
        self.run("1")  # events that are on their way come before the answer
        found = [e["params"]["exceptionDetails"].get("exception", {}).get("description", "exception")
                 for e in self._events("Runtime.exceptionThrown")]
        found += [e["params"]["entry"]["text"] for e in self._events("Log.entryAdded")
                  if e["params"]["entry"]["level"] in ("error", "warning")]
        found += [str(e["params"]["args"]) for e in self._events("Runtime.consoleAPICalled")
                  if e["params"]["type"] in ("error", "warning", "assert")]
        return found

    @property
    def requests(self):
        return [e["params"]["request"]["url"] for e in self._events("Network.requestWillBeSent")]
