"""A real browser for tests: headless Chromium, driven over its own protocol."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
KEYS = {"ArrowLeft": 37, "ArrowRight": 39}


def wait_for(what: str, ready: Callable[[], Any], seconds: float, pause: float = 0.2) -> Any:
    """Return the first true answer; fail when the time is over."""
    end = time.monotonic() + seconds
    while True:
        found = ready()
        if found:
            return found
        assert time.monotonic() < end, f"{what}: not within {seconds:g} s"
        time.sleep(pause)


class Page:
    """The one page of a browser.

    Attributes
    ----------
    requests
        Addresses that were asked for since ``Network.enable`` was called.
    """

    def __init__(self, address: str) -> None:
        self._socket = pytest.importorskip("websocket").create_connection(address, suppress_origin=True, timeout=60)
        self._sent = 0
        self.requests: list[str] = []

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("method") == "Network.requestWillBeSent":
                self.requests.append(answer["params"]["request"]["url"])
            if answer.get("id") == self._sent:
                assert "error" not in answer, answer
                return dict(answer["result"])

    def evaluate(self, script: str) -> Any:
        """Return the value of an expression of JavaScript."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key])

    def open(self, address: str, width: int) -> None:
        """Go to an address in a window of some width, and wait until all of it is there."""
        self.call("Network.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url="about:blank")
        self.requests.clear()
        self.call("Page.navigate", url=address)
        wait_for(
            address, lambda: self.evaluate(f"location.href === {address!r} && document.readyState") == "complete", 60
        )

    def screenshot(self, file: Path, *, whole: bool = False) -> None:
        """Save what is to be seen, or the whole page."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(shot["data"]))

    def close(self) -> None:
        """Let go of the browser."""
        self._socket.close()


@contextmanager
def browse(address: str, folder: Path) -> Iterator[Page]:
    """Open an address; `folder` is for the browser's own files."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: nothing is tried in a browser")
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
    flags += ["--window-size=1200,800", "--remote-debugging-port=0", f"--user-data-dir={folder}"]
    command = [CHROMIUM, *flags, "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        file = folder / "DevToolsActivePort"
        wait_for("the browser", lambda: file.is_file() and file.read_text().strip(), 60)
        port = int(file.read_text().split()[0])
        page = Page(wait_for("a page", lambda: _page_of(port), 60))
        try:
            page.call("Page.enable")
            page.call("Page.navigate", url=address)
            yield page
        finally:
            page.close()
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)


def _page_of(port: int) -> str | None:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=20) as answer:
        pages = [each for each in json.load(answer) if each["type"] == "page"]
    return str(pages[0]["webSocketDebuggerUrl"]) if pages else None
