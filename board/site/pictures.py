#!/usr/bin/env python3
"""Takes pictures of the handbook's site for a person to look at, and looks at what a person would not see.

  pictures.py SITE FOLDER

Each page is shown by a headless Chromium as wide as a phone and as a desk, light, some of them dark as well. A page that is wider than its
window, or on which a picture is missing, is reported, and so is a search in the browser that does not find its page. Chromium is driven by
two pipes (--remote-debugging-pipe).
"""
import base64
import functools
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

PAGES = {
    "start": "",
    "features": "owners/features/",
    "boards": "owners/boards/",
    "install": "owners/install/",
    "light": "owners/light-and-button/",
    "screen": "owners/screen/",
    "troubleshooting": "owners/troubleshooting/",
    "fleet": "owners/fleet/",
    "keys": "owners/keys/",
    "help": "owners/help/",
}
DARK = ("start", "boards")
QUESTION, FOUND = "?q=how+do+I+turn+the+screen", "owners/screen/"
# Widths and heights of windows; a page is cut off where it is higher.
VIEWS = {"phone": (390, 1600), "desk": (1280, 1000)}
WAIT_SECONDS = 60


class Browser:
    """A Chromium with one page. Commands are those of the Chrome DevTools Protocol."""

    def __init__(self, profile):
        theirs, self.to_browser = os.pipe()
        self.from_browser, theirs_too = os.pipe()
        options = ["--headless", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        # Chromium's sandbox is for other users than root.
        options += ["--no-sandbox"] if os.geteuid() == 0 else []
        command = ["bash", "-c", f'exec 3<&{theirs} 4>&{theirs_too}; exec chromium "$@"', "chromium", *options]
        self.process = subprocess.Popen(command, pass_fds=(theirs, theirs_too), stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(theirs_too)
        self.number, self.session, self.rest = 0, None, b""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                piece = os.read(self.from_browser, 1 << 20)
                if not piece:
                    sys.exit("pictures.py: Chromium ended")
                self.rest += piece
            text, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"pictures.py: {method}: {answer['error']['message']}")
                return answer["result"]

    def value(self, script):
        return self.ask("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def wait(self, script):
        """Whether the script is true in time."""
        deadline = time.monotonic() + WAIT_SECONDS
        while not self.value(script):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.1)
        return True

    def show(self, address, size, scheme):
        """False when the page does not load in time."""
        # The theme remembers which scheme it has shown.
        self.ask("Page.navigate", url="about:blank")
        self.ask("Storage.clearDataForOrigin", origin="/".join(address.split("/")[:3]), storageTypes="local_storage")
        self.ask("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=size[0] < 600)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("Page.navigate", url=address)
        return self.wait(f"location.href.startsWith({json.dumps(address.split('?')[0])}) && document.readyState == 'complete'")

    def picture(self, path):
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def end(self):
        self.process.terminate()
        self.process.wait()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def faults(browser):
    """What is wrong with the page that is shown."""
    wide = browser.value("document.documentElement.scrollWidth - innerWidth")
    lost = browser.value("[...document.images].filter(one => one.complete && !one.naturalWidth).map(one => one.src).join(' ')")
    return ([f"is {wide} pixels wider than its window"] if wide > 0 else []) + ([f"lacks {lost}"] if lost else [])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    site, folder = sys.argv[1:]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}/"
    wrong = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        for view, size in VIEWS.items():
            for name, place in PAGES.items():
                for scheme in ("light", "dark") if name in DARK else ("light",):
                    if not browser.show(home + place, size, scheme):
                        wrong.append(f"{place} does not load")
                    wrong += [f"{place} on a {view} {fault}" for fault in faults(browser)]
                    browser.picture(os.path.join(folder, f"{view}-{name}-{scheme}.png"))
            browser.show(home + QUESTION, size, "light")
            first = "document.querySelector('.md-search-result__link')"
            if not browser.wait(f"{first} && {first}.href.split('#')[0].split('?')[0].endsWith({json.dumps(FOUND)})"):
                wrong.append(f"{QUESTION} on a {view} does not find {FOUND} first, but {browser.value(f'{first}?.href')}")
            browser.picture(os.path.join(folder, f"{view}-search-light.png"))
        browser.end()
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
