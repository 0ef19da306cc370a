#!/usr/bin/env python3
"""Uses every page of a server in headless Chromium, as a person does.

    Tests/Browser/pages.py PROGRAM                  all tests (make test-pages)
    Tests/Browser/pages.py PROGRAM --only search    those whose name has the word
    Tests/Browser/pages.py PROGRAM --shots FOLDER   keep a screenshot of every kind of page

Besides what it asks, each test fails when a page writes an error to the console, violates its own policy, or asks any
other host for anything.
"""

import argparse
import contextlib
import http.server
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.parse

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from server import PATIENCE, ROOT, Relay, Server, get, page_of, send

TESTS = []


def test(body):
    TESTS.append(body)
    return body


class Pages:
    """The browser and the server that all tests share."""

    def __init__(self, browser, program, shots):
        self.browser, self.program, self.shots = browser, program, shots
        self.server = Server(program)
        self.base = self.server.pages

    @contextlib.contextmanager
    def page(self, base=None, expects=(), **settings):
        """A page in a context of its own; `expects` are words of console errors that the test is about."""
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings})
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        faults = []
        home = (base or self.base) + "/"
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("response", lambda answer: answer.status >= 400 and faults.append(f"{answer.status}: {answer.url}"))
        page.on("console", lambda line: line.type in ("error", "warning") and faults.append(f"console: {line.text}"))
        page.on("request", lambda request: request.url.startswith((home, "data:", "about:"))
                or faults.append(f"a request elsewhere: {request.url}"))  # fmt: skip
        page.goto = lambda path, goto=page.goto: goto((base or self.base) + path)
        yield page
        context.close()
        wrong = [fault for fault in faults if not any(word in fault for word in expects)]
        assert not wrong, "\n".join(wrong)

    def shot(self, page, name):
        if self.shots:
            page.screenshot(path=str(pathlib.Path(self.shots) / f"{name}.png"), full_page=True)


def address_of(run):
    parts = urllib.parse.urlsplit(run["base"])
    return parts.hostname, parts.port


def count_of(page):
    """How many requests a run's page has seen."""
    return int(page.inner_text("#counts").split(" request")[0].replace(",", ""))


def wait(page, expression, argument=None):
    page.wait_for_function(expression, arg=argument)


# MARK: Catalogue


@test
def the_first_view_is_small_and_draws_from_one_reply(pages):
    with pages.page() as page:
        answer = page.goto("/")
        assert len(answer.body()) < 60_000, f"{len(answer.body())} bytes"
        assert page.locator(".families li").count() > 20
        pages.shot(page, "catalogue")


@test
def search_finds_as_one_types_and_by_form(pages):
    with pages.page() as page:
        page.goto("/")
        page.keyboard.press("/")
        page.keyboard.type("redirect 302 POST")
        page.wait_for_selector("h2:has-text('Found')")
        wait(page, "() => document.querySelectorAll('#found .id a').length > 0 && location.search.includes('POST')")
        ids = page.locator("#found .id a").all_inner_texts()
        assert "redirect/302-post-becomes-get" in ids and len(ids) < 30, ids
        page.select_option("[name=kind]", "observes")
        wait(page, "() => location.search.includes('kind=observes')")
        pages.shot(page, "search")
    with pages.page(java_script_enabled=False) as page:
        page.goto("/")
        page.fill("[name=q]", "stall")
        page.click("text=Find")
        assert page.locator("#found .id a").count() > 3


@test
def a_recording_that_is_dropped_is_edited_and_saved(pages):
    recordings = pathlib.Path(__file__).resolve().parent.parent / "Data" / "imports" / "recordings"
    with pages.page(expects=("400",)) as page:
        page.goto("/")
        page.set_input_files("#recording", recordings / "chromium.har")
        page.wait_for_selector("#draft-text")
        text = page.input_value("#draft-text")
        assert "path: /cart" in text and "session=secret-" in text and "4f9d1c77aa" not in text, text
        assert "the cookie session is secret-" in page.inner_text("#draft .findings")
        page.fill("#draft-text", text.replace("GET /chunks", "GET /renamed"))
        with page.expect_download() as saved:
            page.click("#draft button:text-is('Save')")
        with tempfile.TemporaryDirectory() as folder:
            saved.value.save_as(f"{folder}/scenario.yaml")
            assert "GET /renamed" in pathlib.Path(f"{folder}/scenario.yaml").read_text()
            checked = subprocess.run([pages.program, "check", folder], capture_output=True, text=True, timeout=PATIENCE)
            assert checked.returncode == 0, checked.stdout + checked.stderr
        # Dropping is what the browser makes of a file that is let go over the page.
        page.evaluate(
            """() => {
                const files = new DataTransfer();
                files.items.add(new File(['GET /a HTTP/1.1\\r\\nHost: x\\r\\n\\r\\nHTTP/1.1 204 No Content\\r\\n\\r\\n'], 'a.dump'));
                document.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
            }"""
        )
        wait(page, "() => document.getElementById('draft-text').value.includes('GET /a')")
        page.set_input_files("#recording", {"name": "no.har", "mimeType": "text/plain", "buffer": b"{}"})
        page.wait_for_selector("#state.bad:has-text('no.har: '):has-text('this is no HAR')")
        # What is wrong with a file is told where the reader is: the top of the page, where files are dropped too.
        page.evaluate("window.scrollTo(0, 0)")
        box = page.locator("#state").bounding_box()
        assert 0 <= box["y"] < 900, box
        page.set_input_files("#recording", {"name": "photo.png", "mimeType": "image/png", "buffer": b"x"})
        page.wait_for_selector("#state.bad:has-text('photo.png is no recording by its name')")
        page.click("#draft >> text=Start a run of it")
        page.wait_for_url(lambda url: "/ui/runs/r" in url)


@test
def a_family_and_a_miss_are_pages(pages):
    with pages.page(expects=["404"]) as page:
        page.goto("/redirect")
        assert page.locator("main li .id a").count() > 50
        answer = page.goto("/redirect/302-post-becomes-gte")
        assert answer.status == 404 and "no scenario" in page.inner_text("h1")
        assert "302-post-becomes-get" in page.inner_text("pre")


@test
def a_scenario_is_opened_and_a_run_of_it_started(pages):
    with pages.page() as page:
        page.goto("/?q=302-post-becomes-get")
        page.click("#found .id a >> nth=0")
        assert "A 302 turns POST into GET" in page.inner_text("h1")
        pages.shot(page, "scenario")
        page.click("text=Start a run")
        page.wait_for_url("**/ui/runs/r*")
        page.wait_for_selector(".pill.live")
        run = page.url.rsplit("/", 1)[1]
        assert run in pages.server.runs()
        page.click("text=Delete")
        page.wait_for_selector("text=The run has ended")
        assert run not in pages.server.runs()


@test
def a_case_is_explained_in_words(pages):
    with pages.page() as page:
        page.goto("/redirect/302-post-becomes-get")
        text = page.inner_text("main")
        assert "What the server sees" in text and "the request POST /form" in text, text
        assert "a redirect with status 302" in text and "the end of the load without an error" in text, text


@test
def everything_that_can_be_is_there_without_javascript(pages):
    with pages.page(java_script_enabled=False) as page:
        page.goto("/plain/get")
        page.click("text=Start a run")
        page.wait_for_url("**/ui/runs/r*")
        run = pages.server.call("GET", "runs/" + page.url.rsplit("/", 1)[1])
        get(run, "/hello")
        page.reload()
        assert "GET /hello" in page.inner_text("#still") and "partly" in page.inner_text("#heading")
        assert not page.is_visible("#waiting")
        with page.expect_navigation():
            page.click("text=Begin again")
        assert "GET /hello" not in page.inner_text("#still") and page.is_visible("#waiting")
        page.click("text=Delete")
        page.wait_for_url("**/ui/runs")
        assert run["run"] not in pages.server.runs()


# MARK: A run


@test
def a_request_appears_within_200_milliseconds(pages):
    run = pages.server.run("plain/get")
    with pages.page() as page:
        page.goto(page_of(run))
        page.wait_for_selector(".pill.live")
        # The page notes the clock of the machine when a row comes, so that the driver's own time does not count.
        page.evaluate("""() => {
            window.seen = [];
            new MutationObserver((changes) => {
                for (const change of changes) for (const row of change.addedNodes)
                    if (row.className === "row request") window.seen.push(Date.now());
            }).observe(document.getElementById("log"), { childList: true });
        }""")
        delays = []
        for number in range(1, 8):
            begin = time.time() * 1000
            get(run, "/hello")
            wait(page, "(count) => window.seen.length >= count", number)
            delays.append(page.evaluate("window.seen[window.seen.length - 1]") - begin)
        print(f"    a request appears after {statistics.median(delays):.0f} ms (at most {max(delays):.0f})")
        assert statistics.median(delays) < 200, delays


@test
def a_violation_and_a_verdict_appear(pages):
    run = pages.server.run("plain/get")
    with pages.page() as page:
        page.goto(page_of(run))
        page.wait_for_selector("#heading .mark:has-text('waiting')")
        get(run, "/hello")
        page.wait_for_selector("#heading .mark:has-text('partly')")
        send(run, "GET /hello HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n")
        page.wait_for_selector("#heading .mark:has-text('fail')")
        page.click(".row.fault >> nth=0")
        assert "RFC 9112" in page.inner_text("#details")
        pages.shot(page, "run")
        page.click("text=Begin again")
        page.wait_for_selector("#heading .mark:has-text('waiting')")
        assert page.locator(".row").count() == 0


@test
def a_run_without_a_case_has_no_verdicts_to_show(pages):
    run = pages.server.call("POST", "inline", {"summary": "No case", "exchanges": [{"request": "GET /a", "reply": {"status": 200}}]})
    with pages.page() as page:
        page.goto(page_of(run))
        get(run, "/a")
        page.wait_for_selector("#requests:has-text('GET /a')")
        page.wait_for_selector("#heading .mark:has-text('observed')")
        get(run, "/b")
        page.wait_for_selector("#heading .mark:has-text('fail')")
        page.wait_for_selector(".bad-request details[open] .line:has-text('GET /b')")
        # A status that no exchange gave is not that of a good reply, here as in the list of entries.
        assert "Proctor itself" in page.inner_text(".bad-request summary")
        assert page.locator(".row.reply:not(.own):has-text('404')").count() == 0


@test
def the_bytes_of_a_request_are_shown_as_text_and_in_hex(pages):
    run = pages.server.run("redirect/302-post-becomes-get")
    with pages.page() as page:
        page.goto(page_of(run))
        send(run, "POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1")
        page.click(".row.request:has-text('POST /form')")
        details = page.locator("#details")
        assert "POST /form HTTP/1.1␍␊" in details.inner_text()
        page.click("#details summary")
        page.wait_for_selector("#details pre:has-text('50 4f 53 54 20 2f 66 6f')")


@test
def what_differs_from_what_was_wanted_is_marked(pages):
    run = pages.server.run("redirect/302-post-becomes-get")
    with pages.page() as page:
        page.goto(page_of(run) + "?case=follow")
        send(run, "POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=2")
        send(run, "POST /done HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=2")
        page.wait_for_selector("#heading .mark:has-text('fail')")
        page.click(".notation:has(.difference) > summary >> nth=0")
        page.wait_for_selector(".difference mark")
        page.click(".difference summary >> nth=0")
        assert page.locator(".difference .hex mark").count() > 0
        pages.shot(page, "difference")
        # Another request draws the verdict anew, and what the reader has opened stays open.
        drawn = page.locator(".notation:has(.difference)").first.element_handle()
        get(run, "/nothing")
        page.wait_for_function("(drawn) => !drawn.isConnected", arg=drawn)
        assert page.locator(".notation:has(.difference)").first.get_attribute("open") is not None


@test
def one_of_several_cases_is_chosen_and_the_others_accuse_nobody(pages):
    run = pages.server.call("POST", "inline", {
        "summary": "Two cases",
        "exchanges": [{"request": "GET /a", "reply": {"status": 200, "body": "first\n"}}, {"request": "GET /b", "reply": {"status": 200}}],
        "cases": {name: {"client": {"url": f"/{name}"}, "wire": f"request(GET /{name})"} for name in "ab"}})  # fmt: skip
    with pages.page() as page:
        page.goto(page_of(run))
        page.wait_for_selector("[data-choose=a]:has-text('waiting')")
        get(run, "/a")
        page.wait_for_selector("[data-choose=a]:has-text('pass')")
        page.wait_for_selector("[data-choose=b]:has-text('fail')")
        assert page.locator(".bad-request").count() == 0 and "no case is chosen" in page.inner_text("#heading")
        assert "first" in page.inner_text("#requests summary"), page.inner_text("#requests")
        page.click("[data-choose=b]")
        page.wait_for_selector(".bad-request details[open]")
        # The fault is said once, where the page begins.
        assert page.inner_text("#told .sentence") == "the first request was GET /a; wanted GET /b"
        assert page.inner_text("#page").count("the first request was GET /a; wanted GET /b") == 1
        assert page.inner_text("#requests .number") == "1"
        page.reload()
        page.wait_for_selector("#heading .mark:has-text('fail')")
        page.click("[data-choose=a]")
        page.wait_for_selector("#heading .mark:has-text('pass')")
        wait(page, "() => !document.querySelector('.bad-request')")
        pages.shot(page, "cases")


@test
def a_websocket_and_an_event_stream_are_dialogues(pages):
    run = pages.server.call("POST", "inline", {
        "summary": "A conversation",
        "exchanges": [
            {"request": "GET /talk", "reply": {"websocket": [{"expect": "hello"}, {"send": "world"}, {"expect": "bye"}]}},
            {"request": "GET /events", "reply": {"events": [{"id": 1, "data": "one"}, {"event": "add", "data": "two\nlines"}]}}],
    })  # fmt: skip
    frame = lambda text: bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text.encode()
    handshake = "GET /talk HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    with pages.page() as page:
        page.goto(page_of(run))
        page.wait_for_selector(".pill.live")
        with socket.create_connection(address_of(run)) as client:
            client.sendall(handshake.encode() + frame("hello"))
            page.wait_for_selector("#requests summary:has-text('1 from the server')")
            client.sendall(frame("by"))
            page.wait_for_selector(".talk li.bad-line:has-text('wanted a text message \"bye\", got a text message \"by\"')")
        talk = page.locator("[data-request='0'] .talk li").all_inner_texts()
        assert [" ".join(line.split()) for line in talk[:3]] == ["client text hello", "server text world", "client text by"], talk
        get(run, "/events")
        page.click("[data-request='1'] summary")
        page.wait_for_selector("[data-request='1'] .talk li:has-text('lines')")
        talk = page.locator("[data-request='1'] .talk li").all_inner_texts()
        assert [line.split("\n")[:2] for line in talk] == [["server", "message, id 1"], ["server", "add"]], talk
        assert "2 events" in page.inner_text("[data-request='1'] summary")
        pages.shot(page, "talk")


# Any number of requests is right.
HELLOS = {
    "summary": "Hellos", "exchanges": [{"request": "GET /hello", "reply": {"status": 200, "body": "hello\n"}}],
    "cases": {"get": {"client": {"url": "/hello"}, "wire": "request(GET /hello)+"}}}  # fmt: skip


@test
def many_requests_are_pages_in_the_order_in_which_they_came(pages):
    run = pages.server.call("POST", "inline", HELLOS)
    get(run, "/hello", 121)
    with pages.page() as page:
        page.goto(page_of(run))
        page.wait_for_selector("#requests:has-text('72 to 121 of 121 requests')")
        numbers = lambda: [int(text) for text in page.locator("#requests .number").all_inner_texts()]
        assert numbers() == list(range(72, 122))
        page.click("#requests button:text-is('First')")
        wait(page, "() => document.querySelector('#requests .number').textContent === '1'")
        get(run, "/hello")
        wait(page, "() => document.getElementById('requests').innerText.includes('of 122 requests')")
        assert numbers() == list(range(1, 51))
        page.click("#requests button:text-is('Later')")
        assert numbers() == list(range(51, 101))


@test
def what_failed_stands_first_and_the_others_are_folded_by_what_they_share(pages):
    run = pages.server.call("POST", "inline", HELLOS)
    get(run, "/hello", 61)
    get(run, "/nothing")
    with pages.page() as page:
        page.goto(page_of(run))
        page.wait_for_selector("#heading .mark:has-text('fail')")
        assert page.inner_text("#heading").startswith("inline#get") and "Run r" not in page.inner_text("body")
        page.wait_for_selector(".bad-request details[open] .line:has-text('GET /nothing')")
        assert "Host: x" in page.inner_text(".bad-request pre")
        numbers = lambda: [int(text) for text in page.locator("#requests .number").all_inner_texts()]
        assert numbers() == [62], numbers()
        page.click("text=61 more that were answered by 200")
        wait(page, "() => document.querySelectorAll('.others .number').length === 50")
        get(run, "/hello")
        page.wait_for_selector("text=62 more that were answered by 200")
        # What the reader opened stays open, with its newest page.
        assert numbers()[0] == 62 and numbers()[-1] == 63, numbers()
        pages.shot(page, "failed")
    with pages.page(java_script_enabled=False) as page:
        page.goto(page_of(run))
        assert page.locator("#heading .bad").count() == 1
        assert page.locator(".bad-request details[open]").count() == 1 and "Host: x" in page.inner_text(".bad-request pre")
        assert not page.is_visible(".others .number")
        page.click("text=62 more that were answered by 200")
        assert page.locator(".others .number:visible").count() == 50


@test
def the_line_of_an_empty_run_is_copied_and_comes(pages):
    run = pages.server.run("redirect/302-post-becomes-get")
    with pages.page(permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(page_of(run))
        page.wait_for_selector("[data-choose=follow]:has-text('waiting')")
        assert page.locator("[data-choose]:not(:has-text('waiting'))").count() == 0
        line = page.inner_text("#waiting pre")
        page.click("#waiting button")
        wait(page, "(line) => navigator.clipboard.readText().then((text) => text === line)", line)
        subprocess.run(["bash", "-c", line], capture_output=True, timeout=PATIENCE)
        page.wait_for_selector("#requests .line:has-text('POST /form')")
        assert not page.is_visible("#waiting")


@test
def a_request_is_copied_as_curl_and_comes_again(pages):
    run = pages.server.call("POST", "inline", {
        "summary": "Anything", "exchanges": [{"request": "* /*", "reply": {"status": 200, "body": "ok\n"}}]})  # fmt: skip
    requests = [
        "GET /a%20b?c='d'&e={1} HTTP/1.1\r\nHost: other.example\r\nX-Empty:\r\nX-Quote: it's \"so\" $HOME `x`\r\n\r\n",
        "POST /p HTTP/1.1\r\nHost: x\r\nUser-Agent: mine/1\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\na'b\n@c\\\t\x01",
        "PUT /c HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n@ab\r\n0\r\n\r\n",
        "DELETE /d/../e HTTP/1.1\r\nHost: x\r\n\r\n",
    ]
    with pages.page(permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(page_of(run))
        page.wait_for_selector(".pill.live")
        for number, request in enumerate(requests):
            send(run, request)
            page.wait_for_function("(count) => document.querySelectorAll('.row.request .text').length >= count", arg=1)
            wait(page, "(count) => document.getElementById('counts').textContent.startsWith(count + ' request')", 2 * number + 1)
            page.locator(".row.request:not(:has-text('content of'))").last.click()
            page.click("#as-curl")
            line = page.inner_text("#details .curl pre")
            wait(page, "(line) => navigator.clipboard.readText().then((text) => text === line)", line)
            done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=PATIENCE)
            assert done.stdout.endswith(b"ok\n"), f"{line}\n{done.stdout}{done.stderr}"
            page.check("#follow")
    entries = pages.server.lines(f"runs/{run['run']}/journal")
    heads = [one for one in entries if one["ev"] == "requestHead"]
    contents = [one.get("body", one.get("bodyBase64")) for one in entries if one["ev"] == "requestBody"]
    assert len(heads) == 2 * len(requests), heads
    for first, second in zip(heads[::2], heads[1::2]):
        assert (first["method"], first["target"]) == (second["method"], second["target"])
        meant = lambda head: sorted((name.lower(), value) for name, value in head["fields"])
        assert meant(first) == meant(second), f"{first['fields']}\n{second['fields']}"
    assert contents[::2] == contents[1::2] and len(contents) == 4, contents


@test
def a_scenario_is_made_of_what_was_seen(pages):
    run = pages.server.run("redirect/302-post-becomes-get")
    with pages.page() as page:
        page.goto(page_of(run))
        send(run, "POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1")
        get(run, "/done")
        get(run, "/nothing")
        wait(page, "() => document.getElementById('counts').textContent.startsWith('3 requests')")
        for target in ("POST /form", "GET /done"):
            page.click(f".row.request:has-text('{target}')")
            page.focus("#log")
            page.keyboard.press("x")
        assert page.inner_text("#make-draft") == "Make a scenario of 2"
        # Rows are drawn with the next frame.
        wait(page, "() => document.querySelectorAll('.row.marked').length >= 2")
        page.click("#make-draft")
        text = page.inner_text("#draft-text")
        assert "{{base}}/done" in text and "/nothing" not in text, text
        assert page.evaluate("document.activeElement.id") == "draft-title"
        pages.shot(page, "draft")
        with page.expect_download() as saved:
            page.click("#draft button:text-is('Save')")
        assert saved.value.suggested_filename == "scenario.yaml"
        with tempfile.TemporaryDirectory() as folder:
            saved.value.save_as(f"{folder}/scenario.yaml")
            checked = subprocess.run([pages.program, "check", folder], capture_output=True, text=True, timeout=PATIENCE)
            assert checked.returncode == 0, checked.stdout + checked.stderr
        page.click("#draft >> text=Start a run of it")
        page.wait_for_url(lambda url: "/ui/runs/r" in url and run["run"] not in url)
        made = pages.server.call("GET", "runs/" + page.url.rsplit("/", 1)[1])
        assert b"302" in send(made, "POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1")


def lines_of_http2():
    """A journal of one connection with two streams, as the page gets it."""
    frame = {"ev": "frame", "connection": 0, "by": "client", "flags": [], "stream": 0}
    block = {"ev": "fieldBlock", "connection": 0, "by": "client", "of": "request", "frameCount": 1, "itemCount": 2}
    head = {"ev": "requestHead", "connection": 0, "version": "HTTP/2", "method": "GET", "framing": "none", "fields": [["host", "a"]], "bytes": "x"}
    lines = [{"ev": "connectionOpened", "connection": 0, "origin": "main", "peer": "127.0.0.1:1", "local": "127.0.0.1:2"}]
    lines.append({**frame, "type": "SETTINGS", "byteCount": 6, "offset": 24, "settings": [{"name": "ENABLE_PUSH", "value": 0}]})
    for request, stream in enumerate([1, 3]):
        lines.append({**frame, "type": "HEADERS", "flags": ["END_STREAM", "END_HEADERS"], "stream": stream, "byteCount": 20, "offset": 39 + 29 * request})
        items = [{"name": ":method", "value": "GET", "as": "indexed", "index": 2}, {"nameBase64": "/w==", "value": "v", "as": "never-indexed", "isValueHuffman": True}]
        lines.append({**block, "stream": stream, "byteCount": 20, "items": items})
        lines.append({**head, "request": request, "stream": stream, "target": f"/{stream}"})
    lines.append({**frame, "by": "server", "type": "DATA", "flags": ["END_STREAM"], "stream": 3, "byteCount": 5, "offset": 60})
    lines.append({"ev": "replySent", "connection": 0, "request": 1, "status": 200, "byteCount": 5})
    lines.append({"ev": "frameViolation", "connection": 0, "kind": "wrong-length", "offset": 97, "stream": 1, "frame": "RST_STREAM", "scope": "connection",
                  "code": "FRAME_SIZE_ERROR", "section": "RFC 9113 §6.4", "sentence": "RST_STREAM on stream 1: the payload is wrong"})  # fmt: skip
    return [{"seq": number + 1, "ns": 1_000_000_000 + number * 40_000_000, **line} for number, line in enumerate(lines)]


@test
def frames_of_http2_stand_in_the_lanes_of_their_streams(pages):
    run = pages.server.run("plain/get")
    open_event = 'event: open\ndata: {"server":"1","epoch":0}\n\n'
    messages = "".join(f"event: message\nid: {line['seq']}\ndata: {json.dumps(line)}\n\n" for line in lines_of_http2())
    with pages.page() as page:
        answer = {"status": 200, "content_type": "text/event-stream", "body": open_event + messages + 'event: end\ndata: {"why":"run-ended"}\n\n'}
        page.route(f"**/__proctor/runs/{run['run']}/events*", lambda route: route.fulfill(**answer))
        page.goto(page_of(run))
        page.wait_for_selector(".row.fault")
        # One row for the connection, and one for each stream.
        assert page.evaluate("document.getElementById('lanes').clientHeight") == 22 + 3 * 24 + 4
        assert page.locator(".row .lane").all_inner_texts() == ["#1", "#1"] + ["#1/1"] * 3 + ["#1/3"] * 5 + ["#1/1"]
        texts = page.locator(".row .text").all_inner_texts()
        assert texts[1] == "SETTINGS: 6 bytes, ENABLE_PUSH=0", texts
        assert texts[2] == "HEADERS, stream 1: END_STREAM END_HEADERS, 20 bytes", texts
        assert texts[4] == "GET /1, stream 1", texts
        assert texts[-1].endswith("(RFC 9113 §6.4), answered by GOAWAY FRAME_SIZE_ERROR"), texts
        page.click(".row:has-text('request block, stream 3')")
        assert "stream 3" in page.inner_text("#details")
        cells = page.locator("#details .fields td, #details .fields th").all_inner_texts()
        assert cells == [":method", "GET", "indexed, index 2", "base64 /w==", "v", "never-indexed, value in Huffman code"], cells
        page.click(".row:has-text('GET /3')")
        page.click("text=Copy as curl")
        assert "--http2-prior-knowledge" in page.inner_text(".curl pre")
        # Whatever a mark stands for is told where the pointer is.
        box = page.locator("#lanes").bounding_box()
        told = set()
        for x in range(46, int(box["width"]), 4):
            page.mouse.move(box["x"] + x, box["y"] + 22 + 24 * 1.5)
            told.add(page.get_attribute("#lanes", "title"))
        assert any(title and "HEADERS, stream 1: " in title for title in told), told
        assert any(title and "the payload is wrong" in title for title in told), told
        pages.shot(page, "http2")


@test
def callbacks_that_are_sent_have_lanes_and_a_verdict(pages):
    run = pages.server.run("redirect/302-post-becomes-get")
    send(run, "POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1")
    send(run, "GET /done HTTP/1.1\r\nHost: x\r\n\r\n")
    trace = [
        {"trace": "proctor", "version": 1, "client": "mine", "clock": "monotonic", "lanes": ["task"]},
        {"lane": "task", "ev": "redirect", "arg": "302"}, {"lane": "task", "ev": "response", "arg": "200"},
        {"lane": "task", "ev": "complete", "arg": "ok"},
    ]  # fmt: skip
    for event in trace[1:]:
        event["ns"] = time.monotonic_ns()
    with pages.page() as page:
        page.goto(page_of(run))
        page.wait_for_selector(".row.request")
        pages.server.call_text(f"runs/{run['run']}/grade?case=follow", "\n".join(map(json.dumps, trace)))
        page.wait_for_selector(".row.callback:has-text('redirect(302): a redirect with status 302')")
        page.wait_for_selector(".judged:has-text('3 callbacks that were sent')")
        page.click(".row.callback >> nth=0")
        assert "callback 1, task" in page.inner_text("#details")
        pages.shot(page, "callbacks")


@test
def a_thousand_entries_are_all_there_and_few_are_drawn(pages):
    run = pages.server.run("plain/get")
    with pages.page() as page:
        page.goto(page_of(run))
        page.wait_for_selector(".pill.live")
        get(run, "/hello", 400)
        wait(page, "() => document.getElementById('counts').textContent.startsWith('400 requests')")
        text = page.inner_text("#counts")
        assert "dropped" not in text and "left out" not in text, text
        assert page.locator(".row").count() < 120
        page.fill("#find", "GET /hello")
        page.select_option("#show", "requests")
        wait(page, "() => document.getElementById('counts').textContent.includes('400 found')")


@test
def a_flood_is_thinned_and_does_not_freeze_the_page(pages):
    run = pages.server.run("plain/get")
    with pages.page() as page:
        page.goto(page_of(run))
        page.wait_for_selector(".pill.live")
        page.evaluate("""() => {
            window.longest = 0;
            let last = performance.now();
            const look = (now) => { window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(look); };
            requestAnimationFrame(look);
        }""")
        count = 0
        end = time.monotonic() + 4
        while time.monotonic() < end:
            get(run, "/hello", 500)
            count += 500
        page.wait_for_timeout(1500)
        text, longest = page.inner_text("#counts"), page.evaluate("window.longest")
        print(f"    {count} requests in 4 s: the longest frame took {longest:.0f} ms; {text}")
        assert "dropped" in text or "left out" in text, text
        assert longest < 1000, longest


@test
def a_stream_that_breaks_off_goes_on_where_it_was(pages):
    run = pages.server.run("plain/get")
    relay = Relay(pages.server.port)
    with pages.page(base=relay.base, expects=["net::ERR"]) as page:
        page.goto(page_of(run))
        page.wait_for_selector(".pill.live")
        get(run, "/hello")
        wait(page, "() => document.getElementById('counts').textContent.startsWith('1 request ')")
        relay.cut()
        page.wait_for_selector(".pill.waiting")
        get(run, "/hello", 3)
        relay.mend()
        wait(page, "() => document.getElementById('counts').textContent.startsWith('4 requests')")
        numbers = page.evaluate("[...document.querySelectorAll('.row')].map((row) => Number(row.id.slice(6)))")
        assert sorted(numbers) == list(range(1, len(numbers) + 1)), numbers
    relay.close()


@test
def another_start_of_the_server_is_noticed(pages):
    first = Server(pages.program)
    relay = Relay(first.port)
    with pages.page(base=relay.base, expects=["net::ERR"]) as page:
        page.goto("/__proctor/ui/shared")
        # Those of pages are not shown.
        first.call("GET", "health")
        page.wait_for_selector(".row.request")
        before = page.evaluate("document.querySelectorAll('.row').length")
        seconds = first.stop()
        assert seconds < 5, f"an open stream keeps the server from ending for {seconds:.1f} s"
        second = Server(pages.program)
        relay.mend(second.port)
        wait(page, "() => document.getElementById('connection').textContent === 'live'")
        second.call("GET", "health")
        page.wait_for_selector(".row.request:has-text('/__proctor/health')")
        assert before > 0 and page.locator(".row.request:has-text('/ui/shared')").count() == 0
    second.stop()
    relay.close()


@test
def the_list_of_runs_starts_resets_and_deletes(pages):
    with pages.page(expects=["404"]) as page:
        page.goto("/__proctor/ui/runs")
        page.fill("[name=scenario]", "plain/404")
        page.click("text=Start a run")
        page.wait_for_url("**/ui/runs/r*")
        run = pages.server.call("GET", "runs/" + page.url.rsplit("/", 1)[1])
        send(run, "GET /nothing HTTP/1.1\r\nHost: x\r\nUser-Agent: mine/1\r\n\r\n")
        page.goto("/__proctor/ui/runs")
        item = page.locator(f".run:has-text('{run['run']}')").first
        page.wait_for_selector(".run:has-text('mine/1')")
        assert "1 request" in item.inner_text() and "1 fault" in item.inner_text()
        pages.shot(page, "runs")
        page.click(f"[aria-label='Begin again {run['run']}']")
        page.wait_for_selector(f"text={run['run']}: done")
        page.click(f"[aria-label='Delete {run['run']}']")
        wait(page, f"() => !document.querySelector(\"[href$='/ui/runs/{run['run']}']\")")
        page.fill("[name=scenario]", "plain/nothing-of-the-kind")
        page.click("text=Start a run")
        page.wait_for_selector(".notice.bad:has-text('unknown') , .notice.bad:has-text('no scenario')")


# MARK: How it is used


@test
def a_run_is_read_by_keyboard_alone(pages):
    run = pages.server.run("plain/get")
    with pages.page() as page:
        page.goto(page_of(run))
        page.wait_for_selector(".pill.live")
        get(run, "/hello", 2)
        page.wait_for_selector(".row.request")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == "log":
                break
        assert page.evaluate("document.activeElement.id") == "log"
        page.keyboard.press("Home")
        assert "connectionOpened" in page.inner_text("#details")
        page.keyboard.press("ArrowDown")
        assert "requestHead" in page.inner_text("#details")
        chosen = page.get_attribute("#log", "aria-activedescendant")
        assert page.get_attribute(f"#{chosen}", "aria-selected") == "true"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "details"
        page.focus("#lanes")
        for key in ["+", "-", "ArrowLeft", "ArrowRight", "0"]:
            page.keyboard.press(key)
        page.keyboard.press("Space")
        assert page.get_attribute("#pause", "aria-pressed") == "true"
        get(run, "/hello")
        wait(page, "() => document.getElementById('counts').textContent.includes('wait')")
        assert count_of(page) == 2
        page.keyboard.press("Space")
        wait(page, "() => document.getElementById('counts').textContent.startsWith('3 requests')")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "find"


def kinds_of_pages(pages):
    run = pages.server.run("redirect/302-post-becomes-get")
    send(run, "POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1")
    get(run, "/nothing")
    return {
        "catalogue": "/", "search": "/?q=stall", "family": "/redirect", "scenario": "/redirect/302-post-becomes-get",
        "miss": "/nothing-here", "runs": "/__proctor/ui/runs", "run": page_of(run) + "?case=follow", "shared": "/__proctor/ui/shared",
        "book": BOOK, "chapter": BOOK + "/format/replies", "words": BOOK + "?q=self+signed",
    }  # fmt: skip


def settle(page, kind):
    if kind in ("run", "shared"):
        page.wait_for_selector(".row")
        if kind == "run":
            page.wait_for_selector("#heading .mark:has-text('fail')")
            page.click(".row.fault >> nth=0")
    if kind == "runs":
        page.wait_for_selector(".run")


@test
def every_kind_of_page_is_accessible_in_dark_and_light(pages):
    for scheme in ("light", "dark"):
        with pages.page(color_scheme=scheme, expects=["404"]) as page:
            for kind, path in kinds_of_pages(pages).items():
                page.goto(path)
                settle(page, kind)
                # axe is put into the page by the driver, which the page's policy does not bind.
                found = Axe().run(page).response["violations"]
                serious = [one for one in found if one["impact"] in ("serious", "critical")]
                assert not serious, f"{kind} ({scheme}): " + "; ".join(
                    f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}" for one in serious)  # fmt: skip
                pages.shot(page, f"{kind}-{scheme}")
            background = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (background == "rgb(255, 255, 255)") == (scheme == "light"), background


@test
def a_report_is_opened_from_the_catalogue(pages):
    with tempfile.TemporaryDirectory() as folder:
        asked = subprocess.run(
            [pages.program, "exam", "--client", "python-http-client", "--json", f"{folder}/records.jsonl", "--html", f"{folder}/report", "redirect/30*"],
            cwd=ROOT, capture_output=True, text=True, timeout=6 * PATIENCE)  # fmt: skip
        assert os.path.exists(f"{folder}/report/index.html"), asked.stdout + asked.stderr
        # A page of the catalogue waits until all scenarios are read, which takes a busy machine longer than a page may take.
        shutil.copytree(ROOT / "fixtures/redirect", f"{folder}/fixtures/redirect")
        server = Server(pages.program, "--report", f"{folder}/report", fixtures=f"{folder}/fixtures")
        try:
            for scheme in ("light", "dark"):
                with pages.page(base=server.pages, color_scheme=scheme) as page:
                    page.goto("/redirect")
                    assert page.locator("[aria-label^='marks of redirect/']").count() > 0, "no marks beside the scenarios"
                    page.goto("/")
                    page.click("text=the last exam")
                    page.wait_for_url("**/__proctor/report/index.html")
                    # Each link of the navigation is a page of another kind; what the policy forbids is a console error.
                    for address in page.eval_on_selector_all("nav a", "(links) => links.map((one) => one.getAttribute('href'))"):
                        page.goto(address if address.startswith("/") else "/__proctor/report/" + address)
                        found = Axe().run(page).response["violations"]
                        assert not [one for one in found if one["impact"] in ("serious", "critical")], f"{address}: {found}"
                    page.goto("/__proctor/report/find.html")
                    page.wait_for_selector("a[href*='case/']")
                    page.click("a[href*='case/'] >> nth=0")
                    page.wait_for_url("**/case/**")
                    assert "python-http-client" in page.inner_text("body")
        finally:
            server.stop()


# Events as `LANE [NANOSECONDS] [cCONNECTION] [sSTREAM]`, and what of them is drawn: a list of the names of bars for each clock,
# each with its number of ticks at different times where that is not one, then the words below the drawings.
CLOCKS = "task 5,harness 9,note,note,wire 0,wire 3"
CROWD = ",".join(f"{'wire' if number % 3 == 0 else 'task'} {number // 14 * 1_000_000}" + (f" c{number // 3 % 4}" if number % 3 == 0 else "") for number in range(30))
STREAMS = ",".join([*(f"wire {number} c{number}" for number in range(8)), *(f"wire 1 c1 s{number}" for number in range(1, 12, 2)), "wire 0 c0 s1"])
DRAWINGS = [
    (CLOCKS, [[], []], []),
    ("task 5,harness 9,note,wire 9", [[]], []),
    ("task 5,task 4", [[]], []),
    (CROWD, [["c0 2", "c1 2", "c2 2", "c3 2"]], []),
    ("wire 0 c0,wire 1 c1,wire 0 c0 s3,wire 0 c0 s1,wire 1 c1 s1,wire 0 c0 s3", [["c0", "s1", "s3", "c1", "s1"]], []),
    (STREAMS, [["c0", "s1", "c1", "s1", "c2", "c3", "c4", "c5", "c6", "c7"]], ["5 streams more have no lane."]),
    (",".join(f"wire {number} c{number}" for number in range(12)), [[f"c{number}" for number in range(10)]], ["2 connections more have no lane."]),
    ("wire 4 c4 s7", [["c4 0", "s7"]], []),
]  # fmt: skip

# Times in milliseconds, the labels beside the axis from above, and the labels of folded pauses.
SCALES = [
    ([0, 1, 2, 4], ["0 ms", "2 ms", "4 ms"], []),
    ([0, 1, 2, 502, 503, 504], ["0 ms", "2 ms", "502 ms", "504 ms"], ["⋮ 500 ms"]),
    ([0, 7.3], ["0 ms", "5 ms"], []),
    ([0, 3000], ["0 ms", "2 s"], []),
    ([5, 5], [], []),
]


def event_of(words):
    lane, *rest = words.split()
    event = {"lane": lane, "text": "an event whose text is longer than the column of a drawing has room for, so that it is cut there"}
    for word in rest:
        name = {"c": "connection", "s": "stream"}.get(word[0], "ns")
        event[name] = int(word.lstrip("cs"))
    return event


@contextlib.contextmanager
def report_of(pages, timelines):
    """A folder with a report in which each timeline is that of one failed case, `drawn#0` and so on."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [{"exam": "proctor", "version": 1, "client": "curl", "platform": "neutral", "proctor": "1"}]
        for number, events in enumerate(timelines):
            lines.append({"client": "curl", "case": f"plain/drawn#{number}", "scenario": "plain/drawn", "name": str(number), "kind": "must",
                          "outcome": "fail", "reason": "it failed", "timeline": events})  # fmt: skip
        pathlib.Path(folder, "records.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        made = subprocess.run([pages.program, "report", "html", f"{folder}/report", f"{folder}/records.jsonl"],
                              cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)  # fmt: skip
        assert made.returncode == 0, made.stderr
        yield pathlib.Path(folder, "report").as_uri()


DRAWN = """(drawing) => ({
    bars: [...drawing.querySelectorAll('.bar')].map((bar) => {
        const ticks = (bar.lastElementChild.getAttribute('d').match(/M/g) ?? []).length;
        return bar.querySelector('text').firstChild.data + (ticks === 1 ? '' : ` ${ticks}`);
    }),
    labels: [...drawing.querySelectorAll('.time:not(.folded)')].map((text) => [text.textContent, Number(text.getAttribute('y'))]),
    folds: [...drawing.querySelectorAll('.time.folded')].map((text) => text.textContent),
    events: [...drawing.querySelectorAll('.m')].map((event) => [event.classList[1],
        Number(event.querySelector('text').getAttribute('y')) - 4, Number(event.querySelector('circle')?.getAttribute('cy') ?? 0)]),
    height: Number(drawing.querySelector('svg').getAttribute('height')),
})"""


def drawings_of(page):
    """The drawings of the page that stands there, whose texts neither overlap nor stand above their times."""
    drawings = [one.evaluate(DRAWN) for one in page.query_selector_all(".drawing")]
    for drawing in drawings:
        for lane in ("wire", "callbacks", "harness"):
            places = [place for name, place, _ in drawing["events"] if name == lane]
            assert all(after - before >= 17 for before, after in zip(places, places[1:])), f"texts overlap: {places}"
        assert all(time <= place < drawing["height"] for _, place, time in drawing["events"]), drawing
    return drawings


@test
def a_timeline_is_drawn_from_its_table(pages):
    with report_of(pages, [[event_of(words) for words in row[0].split(",")] for row in DRAWINGS]) as base:
        with pages.page(base=base) as page:
            for number, (words, bars, below) in enumerate(DRAWINGS):
                page.goto(f"/case/plain/drawn/{number}.html")
                drawings = drawings_of(page)
                assert [drawing["bars"] for drawing in drawings] == bars, f"{words}: {drawings}"
                assert sum(len(drawing["events"]) for drawing in drawings) == len(words.split(","))
                assert page.locator(".drawing ~ p.soft").all_inner_texts() == below, words
                # The table is folded below the drawing, with a row for each event.
                assert page.locator("details:not([open]) table.events tbody tr").count() == len(words.split(","))
        with pages.page(base=base, java_script_enabled=False) as page:
            page.goto("/case/plain/drawn/0.html")
            assert page.locator("table.events tbody tr").count() == 6 and page.locator("table.events").is_visible()


@test
def times_of_a_drawing_stand_to_scale_and_long_pauses_are_folded(pages):
    timelines = [[{"lane": "task", "text": "x", "ns": round(time * 1_000_000)} for time in times] for times, _, _ in SCALES]
    with report_of(pages, timelines) as base, pages.page(base=base) as page:
        for number, (times, labels, folds) in enumerate(SCALES):
            page.goto(f"/case/plain/drawn/{number}.html")
            [drawing] = drawings_of(page)
            assert [text for text, _ in drawing["labels"]] == labels, f"{times}: {drawing}"
            assert drawing["folds"] == folds, f"{times}: {drawing}"
            places = [place for _, place in drawing["labels"]]
            assert folds or all(after - before >= 48 for before, after in zip(places, places[1:])), drawing
            moments = [time for _, _, time in drawing["events"]]
            assert moments == sorted(moments), drawing


@test
def every_kind_of_page_fits_a_phone(pages):
    with pages.page(viewport={"width": 360, "height": 740}, expects=["404"]) as page:
        for kind, path in kinds_of_pages(pages).items():
            page.goto(path)
            settle(page, kind)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= 360, f"{kind} is {width} wide"
            pages.shot(page, f"{kind}-phone")


# MARK: The book

BOOK = "/__proctor/ui/docs"


@test
def the_book_is_read_with_its_contents_beside_it(pages):
    with pages.page() as page:
        page.goto(BOOK)
        for _ in range(3):
            title = page.inner_text("h1")
            page.click("[rel=next]")
            assert page.inner_text("h1") != title
            assert page.locator("#contents [aria-current=page]").count() == 1
        page.click("[rel=prev]")
        page.goto(BOOK + "/format/replies")
        # The page that is read is seen in the contents, however far below it stands there.
        box, bar = page.locator("#contents li > [aria-current]").bounding_box(), page.locator("#contents").bounding_box()
        assert bar["y"] <= box["y"] < bar["y"] + bar["height"] and bar["x"] < page.locator("article").bounding_box()["x"]
        page.hover("h2 >> nth=1")
        page.click("h2 .anchor >> nth=1")
        assert "#" in page.url
        pages.shot(page, "chapter-wide")
    with pages.page(viewport={"width": 360, "height": 740}) as page:
        page.goto(BOOK + "/format/replies")
        page.click("text=Contents")
        assert page.locator("#contents").bounding_box()["y"] < 740


@test
def the_search_of_the_book_finds_as_one_types_and_by_form(pages):
    with pages.page() as page:
        page.goto(BOOK + "/use/pages")
        page.keyboard.press("/")
        page.keyboard.type("self signed")
        page.wait_for_selector(".hits li")
        typed = page.locator(".hits a").evaluate_all("(links) => links.map((one) => one.getAttribute('href'))")
        pages.shot(page, "book-typed")
        page.fill("[name=q]", "zzzz")
        page.wait_for_selector("#found:has-text('Nothing in the book')")
        page.fill("[name=q]", "R12")
        page.wait_for_selector(".hits a:has-text('R12')")
        page.click(".hits a >> nth=0")
        page.wait_for_url("**/judging/rules-r1#r12-*")
        page.fill("[name=q]", "redirect/302-post-becomes-get")
        page.click(".hits a:has-text('redirect/302-post-becomes-get')")
        assert "A 302 turns POST into GET" in page.inner_text("h1")
    with pages.page(java_script_enabled=False) as page:
        page.goto(BOOK + "/use/pages")
        page.fill("[name=q]", "self signed")
        page.click("text=Find")
        assert page.inner_text("h1") == "Search"
        found = page.locator(".hits a").evaluate_all("(links) => links.map((one) => one.getAttribute('href'))")
        assert found == typed, (found, typed)


@test
def the_book_is_used_by_keyboard_alone(pages):
    with pages.page() as page:
        page.goto(BOOK + "/format/replies")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.keyboard.press("/")
        page.keyboard.type("self signed")
        page.wait_for_selector(".hits li")
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.closest('.hits') !== null"):
                break
        page.keyboard.press("Enter")
        page.wait_for_url("**/cookbook/tls*")
        # What is wider than the page scrolls by keys.
        page.goto(BOOK + "/format/replies")
        assert page.locator(".scroll:not([tabindex]), pre:not([tabindex])").count() == 0


@test
def pages_lead_to_the_chapter_of_what_they_name(pages):
    run = pages.server.run("plain/get")
    send(run, "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
    for scripts in (True, False):
        with pages.page(java_script_enabled=scripts) as page:
            page.goto(page_of(run))
            page.click("a[href*='about=fail'] >> nth=0")
            page.wait_for_url("**/judging/verdicts#outcomes")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "broken.yaml").write_text(
            "summary: x\nexchanges:\n  - request: GET /\n    reply: { status: 200, boddy: a }\n")
        server = Server(pages.program, fixtures=folder)
        try:
            with pages.page(base=server.pages, expects=["500"]) as page:
                page.goto("/broken")
                page.click("pre a")
                assert page.inner_text("h1") == "Replies"
        finally:
            server.stop()


@test
def the_book_in_a_folder_finds_the_same(pages):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([pages.program, "docs", "--site", folder], check=True, capture_output=True, timeout=PATIENCE)
        with pages.page(base="file://" + folder) as page:
            page.goto("/format/replies.html")
            for words in ("timeout", "my client hangs", "Self Signed?", "resume download", "R12", "not-judged"):
                page.fill("[name=q]", words)
                page.keyboard.press("Enter")
                page.wait_for_selector(".hits li")
                found = page.locator(".hits a").all_inner_texts()
                call = "docs?" + urllib.parse.urlencode({"q": words})
                wanted = [one["title"] for one in pages.server.call("GET", call)["hits"] if one["kind"] != "scenario"]
                assert found == wanted, (words, found, wanted)
            page.click(".hits a >> nth=0")
            assert page.inner_text("h1")
            page.click(".contents a >> nth=0")
            page.wait_for_url("**/index.html")


# MARK: Who may look


@test
def whoever_types_the_address_of_scenarios_is_led_to_the_pages(pages):
    run = pages.server.run("plain/get")
    for path in ("/", "/redirect", "/plain/get", "/nothing-here", page_of(run)):
        with pages.page(base=pages.server.base, expects=["a request elsewhere: " + pages.base, "404"]) as page:
            page.goto(path)
            assert page.url == pages.base + path, page.url
            assert "Proctor" in page.title()


@test
def a_link_of_another_site_leads_to_a_page_that_asks(pages):
    run = pages.server.run("plain/get")
    with pages.page(base=pages.server.base, expects=["a request elsewhere: " + pages.base, "403", "404"]) as page:
        page.goto("/plain/get/hello")
        page.evaluate("(address) => { location.href = address; }", pages.base + page_of(run))
        page.click("text=" + pages.base + page_of(run))
        page.wait_for_selector(".pill.live")


@test
def a_page_of_another_origin_reads_and_changes_nothing(pages):
    run = pages.server.run("plain/get")
    get(run, "/hello")
    body = f"""<!doctype html><form id=f method=post action="{pages.base}{page_of(run)}/delete"></form>
        <iframe id=i src="{pages.base}{page_of(run)}"></iframe>"""

    class Foreign(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            pass

    foreign = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
    threading.Thread(target=foreign.serve_forever, daemon=True).start()
    context = pages.browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{foreign.server_address[1]}/")
    attempts = page.evaluate(
        """async ([base, id, path]) => {
            const tried = [];
            const attempt = async (url, options) => {
                try { const r = await fetch(url, options); tried.push(r.type + " " + await r.text()); }
                catch (error) { tried.push("refused"); }
            };
            await attempt(base + "/__proctor/runs/" + id + "/journal");
            await attempt(base + path);
            await attempt(base + "/__proctor/runs/" + id, { method: "DELETE" });
            await attempt(base + "/__proctor/runs/" + id + "/reset", { method: "POST", mode: "no-cors" });
            await attempt(base + path + "/delete", { method: "POST", mode: "no-cors",
                headers: { "Content-Type": "application/x-www-form-urlencoded" } });
            await new Promise((resolve) => {
                const source = new EventSource(base + "/__proctor/runs/" + id + "/events");
                source.onopen = () => { tried.push("opened"); resolve(); };
                source.onerror = () => { tried.push("refused"); source.close(); resolve(); };
            });
            return tried;
        }""", [pages.base, run["run"], page_of(run)])  # fmt: skip
    assert attempts == ["refused", "refused", "refused", "opaque ", "opaque ", "refused"], attempts
    frame = page.locator("#i").content_frame
    assert "stands at" not in frame.locator("html").inner_text()
    with page.expect_navigation():
        page.evaluate("document.getElementById('f').submit()")
    assert "foreign-origin" in page.content()
    context.close()
    foreign.shutdown()
    overview = {one["run"]: one for one in pages.server.call("GET", "overview")["runs"]}
    assert overview[run["run"]]["requests"] == 1, "the run was reset or deleted"


@test
def a_name_that_was_rebound_reads_nothing(pages):
    run = pages.server.run("plain/get")
    rebound = pages.server.base.replace("127.0.0.1", "rebound.test")
    with pages.page(base=rebound, expects=["403", "Cross-Origin-Opener-Policy"]) as page:
        for path in ("/", "/redirect", "/plain/get", "/__proctor/ui/runs", page_of(run)):
            assert page.goto(path).status == 403
            assert run["run"] not in page.inner_text("main").split()
        assert page.evaluate("fetch('/__proctor/runs').then((answer) => answer.status)") == 403


@test
def where_a_token_is_needed_a_page_asks_for_it(pages):
    server = Server(pages.program, "--token", "a secret/text")
    run = server.run("plain/get", Authorization="Bearer a secret/text")
    try:
        with pages.page(base=server.pages, expects=["401"]) as page:
            page.goto(page_of(run))
            page.fill("[name=token]", "a secret/text")
            page.click("text=Use it")
            page.wait_for_selector(".pill.live")
            page.wait_for_selector("#heading >> text=plain/get")
        with pages.page(base=server.pages) as page:
            page.goto(page_of(run) + "#token=a%20secret/text")
            page.wait_for_selector(".pill.live")
            assert "#" not in page.url
            get(run, "/hello")
            page.wait_for_selector(".row.request")
            page.click("text=Begin again")
            wait(page, "() => !document.querySelector('.row')")
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the binary of proctor")
    parser.add_argument("--only", default="", metavar="WORD", help="tests whose name has it")
    parser.add_argument("--shots", metavar="FOLDER", help="where screenshots go")
    options = parser.parse_args()
    browser_path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser_path:
        raise SystemExit("pages: there is no chromium in PATH; Debian: apt-get install chromium (or CHROMIUM=PATH)")
    if options.shots:
        pathlib.Path(options.shots).mkdir(parents=True, exist_ok=True)
    wanted = [one for one in TESTS if options.only in one.__name__]
    if not wanted:
        raise SystemExit(f"pages: no test has '{options.only}' in its name")
    failed = []
    with sync_playwright() as playwright:
        arguments = ["--host-resolver-rules=MAP rebound.test 127.0.0.1"]
        # Chromium's own sandbox does not start for root, as in containers.
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        browser = playwright.chromium.launch(executable_path=browser_path, args=arguments)
        pages = Pages(browser, os.path.abspath(options.program), options.shots)
        # What the browser takes to start is no page's time; whoever runs this bounds the whole.
        with contextlib.closing(browser.new_page()) as first:
            first.goto(f"{pages.base}/", timeout=0)
        for one in wanted:
            begin = time.monotonic()
            name = one.__name__.replace("_", " ")
            try:
                one(pages)
                print(f"  ✓ {name} ({time.monotonic() - begin:.1f} s)", flush=True)
            except Exception:
                failed.append(name)
                print(f"  ✗ {name} ({time.monotonic() - begin:.1f} s)\n{traceback.format_exc()}", flush=True)
        browser.close()
        pages.server.stop()
    print(f"pages: {len(wanted) - len(failed)} of {len(wanted)} tests passed in {browser_path}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
