"""Asks the requests of the crossing by one library, with a recorder around it or without, and prints what the library shows.

usage: ask.py LIBRARY BASE [RECORDER CASSETTE [play]]

With `play` the recorder answers by the cassette alone. Of RECORDER `proxy` the place of CASSETTE is the proxy's URL.

A line of JSON for each request: method, target, status, reason, fields and content in hexadecimal; URLs of BASE are `BASE`.
"""

import asyncio
import base64
import contextlib
import json
import shutil
import sys

FORM = "application/x-www-form-urlencoded"
GETS = (
    "text umlaut latin bytes json spaces gzip gzip-short deflate deflate-h raw gzip-bytes chunks close none empty missing "
    "reason fields braces found turns turns q?a=1&b=two+words&c=%C3%A9 q?a=2"
).split()
# Method, target, and content as the library is given it.
REQUESTS = [("GET", f"/{name}", {}) for name in GETS] + [
    ("POST", "/json", {"json": {"ask": 1}}),
    ("POST", "/json", {"json": {"ask": 2}}),
    ("POST", "/form", {"data": {"a": "1", "b": "ä b"}}),
    ("POST", "/form", {"data": {"a": "2", "b": "ä b"}}),
    ("PUT", "/bytes", {"content": b"\x00\xff\x01"}),
    ("PUT", "/bytes", {"content": b"\x00\xff\x02"}),
    ("DELETE", "/text", {}),
]
# Those of one connection or of another server, and lengths of coded bytes.
OWN = {"content-length", "transfer-encoding", "connection", "keep-alive", "date", "server"}


def line(base, method, target, status, reason, fields, content):
    bare = base.encode()
    return json.dumps(
        {
            "request": f"{method} {target}",
            "status": status,
            "reason": reason,
            "fields": sorted(
                (name.lower(), value.replace(base, "BASE")) for name, value in fields if name.lower() not in OWN
            ),
            "content": content.replace(bare, b"BASE").hex(),
        }
    )


def by_requests(base, session=None):
    import requests

    session = session or requests.Session()
    for method, target, given in REQUESTS:
        given = dict(given)
        if "content" in given:
            given["data"] = given.pop("content")
        reply = session.request(method, base + target, allow_redirects=False, timeout=30, **given)
        yield line(base, method, target, reply.status_code, reply.reason, reply.headers.items(), reply.content)


def by_urllib3(base):
    import urllib3

    pool = urllib3.PoolManager(headers={"Accept-Encoding": "gzip, deflate"})
    for method, target, given in REQUESTS:
        words = {}
        if "json" in given:
            words["json"] = given["json"]
        elif "data" in given:
            words = {"fields": given["data"], "encode_multipart": False}
        elif "content" in given:
            words["body"] = given["content"]
        reply = pool.request(method, base + target, redirect=False, retries=False, timeout=30, **words)
        yield line(base, method, target, reply.status, reply.reason, reply.headers.items(), reply.data)


def by_httpx(base):
    import httpx

    with httpx.Client(timeout=30) as client:
        for method, target, given in REQUESTS:
            reply = client.request(method, base + target, **given)
            yield line(
                base, method, target, reply.status_code, reply.reason_phrase, reply.headers.multi_items(), reply.content
            )


def by_aiohttp(base):
    import aiohttp
    import yarl

    async def ask():
        lines = []
        timeout = aiohttp.ClientTimeout(total=60)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            for method, target, given in REQUESTS:
                given = dict(given)
                if "content" in given:
                    given["data"] = given.pop("content")
                url = yarl.URL(base + target, encoded=True)
                async with session.request(method, url, allow_redirects=False, **given) as reply:
                    content = await reply.read()
                    lines.append(
                        line(base, method, target, reply.status, reply.reason, reply.headers.items(), content)
                    )
        return lines

    yield from asyncio.run(ask())


# A page asks as pages do: a request of it with redirects that are not followed shows nothing.
ASK_IN_PAGE = """async ([method, target, type, content]) => {
    const body = content === null ? undefined : Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const headers = type === null ? {} : { "Content-Type": type };
    const reply = await fetch(target, { method, headers, body, cache: "no-store" });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return [reply.status, reply.statusText, [...reply.headers], btoa(text)];
}"""
# Nothing but this machine is dialled.
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]


def by_chromium(base, recorder=None, har=None, plays=False):
    import urllib.parse

    from playwright.sync_api import sync_playwright

    leave_out({"/found"})
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_ARGUMENTS)
        words = {}
        if recorder and not plays:
            words = {
                "record_har_path": har,
                "record_har_content": "attach" if recorder == "playwright-attach" else "embed",
            }
        context = browser.new_context(**words)
        if plays:
            context.route_from_har(har, not_found="abort")
        page = context.new_page()
        page.goto(base + "/text")
        for method, target, given in REQUESTS:
            content = given.get("content")
            media = None
            if "json" in given:
                content, media = json.dumps(given["json"]).encode(), "application/json"
            elif "data" in given:
                content, media = urllib.parse.urlencode(given["data"]).encode(), FORM
            coded = None if content is None else base64.b64encode(content).decode()
            status, reason, fields, got = page.evaluate(ASK_IN_PAGE, [method, target, media, coded])
            yield line(base, method, target, status, reason, fields, base64.b64decode(got))
        context.close()
        browser.close()


LIBRARIES = {"chromium": by_chromium, "requests": by_requests, "urllib3": by_urllib3, "httpx": by_httpx, "aiohttp": by_aiohttp}


def recorded_by_vcrpy(library, base, cassette, decodes, plays):
    import vcr

    serializer = "json" if cassette.endswith(".json") else "yaml"
    recorder = vcr.VCR(serializer=serializer, record_mode="none" if plays else "all", decode_compressed_response=decodes)
    with recorder.use_cassette(cassette):
        yield from LIBRARIES[library](base)


def recorded_through_proxy(base, proxy):
    import requests

    session = requests.Session()
    session.trust_env = False
    session.proxies = {"http": proxy}
    yield from by_requests(base, session)


def recorded_by_betamax(base, cassette, is_exact, plays):
    import pathlib

    import betamax
    import requests

    path = pathlib.Path(cassette)
    session = requests.Session()
    recorder = betamax.Betamax(session, cassette_library_dir=str(path.parent))
    options = {
        "record": "none" if plays else "all",
        "preserve_exact_body_bytes": is_exact,
        "match_requests_on": ["method", "uri", "body"],
    }
    with recorder.use_cassette(path.stem, **options):
        yield from by_requests(base, session)


def leave_out(targets):
    """What betamax can't keep: equal requests, and without exact bytes what is no text of its charset."""
    REQUESTS[:] = [request for request in REQUESTS if request[1] not in targets]


def main():
    library, base, *rest = sys.argv[1:]
    if not rest:
        lines = LIBRARIES[library](base)
    else:
        recorder, cassette, *play = rest
        if recorder.startswith("betamax"):
            leave_out({"/turns"} if recorder == "betamax-exact" else {"/turns", "/umlaut", "/bytes", "/gzip-bytes"})
            lines = recorded_by_betamax(base, cassette, recorder == "betamax-exact", bool(play))
        elif recorder.startswith("playwright"):
            lines = by_chromium(base, recorder, cassette, bool(play))
        elif recorder == "proxy":
            lines = recorded_through_proxy(base, cassette)
        else:
            lines = recorded_by_vcrpy(library, base, cassette, recorder == "vcrpy-decoded", bool(play))
    with contextlib.closing(lines):
        for text in lines:
            print(text, flush=True)


main()
