"""A Proctor server: the one that the environment names, or one of our own."""

from __future__ import annotations

import base64
import http.client
import importlib.metadata
import json
import os
import select
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

# pytest shows a failure at the line of the test that asked.
__tracebackhide__ = True
# The shell ends the server when this process is gone, however it ended, since the pipe to its input is closed then.
GUARD = '"$@" & exec >&-; read -r _; kill $! 2>&-; wait'
READY_SECONDS = 30


def program() -> str | None:
    """The program to start: PROCTOR_BINARY, the one that was installed with this package, or `proctor` in PATH; None without any."""
    if named := os.environ.get("PROCTOR_BINARY"):
        return shutil.which(named)
    places = [Path(__file__).parents[1] / "bin/proctor"]
    try:
        files = importlib.metadata.files("proctor-http") or ()
        places = [Path(str(file.locate())) for file in files if file.name == "proctor"] + places
    except importlib.metadata.PackageNotFoundError:
        pass
    return next((str(place) for place in places if place.is_file()), shutil.which("proctor"))


class ProctorError(Exception):
    """The server can't be had, or refuses a call."""


class Server:
    """The control API of a server. `Server()` finds or starts one, and `close()` ends what was started.

    PROCTOR_SERVER (with PROCTOR_TOKEN) is the URL of a running one; otherwise `program()` is started.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pytest-proctor-")
        self._log = Path(self._folder.name, "stderr.txt")
        self._process: subprocess.Popen[bytes] | None = None
        self._connections = threading.local()
        self._trusting = threading.Lock()
        self.token = os.environ.get("PROCTOR_TOKEN", "")
        try:
            self.base = os.environ.get("PROCTOR_SERVER", "").rstrip("/") or self._start()
            if b'"scenarios"' not in self.call("GET", "health"):
                raise ProctorError(f"{self.base} is no Proctor server, but PROCTOR_SERVER names it")
        except BaseException:
            self.close()
            raise

    def _start(self) -> str:
        path = program()
        if path is None:
            named = os.environ.get("PROCTOR_BINARY")
            what = f"PROCTOR_BINARY names '{named}', which is no program" if named else "'proctor' is not in PATH"
            raise ProctorError(f"{what}; set PROCTOR_BINARY to its path, or PROCTOR_SERVER to the URL of a running server")
        command = ["/bin/sh", "-c", GUARD, "sh", path, "serve", "--port", "0", "--own-token", "--ephemeral-ca", "--grace", "0"]
        pipe = subprocess.PIPE
        with self._log.open("wb") as log:
            # A session of its own: ^C is for the tests, which then end the server.
            self._process = subprocess.Popen(command, 0, stdin=pipe, stdout=pipe, stderr=log, start_new_session=True)
        output = self._process.stdout
        line = output.readline() if output and select.select([output], [], [], READY_SECONDS)[0] else b""
        if not line.startswith(b"{"):
            raise ProctorError(f"'{path} serve' has not started in {READY_SECONDS} s, or has ended{self._last_words()}")
        ready = json.loads(line)
        # Other users of the machine reach the port too, and the token keeps them out of what the tests send.
        self.token = str(ready["token"])
        return str(ready["base"])

    def _last_words(self) -> str:
        return "; it said:\n" + self._log.read_text(errors="replace")[-2000:].strip() if self._process else ""

    def call(self, method: str, path: str, body: object = None) -> bytes:
        """Calls `/__proctor/{path}`; what is not text is sent as JSON. Raises ProctorError for any refusal."""
        data = None if body is None else (body if isinstance(body, str) else json.dumps(body, default=_base64)).encode()
        fields = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        url = f"{self.base}/__proctor/{path}"
        try:
            status, answer = self._exchange(method, url, data, fields)
        except (OSError, ValueError, http.client.HTTPException) as error:
            which = "" if self._process else ", which PROCTOR_SERVER names,"
            raise ProctorError(f"the Proctor server at {self.base}{which} does not answer: {error}{self._last_words()}") from None
        if status >= 300:
            raise self._refusal(status, url, answer)
        return answer

    def _exchange(self, method: str, url: str, data: bytes | None, fields: dict[str, str]) -> tuple[int, bytes]:
        """One request on the connection of this thread, which is kept; no proxy is asked, since that is the client's under test."""
        parts = urlsplit(url)
        connection: http.client.HTTPConnection | None = getattr(self._connections, "kept", None)
        if connection is None:
            kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
            connection = self._connections.kept = kind(parts.hostname or "", parts.port, timeout=60)
        # The server may end a connection that was idle; a silence is no such end.
        was_open = connection.sock is not None
        while True:
            try:
                connection.request(method, f"{parts.path}?{parts.query}" if parts.query else parts.path, data, fields)
                reply = connection.getresponse()
                return reply.status, reply.read()
            except (OSError, ValueError, http.client.HTTPException) as error:
                # The next request opens it again.
                connection.close()
                if not was_open or isinstance(error, TimeoutError):
                    raise
                was_open = False

    def _refusal(self, status: int, url: str, answer: bytes) -> ProctorError:
        try:
            told = json.loads(answer)["error"]
        except (ValueError, KeyError, TypeError):
            return ProctorError(f"{self.base} is no Proctor server: it answers {status} to {url}")
        message = str(told["message"]) + (" (PROCTOR_TOKEN holds it here)" if told["code"] == "token-needed" else "")
        if told["code"] == "unknown-scenario":
            message += "\n(scenarios are those in PROCTOR_FIXTURES, or else in the nearest 'fixtures' folder, and Proctor's own)"
        return ProctorError(message)

    def ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Like `call`, for an answer that is a JSON object."""
        return dict(json.loads(self.call(method, path, body)))

    @property
    def trust(self) -> str:
        """The path of a PEM file with the certificate of the server's authority; it is there until `close()`."""
        file = Path(self._folder.name, "ca.pem")
        with self._trusting:
            if not file.exists():
                file.write_bytes(self.call("GET", "ca.pem"))
        return str(file)

    def close(self) -> None:
        """Ends the server, if this process started it."""
        if self._process is not None:
            # A line, and not its end alone: a fork of this process may hold the pipe open.
            self._process.communicate(b"\n", timeout=READY_SECONDS)
        self._folder.cleanup()


def _base64(content: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(content).decode()}
