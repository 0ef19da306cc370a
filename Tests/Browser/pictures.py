#!/usr/bin/env python3
"""Makes the pictures of Docs/pictures anew, in headless Chromium: Tests/Browser/pictures.py PROGRAM"""

import pathlib
import shutil
import socket
import sys
import urllib.parse

from playwright.sync_api import sync_playwright

from server import ROOT, Server, get, page_of, send

FOLDER = pathlib.Path(ROOT) / "Docs/pictures"
SHOP = {
    "summary": "A shop with a chat",
    "exchanges": [
        {"request": "GET /items", "reply": {"status": 200, "body": '["lamp"]'}},
        {"request": "POST /items", "reply": {"status": 201}},
        {"request": "GET /chat", "reply": {"websocket": [{"expect": "hello"}, {"send": "world"}, {"expect": "bye"}, {"close": 1000}]}}],
    "cases": {"items": {"client": {"url": "/items"}, "wire": "request+"}}}  # fmt: skip
HANDSHAKE = (
    "GET /chat HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()  # fmt: skip


def frame(opcode, content):
    return bytes([0x80 | opcode, 0x80 | len(content), 0, 0, 0, 0]) + content


def talk(run):
    place = urllib.parse.urlsplit(run["base"])
    with socket.create_connection((place.hostname, place.port), 10) as one:
        one.sendall(HANDSHAKE + frame(1, b"hello"))
        heard = b""
        while not heard.endswith(b"world"):
            heard += one.recv(4096)
        one.sendall(frame(1, b"bye"))
        one.recv(4096)
        one.sendall(frame(8, b"\x03\xe8"))
        while one.recv(4096):
            pass


def main(program):
    server = Server(program)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))

        def open_page(path, width, height, **settings):
            page = browser.new_context(viewport={"width": width, "height": height}, **settings).new_page()
            page.goto(server.pages + path)
            return page

        def has_come(page, count):
            page.wait_for_function("(text) => document.getElementById('counts').textContent.startsWith(text)", arg=f"{count} requests")

        shop = server.call("POST", "inline", SHOP)
        get(shop, "/items")
        send(shop, 'POST /items HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n{"name":"desk"}')
        get(shop, "/item")
        talk(shop)
        page = open_page(page_of(shop), 1100, 900)
        has_come(page, 4)
        page.wait_for_selector("#heading:has-text('fail')")
        page.click("summary:has-text('GET /chat')")
        page.screenshot(path=str(FOLDER / "run.png"))

        form = server.run("redirect/302-post-becomes-get")
        send(form, "POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1")
        get(form, "/done")
        get(form, "/nothing")
        page = open_page(page_of(form), 1280, 900)
        has_come(page, 3)
        for target in ("POST /form", "GET /done"):
            page.click(f".row.request:has-text('{target}')")
            page.focus("#log")
            page.keyboard.press("x")
        page.click("#make-draft")
        page.wait_for_selector("#draft-text")
        page.screenshot(path=str(FOLDER / "draft.png"), full_page=True)

        page = open_page("/__proctor/ui/runs", 1100, 520, color_scheme="dark")
        page.wait_for_selector("a:has-text('r1')")
        page.screenshot(path=str(FOLDER / "runs.png"))
        page = open_page("/?q=stall", 1100, 760)
        page.wait_for_selector("#found .id a")
        page.screenshot(path=str(FOLDER / "catalogue.png"))
    server.stop()


if __name__ == "__main__":
    main(sys.argv[1])
