#!/usr/bin/env python3
"""Attacks a gateway (`proctor record --upstream`) from a page whose name was rebound to it, in each browser of this machine.

    Tests/Browser/gateways.py PROGRAM [--browser firefox]

Behind the gateway stands a server that answers only where Host is its own, as development servers do. A page of another
name whose address has become the gateway's must not read it. A page of localhost must, or the other would prove nothing.
"""

import argparse
import http.server
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading

import browsers
from middle import Middle, reply

PATIENCE = 40
SECRET = "s3cret"
PAGE = """<!doctype html><title>attack</title><script>
fetch("/secret").then((answer) => answer.text(), (error) => "failed: " + error)
  .then((text) => fetch("/outcome?" + encodeURIComponent(text)));
</script>"""


class Guarded(http.server.BaseHTTPRequestHandler):
    """A server that a page of a rebound name could not read without the gateway."""

    def do_GET(self):
        own = self.headers["Host"] == "127.0.0.1:%d" % self.server.server_address[1]
        self.wfile.write(reply(SECRET if own else "another Host", "text/plain"))

    def log_message(self, *_):
        pass


def gateway(program, port, folder):
    child = subprocess.Popen(
        [program, "record", "--upstream", f"http://127.0.0.1:{port}", "--port", "0", "--output", f"{folder}/recorded.yaml"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
    line = child.stdout.readline()
    found = re.search(r"at http://127\.0\.0\.1:(\d+)", line)
    if not found:
        child.kill()
        raise SystemExit(f"gateways: record did not begin: {line}")
    return child, int(found[1])


def read_by(browser, program, name):
    """What a page of that name has read through the gateway; nothing where it never told."""
    outcomes = queue.Queue()
    upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Guarded)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        child, port = gateway(program, upstream.server_address[1], folder)

        def answer(path, fields):
            if path == "/attack":
                return reply(PAGE, "text/html")
            return reply("", "text/plain") if path in ("/outcome", "/favicon.ico") else None

        class Relay(Middle):
            def answer(self, client, lines, rest):
                if found := re.match(r"GET (?:http://[^/]*)?/outcome\?(\S*)", lines[0]):
                    outcomes.put(found[1])
                super().answer(client, lines, rest)

        relay, proxy = Relay(port, answers=answer), Middle()
        try:
            browser.open(f"http://{name}:{relay.own_port}/attack", proxy.own_port)
            return outcomes.get(timeout=PATIENCE)
        except queue.Empty:
            return f"nothing came within {PATIENCE} s; the browser has said: {browser.said()}"
        finally:
            browser.close()
            relay.close()
            proxy.close()
            child.send_signal(signal.SIGINT)
            child.wait(PATIENCE)
            upstream.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the binary of proctor")
    parser.add_argument("--browser", action="append", choices=browsers.ALL, help="which must be there; may be repeated")
    options = parser.parse_args()
    chosen = [one for name, one in browsers.ALL.items() if one.program() and name in (options.browser or browsers.ALL)]
    if not chosen:
        raise SystemExit("gateways: there is no browser; Scripts/install-packages.sh pages installs three")
    failed = 0
    for browser in chosen:
        for name, is_permitted in [(browsers.REBOUND, False), ("localhost", True)]:
            text = read_by(browser(), os.path.abspath(options.program), name)
            is_wanted = text == SECRET if is_permitted else SECRET not in text and "another%20machine" in text
            failed += not is_wanted
            print(f"  {'✓' if is_wanted else '✗'} {browser.name}: a page of {name}" + ("" if is_wanted else f" has read {text[:400]!r}"), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
