"""Browsers of this machine, each started at a URL with a profile of its own, and ended with all its processes."""

import glob
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

REBOUND = "rebound.test"


class Browser:
    """A browser without a driver: it opens a URL, and the page reports what it finds."""

    name = ""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="proctor-browser-"))
        self.output = open(self.folder / "output", "w+")
        self.child = None

    def open(self, url, proxy):
        """`proxy` is the port of a proxy that leads every name to loopback."""
        home = {"HOME": self.folder, "XDG_RUNTIME_DIR": self.folder}
        home |= {f"XDG_{kind}_HOME": self.folder / kind for kind in ("CACHE", "CONFIG", "DATA")}
        self.child = subprocess.Popen(
            self.command(url, proxy), env={**os.environ, **home, **self.variables}, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)  # fmt: skip

    def close(self):
        if self.child:
            # A wrapper ends what it has started only where it gets the chance.
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(self.child.pid, number)
                    self.child.wait(5)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    pass
        self.output.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def said(self):
        """The end of what the browser has printed."""
        self.output.flush()
        return pathlib.Path(self.output.name).read_text(errors="replace")[-2000:]

    variables = {}


class Chromium(Browser):
    name = "chromium"

    @staticmethod
    def program():
        return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

    def command(self, url, proxy):
        flags = ["--headless=new", "--disable-gpu", "--no-first-run", "--disable-popup-blocking", "--disable-background-networking"]
        flags += [f"--user-data-dir={self.folder}/profile", f"--proxy-server=http://127.0.0.1:{proxy}"]
        # Its own sandbox does not start for root, as in containers.
        flags += ["--no-sandbox"] if os.geteuid() == 0 else []
        return [self.program(), *flags, url]


class Firefox(Browser):
    name = "firefox"

    @staticmethod
    def program():
        return os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")

    def command(self, url, proxy):
        profile = self.folder / "profile"
        profile.mkdir()
        settings = {
            "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": proxy,
            "dom.disable_open_during_load": False, "browser.shell.checkDefaultBrowser": False, "app.update.enabled": False,
            "datareporting.policy.dataSubmissionEnabled": False, "network.captive-portal-service.enabled": False,
        }  # fmt: skip
        lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in settings.items()]
        (profile / "user.js").write_text("".join(lines))
        return [self.program(), "--headless", "--no-remote", "--profile", profile, url]


class WebKit(Browser):
    """WebKitGTK, by its small browser, which needs a display."""

    name = "webkit"
    # Its sandbox needs namespaces that containers do not give.
    variables = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"}

    @staticmethod
    def program():
        places = sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))
        return places[-1] if places and shutil.which("xvfb-run") else None

    def command(self, url, proxy):
        flags = ["--javascript-can-open-windows-automatically=true", f"--proxy=http://127.0.0.1:{proxy}"]
        return ["xvfb-run", "-a", self.program(), *flags, url]


ALL = {one.name: one for one in (Chromium, Firefox, WebKit)}
