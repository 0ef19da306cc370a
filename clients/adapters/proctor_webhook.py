"""What the adapters of libraries that verify webhooks share: the listener, the handling of an event once, and the end.

The URL of a step is asked by POST, with JSON that says where the listener is: `url` for events, and `end`, which the server asks when
nothing more follows. The fragment of the URL, which never goes on the wire, has the settings of the application:

  form      whose signatures the events have: github, stripe, standard, svix or slack
  secret    the key of the signatures

An event that the library accepts is handled once by its `id`: the client sends a POST to `/effects/ID` of the server, and answers 204 when that is
done. What the library refuses is answered with 400.
"""

import contextlib
import http.server
import json
import threading
import urllib.parse

from proctor_python import Library, Load, import_library

CONTENT_LIMIT = 1 << 20
PATIENCE = 20


class Refused(Exception):
    """The library does not accept the event."""


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, load):
        super().__init__(("127.0.0.1", 0), Handler)
        self.load, self.handled, self.lock, self.is_over = load, set(), threading.Lock(), threading.Event()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.server_port}"

    def handle_event(self, content, fields):
        """Raises Refused; an event whose id was handled is accepted and left alone."""
        self.load.verify(content, fields)
        event = json.loads(content)["id"]
        with self.lock:
            if event not in self.handled:
                self.handled.add(event)
                self.load.handle(event)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        content = self.content()
        if content is None:
            return
        if self.path == "/end":
            self.answer(204)
            self.server.is_over.set()
            return
        try:
            self.server.handle_event(content, dict(self.headers.items()))
        except Refused as error:
            self.answer(400, str(error))
        else:
            self.answer(204)

    def content(self):
        """The content, or None where it broke off or is too long, which is answered where it can be."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            content = b""
            while size := int(self.rfile.readline(100).split(b";")[0] or b"0", 16):
                if len(content) + size > CONTENT_LIMIT:
                    return self.answer(413)
                content += self.rfile.read(size)
                self.rfile.readline(100)
            self.rfile.readline(100)
            return content
        length = int(self.headers.get("Content-Length", 0))
        if length > CONTENT_LIMIT:
            return self.answer(413)
        content = self.rfile.read(length)
        if len(content) == length:
            return content
        self.close_connection = True

    def answer(self, status, text=""):
        self.close_connection = True
        with contextlib.suppress(OSError):  # the sender may have left
            self.send_response(status)
            self.send_header("Connection", "close")
            if status != 204:
                self.send_header("Content-Type", "text/plain; charset=utf-8")
                self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode() if status != 204 else b"")

    def log_message(self, *_):
        pass


class WebhookLoad(Load):
    def __init__(self, *parts):
        super().__init__(*parts)
        self.url, _, fragment = self.step["url"].partition("#")
        self.settings = dict(urllib.parse.parse_qsl(fragment))
        self.origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(self.url))

    def verify(self, content, fields):
        """Raises Refused where the library does not accept the content with these fields."""
        raise NotImplementedError

    def handle(self, event):
        self.session.post(f"{self.origin}/effects/{urllib.parse.quote(event)}", timeout=10).raise_for_status()

    def perform(self):
        # Some libraries take seconds to be read, which no event should wait for.
        import_library(self.adapter.module, self.adapter.package)
        with Listener(self) as self.listener:
            listener = self.listener
            serving = threading.Thread(target=listener.serve_forever, args=(0.05,), daemon=True)
            serving.start()
            try:
                place = {"url": listener.base + "/hook", "end": listener.base + "/end"}
                answer = self.session.post(self.url, json=place, timeout=20)
                self.head(None, answer.status_code, answer.headers.get)
                self.take(answer.content)
                if answer.ok and not listener.is_over.wait(PATIENCE):
                    raise TimeoutError(f"the server did not ask for {place['end']} within {PATIENCE} s")
            finally:
                listener.shutdown()
                serving.join(5)


class WebhookLibrary(Library):
    """`forms` are those whose signatures the library verifies."""

    forms = ()
    abilities = "webhook redirects addresses"
    facts = ("status", "mime", "bytes", "body", "error", "message")

    def check(self, assignment):
        super().check(assignment)
        for index, step in enumerate(assignment["steps"]):
            form = dict(urllib.parse.parse_qsl(step["url"].partition("#")[2])).get("form")
            if form not in self.forms:
                self.cannot(index, "url", f"verifies webhooks of the form {' or '.join(self.forms)}, and this URL says {form}")

    @contextlib.contextmanager
    def session(self, assignment):
        """The application's own client, by which it registers its listener and handles events."""
        session = import_library("requests", "python3-requests").Session()
        session.trust_env = False
        with session:
            yield session


def find(fields, name):
    """The value of a field, or empty text."""
    return next((value for key, value in fields.items() if key.lower() == name.lower()), "")
