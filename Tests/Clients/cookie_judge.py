#!/usr/bin/env python3
"""What http.cookiejar, or curl, makes of Set-Cookie fields: one JSON object a line in, one a line out.

A line in is {"field": BASE64, "set": URL, "asks": [URL, ...]}: the field comes from the first URL, and then each of the
others is asked for, by a client that knew no cookie before. A line out is {"cookies": [BASE64 or null, ...]}: the Cookie
field of each of these requests. Nothing leaves the machine: curl is told where every host stands, cookiejar sends nothing.
"""

import base64
import concurrent.futures
import email.message
import http.cookiejar
import json
import os
import pathlib
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.request


def encoded(value):
    return None if value is None else base64.b64encode(value).decode()


class Reply:
    """As much of a response as a cookie jar looks at."""

    def __init__(self, field):
        self.message = email.message.Message()
        self.message["Set-Cookie"] = field

    def info(self):
        return self.message


def ask_cookiejar(case):
    jar = http.cookiejar.CookieJar()
    field = base64.b64decode(case["field"]).decode("latin-1")
    jar.extract_cookies(Reply(field), urllib.request.Request(case["set"]))
    cookies = []
    for url in case["asks"]:
        request = urllib.request.Request(url)
        jar.add_cookie_header(request)
        value = request.get_header("Cookie")
        cookies.append(None if value is None else value.encode("latin-1"))
    return cookies


class Server(socketserver.ThreadingTCPServer):
    """Answers by the X-Case and X-Step fields of a request, and keeps its Cookie field."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, cases, seen, context=None):
        self.cases, self.seen, self.context = cases, seen, context
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        connection, peer = super().get_request()
        connection.settimeout(60)
        return connection, peer

    def handle_error(self, request, client_address):
        pass


class Handler(socketserver.StreamRequestHandler):
    def setup(self):
        if self.server.context:
            self.request = self.server.context.wrap_socket(self.request, server_side=True)
        super().setup()

    def handle(self):
        while self.rfile.readline(65536).strip():
            fields = {}
            while line := self.rfile.readline(65536).rstrip(b"\r\n"):
                name, _, value = line.partition(b":")
                fields[name.lower()] = value[1:] if value.startswith(b" ") else value
            case, step = int(fields[b"x-case"]), int(fields[b"x-step"])
            reply = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"
            if step < 0:
                reply += b"Set-Cookie: " + base64.b64decode(self.server.cases[case]["field"]) + b"\r\n"
            else:
                self.server.seen[case][step] = fields.get(b"cookie")
            self.wfile.write(reply + b"\r\n")


def self_signed_context(folder):
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=cookies.test", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def curl_configuration(case, number, plain_port, secure_port):
    """One transfer for each URL, all with one cookie engine that begins empty."""
    parts = []
    for step, url in enumerate([case["set"]] + case["asks"]):
        parts.append("\n".join([
            f'url = "{url}"', 'cookie = ""', "silent", "globoff", "path-as-is", "insecure", f'output = "{os.devnull}"',
            f'header = "X-Case: {number}"', f'header = "X-Step: {step - 1}"', "max-time = 60",
            f'connect-to = ":80:127.0.0.1:{plain_port}"', f'connect-to = ":443:127.0.0.1:{secure_port}"']))
    return "\nnext\n".join(parts) + "\n"


def ask_curl(cases):
    seen = [[None] * len(case["asks"]) for case in cases]
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with tempfile.TemporaryDirectory() as name:
        plain = Server(cases, seen)
        secure = Server(cases, seen, self_signed_context(pathlib.Path(name)))
        ports = plain.server_address[1], secure.server_address[1]

        def ask(number):
            done = subprocess.run(
                ["curl", "-q", "--config", "-"], input=curl_configuration(cases[number], number, *ports).encode(),
                capture_output=True, env=environment, timeout=120)
            return done.returncode, done.stderr.decode(errors="replace")

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for number, (status, errors) in enumerate(pool.map(ask, range(len(cases)))):
                if status != 0:
                    sys.exit(f"curl ended with {status} for line {number + 1}: {errors}")
        plain.shutdown()
        secure.shutdown()
    return seen


def main():
    if sys.argv[1:] not in (["cookiejar"], ["curl"]):
        sys.exit("usage: cookie_judge.py cookiejar|curl < LINES")
    cases = [json.loads(line) for line in sys.stdin if line.strip()]
    answers = map(ask_cookiejar, cases) if sys.argv[1] == "cookiejar" else ask_curl(cases)
    for cookies in answers:
        print(json.dumps({"cookies": [encoded(value) for value in cookies]}))


if __name__ == "__main__":
    main()
