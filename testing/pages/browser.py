# SPDX-License-Identifier: BSD-3-Clause
"""A browser without a window: Chromium, driven by its DevTools protocol over two pipes.
usage: browser.py BROWSER PAGE PICTURE [--width N] [--height N] [--dark] [--print]   takes a picture of a page"""
import base64
import contextlib
import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

# Chromium reads commands from the descriptor 3 and writes answers to 4. The shell moves the pipes there.
START = 'exec "$0" "$@" 3<&"$FROM_US" 4>&"$TO_US"'
OPTIONS = ("--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
           "--no-first-run", "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
           "--force-color-profile=srgb", "--use-mock-keychain")


class Browser(contextlib.AbstractContextManager):
    def __init__(self, program, seconds=60):
        self.seconds, self.events, self.number, self.received = seconds, [], 0, b""
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        from_us, self.commands = os.pipe()
        self.answers, to_us = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", START, program, *OPTIONS, f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=(from_us, to_us), env={**os.environ, "FROM_US": str(from_us), "TO_US": str(to_us)},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.session = None
        pages = [x for x in self("Target.getTargets")["targetInfos"] if x["type"] == "page"]
        self.session = self("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log", "Network":
            self(f"{domain}.enable")
        self("Performance.enable", timeDomain="threadTicks")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.folder.cleanup()

    def message(self, until):
        """Returns the next message of the browser."""
        while b"\0" not in self.received:
            ready, _, _ = select.select([self.answers], [], [], max(0, until - time.monotonic()))
            part = os.read(self.answers, 1 << 20) if ready else b""
            if not part:
                raise RuntimeError("the browser does not answer")
            self.received += part
        text, self.received = self.received.split(b"\0", 1)
        return json.loads(text)

    def __call__(self, method, **parameters):
        """Returns the result of a command. Events that arrive before are kept."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        until = time.monotonic() + self.seconds
        while True:
            message = self.message(until)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def wait_for(self, event):
        """Waits for an event, which may have arrived already."""
        until = time.monotonic() + self.seconds
        while not any(x.get("method") == event for x in self.events):
            self.events.append(self.message(until))

    def media(self, kind="screen", scheme="light"):
        self("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def window(self, width, height):
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, page):
        """Opens a file, and waits until its scripts have drawn it."""
        self.events.clear()
        self("Page.navigate", url=pathlib.Path(page).resolve().as_uri())
        self.wait_for("Page.loadEventFired")

    def work(self):
        """Returns the seconds of a processor, since the first page, in which pages were parsed, run and laid out."""
        return {x["name"]: x["value"] for x in self("Performance.getMetrics")["metrics"]}["TaskDuration"]

    def value(self, script):
        """Returns the value of an expression of JavaScript."""
        found = self("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"].get("exception", {}).get("description", script))
        return found["result"].get("value")

    def press(self, key, code=None):
        for kind in ("rawKeyDown", "keyUp"):
            self("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, windowsVirtualKeyCode=KEYS.get(key, 0))

    def complaints(self):
        """Returns what the page has written to the console, its errors, and its requests to a network."""
        found = []
        for event in self.events:
            name, what = event.get("method"), event.get("params", {})
            if name == "Runtime.exceptionThrown":
                found.append(what["exceptionDetails"].get("exception", what["exceptionDetails"]))
            elif name == "Runtime.consoleAPICalled" or name == "Log.entryAdded":
                found.append(what)
            elif name == "Network.requestWillBeSent" and not what["request"]["url"].startswith(("file:", "data:")):
                found.append(what["request"]["url"])
        return found

    def picture(self, file, whole=True):
        clip = {}
        if whole:
            size = self("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}
        image = self("Page.captureScreenshot", captureBeyondViewport=whole, **clip)
        pathlib.Path(file).write_bytes(base64.b64decode(image["data"]))


KEYS = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39}


def main(program, page, picture, *options):
    number = {name: int(options[options.index(name) + 1]) if name in options else default
              for name, default in (("--width", 1200), ("--height", 900))}
    with Browser(program) as browser:
        browser.window(number["--width"], number["--height"])
        browser.media("print" if "--print" in options else "screen", "dark" if "--dark" in options else "light")
        browser.open(page)
        browser.picture(picture, whole="--height" not in options)
        for complaint in browser.complaints():
            print(complaint)


if __name__ == "__main__":
    main(*sys.argv[1:])
