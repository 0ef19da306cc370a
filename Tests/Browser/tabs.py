#!/usr/bin/env python3
"""Opens five pages of one run in one browser, and asks whether each goes on to show what happens, and what that costs the server.

    Tests/Browser/tabs.py PROGRAM [--browser firefox]

A browser has six connections to a server over HTTP/1.1, and each page of a run holds one for its events. So with five of them one is
left, by which a further page must still come; and nothing of it may delay a client of the run.
"""

import argparse
import json
import os
import pathlib
import re
import sys
import tempfile
import time

import browsers
from middle import Middle
from server import Server, get, page_of

PATIENCE = 60
PAGES = 5
# MiB over what the server had before, and seconds for one small reply.
MOST_MIB, MOST_SECONDS = 20, 1


def wait(what, holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"tabs: after {PATIENCE} s not {what}")
        time.sleep(0.1)


def private_mib(server):
    text = pathlib.Path(f"/proc/{server.child.pid}/smaps_rollup").read_text()
    return sum(int(count) for count in re.findall(r"^Private_Dirty: +(\d+)", text, re.M)) / 1024


def asked(server):
    """The targets of the requests that belong to no scenario, and the pages that they came from."""
    heads = [line for line in server.lines("shared/journal") if line["ev"] == "requestHead"]
    return [(line["target"], re.search(r"[?]tab=[0-9]", json.dumps(line))) for line in heads]


def holding(server, run):
    """The pages that have asked for the events of the run."""
    return {page[0] for target, page in asked(server) if page and target.startswith(f"/__proctor/runs/{run['run']}/events")}


def measure(browser, program):
    with tempfile.TemporaryDirectory() as folder:
        fixtures = pathlib.Path(folder)
        (fixtures / "it.yaml").write_text("summary: It\nexchanges: [{ request: GET /small, reply: { status: 200, body: small } }]\n")
        server, proxy = Server(program, fixtures=fixtures), Middle()
        run = server.run("it")
        pages = [f"{server.pages}{page_of(run)}?tab={number}" for number in range(PAGES)]
        before = private_mib(server)
        try:
            # The last one has no events.
            browser.urls = [*pages[1:], f"{server.pages}/__proctor/ui/docs"]
            browser.open(pages[0], proxy.own_port)
            wait(f"{PAGES} pages have their events", lambda: len(holding(server, run)) == PAGES)
            wait("the further page has its script", lambda: any("book.js" in target for target, _ in asked(server)))
            slowest = 0
            for _ in range(200):
                begin = time.monotonic()
                get(run, "/small")
                slowest = max(slowest, time.monotonic() - begin)
            mib = private_mib(server) - before
        finally:
            browser.close()
            proxy.close()
            server.stop()
    return slowest, mib


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the binary of proctor")
    parser.add_argument("--browser", default="firefox", choices=browsers.ALL)
    options = parser.parse_args()
    kind = browsers.ALL[options.browser]
    if not kind.program():
        raise SystemExit(f"tabs: {options.browser} is not installed; Scripts/install-packages.sh pages installs it")

    class Tabs(kind):
        """The same browser with further pages beside the first."""

        urls = ()

        def command(self, url, proxy):
            return [*super().command(url, proxy), *self.urls]

    slowest, mib = measure(Tabs(), os.path.abspath(options.program))
    print(f"tabs: {PAGES} pages in {options.browser}: each has its events; the slowest of 200 small replies took {slowest * 1000:.0f} ms, "
          f"and the server {mib:.1f} MiB more")
    sys.exit(1 if slowest > MOST_SECONDS or mib > MOST_MIB else 0)


if __name__ == "__main__":
    main()
