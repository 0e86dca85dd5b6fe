"""A headless Chromium to drive by the WebDriver protocol: pages are opened, scripts run in them, keys pressed.

In go URLs, scripts and CSS selectors, out come JSON values. Needs `chromedriver` and `chromium`, nothing else.
"""

from __future__ import annotations

import base64
import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

READY = 30.0  # seconds that the driver may take to start
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
LOGS = {"browser": "ALL"}


class Browser:
    """One window. Close it, or the driver stays."""

    def __init__(self, *flags: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._at = f"http://127.0.0.1:{port}"
        self._driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL)
        self._await()
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": [*FLAGS, *flags]}, "goog:loggingPrefs": LOGS}
        session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{session['sessionId']}"

    def close(self) -> None:
        try:
            self._ask("DELETE", self._session)
        finally:
            self._driver.terminate()
            self._driver.wait()

    def open(self, path: Path) -> None:
        self._do("url", url=path.absolute().as_uri())

    def run(self, script: str, *arguments: Any) -> Any:
        """What the body of a function returns."""
        return self._do("execute/sync", script=script, args=list(arguments))

    def press(self, selector: str, keys: str) -> None:
        element = self._do("element", using="css selector", value=selector)[ELEMENT]
        self._do(f"element/{element}/value", text=keys)

    def console(self) -> list[str]:
        """What was logged since the last question, errors and refusals of the page's policy included."""
        return [entry["message"] for entry in self._do("se/log", type="browser")]

    def resize(self, width: int, zoom: int = 1) -> None:
        """A window of that many CSS pixels across, each `zoom` pixels of the screen wide."""
        metrics = {"width": width, "height": 900, "deviceScaleFactor": zoom, "mobile": False}
        self._do("goog/cdp/execute", cmd="Emulation.setDeviceMetricsOverride", params=metrics)

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._ask("GET", f"{self._session}/screenshot")))

    def _do(self, command: str, **arguments: Any) -> Any:
        return self._ask("POST", f"{self._session}/{command}", arguments)

    def _await(self) -> None:
        until = time.monotonic() + READY
        while True:
            try:
                if self._ask("GET", "/status")["ready"]:
                    return
            except urllib.error.URLError:
                if time.monotonic() > until:
                    raise
            time.sleep(0.05)

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._at + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None
