#!/usr/bin/env python3
"""An adapter of a player that is right, or makes one mistake, for tests of what the cases of media/ notice.

    media_client.py              plays HLS, DASH, ICY streams and pictures as the documents have it
    media_client.py MISTAKE      the same with one mistake, of the list below

It loads each URL by a connection of its own, and plays what it copies: proctor_media.py reads the labels of the bytes.
"""

import contextlib
import http.cookiejar
import json
import os
import re
import socket
import sys
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "clients")
sys.path += [os.path.join(ROOT, "adapters"), os.path.join(ROOT, "kits", "python"), os.path.dirname(os.path.realpath(__file__))]

from proctor_media import KINDS, pictures, sound_of, sounds  # noqa: E402
from proctor_python import Library, Load  # noqa: E402

MISTAKES = {
    "first-alone": "plays the first segment alone",
    "backwards": "plays the segments from the last one on",
    "beside-the-master": "names segments beside the first URL",
    "forgets-redirects": "names segments beside the URL before its redirect",
    "unescapes": "undoes the escapes of a URL",
    "inherits-the-query": "sends the query of the playlist with the segments",
    "stops-at-unknown-tags": "takes a tag that it does not know for an error",
    "whole-files": "loads the whole file for each part of it",
    "no-beginning": "leaves EXT-X-MAP and Initialization out",
    "loads-once": "loads a live playlist once",
    "plays-again": "plays what is still in the playlist once more",
    "at-the-edge": "begins a live playlist at its last segment",
    "believes-pages": "plays whatever comes with 200",
    "forgets-statuses": "takes every status for a success",
    "no-jar": "sends no cookies",
    "keeps-titles": "leaves titles in the sound",
    "titles-in-half": "takes the length of a title for half of what it is",
    "http-alone": "knows no status line but that of HTTP",
    "counts-from-one": "numbers the segments of a template from 1",
    "lengths-alone": "finds no picture without a length",
    "any-boundary": "finds pictures wherever two dashes stand",
}
MOST_LOADS, MOST_REDIRECTS, PATIENCE = 40, 10, 8


class PlayError(Exception):
    pass


class Reply:
    def __init__(self, url, status, fields, body):
        self.url, self.status, self.fields, self.body = url, status, fields, body


class Player(Load):
    def perform(self):
        self.mistake, self.count, self.jar = self.adapter.mistake, 0, http.cookiejar.CookieJar()
        kind = next(word for word in KINDS if word in self.adapter.needs)
        data = {"hls": self.playlist, "dash": self.manifest, "icy": self.stream, "mixed-replace": self.camera}[kind](self.step["url"])
        if not data:
            raise PlayError("there is nothing to play")
        self.played = pictures(data) if kind == "mixed-replace" else sounds(sound_of(data))

    def run(self):
        self.played = []
        facts = super().run()
        facts["messages"] = json.dumps(self.played)
        return {key: value for key, value in facts.items() if key in self.adapter.facts}

    # What is loaded.

    def ask(self, url, part=None):
        """One request without redirects, whose reply may begin with ICY."""
        self.count += 1
        if self.count > MOST_LOADS:
            raise PlayError(f"{MOST_LOADS} loads are the most")
        parts = urllib.parse.urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        lines = [f"GET {target} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close", "Icy-MetaData: 1"]
        lines += [f"Range: bytes={part[0]}-{part[1]}"] if part else []
        request = urllib.request.Request(url)
        if self.mistake != "no-jar":
            self.jar.add_cookie_header(request)
        lines += [f"Cookie: {value}" for name, value in request.unredirected_hdrs.items() if name == "Cookie"]
        with socket.create_connection((parts.hostname, parts.port or 80), timeout=PATIENCE) as sock:
            sock.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            data = b""
            with contextlib.suppress(ConnectionError):
                while piece := sock.recv(1 << 16):
                    data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        first, *rest = head.decode("latin-1").split("\r\n")
        status = re.match(r"(?:HTTP/1\.[01]" + ("" if self.mistake == "http-alone" else "|ICY") + r") (\d{3})", first)
        if not status:
            raise PlayError(f"this is no status line: {first[:40]}")
        fields = [line.partition(":")[::2] for line in rest]
        fields = {name.strip().lower(): value.strip() for name, value in fields}
        if "chunked" in fields.get("transfer-encoding", ""):
            body = unchunked(body)
        elif len(body) < int(fields.get("content-length", "0")):
            raise PlayError("the content breaks off")
        self.keep_cookies(request, fields)
        return Reply(url, int(status[1]), fields, body)

    def keep_cookies(self, request, fields):
        class Info:
            def get_all(self, name, default=None):
                return [fields[name.lower()]] if name.lower() in fields else default

        class Answer:
            info = staticmethod(Info)

        self.jar.extract_cookies(Answer, request)

    def get(self, url, part=None):
        """The reply behind all redirects; tries a busy or broken load again, three times in all."""
        for attempt in range(3):
            try:
                reply = self.follow(url, part)
            except PlayError:
                if attempt == 2:
                    raise
                continue
            if reply.status == 503 and attempt < 2:
                time.sleep(min(2, float(reply.fields.get("retry-after", "0.2"))))
                continue
            if reply.status not in (200, 206) and self.mistake != "forgets-statuses":
                raise PlayError(f"status {reply.status}")
            return reply

    def follow(self, url, part):
        reply = self.ask(url, part)
        for _ in range(MOST_REDIRECTS):
            if reply.status not in (301, 302, 303, 307, 308) or "location" not in reply.fields:
                reply.url = url if self.mistake == "forgets-redirects" else reply.url
                return reply
            reply = self.ask(urllib.parse.urljoin(reply.url, reply.fields["location"]), part)
        raise PlayError(f"{MOST_REDIRECTS} redirects are the most")

    def part(self, url, part=None):
        """The content of a segment; none of what is a page."""
        reply = self.get(url, None if self.mistake == "whole-files" else part)
        if reply.fields.get("content-type", "").startswith("text/") and self.mistake not in ("believes-pages", "forgets-statuses"):
            raise PlayError("a page is no segment")
        return reply.body

    def parts(self, named):
        """All segments that can be had; an error where none can."""
        pieces, failure = [], None
        for url, part in reversed(named) if self.mistake == "backwards" else named[:1] if self.mistake == "first-alone" else named:
            try:
                pieces.append(self.part(url, part))
            except PlayError as error:
                failure = error
        if not pieces and failure:
            raise failure
        return b"".join(pieces)

    def join(self, base, reference):
        url = urllib.parse.urljoin(self.step["url"] if self.mistake == "beside-the-master" else base, reference)
        query = urllib.parse.urlsplit(self.step["url"]).query
        if self.mistake == "inherits-the-query" and query and "?" not in url:
            url += "?" + query
        return urllib.parse.unquote(url) if self.mistake == "unescapes" else url

    # HLS.

    def playlist(self, url):
        reply = self.get(url)
        lines = [line.rstrip("\r") for line in reply.body.decode(errors="replace").split("\n")]
        if lines[0] != "#EXTM3U" and self.mistake not in ("believes-pages", "forgets-statuses"):
            raise PlayError("this is no playlist")
        if any(line.startswith("#EXT-X-STREAM-INF") for line in lines):
            renditions = [line for line in lines if line and not line.startswith("#")]
            for number, rendition in enumerate(renditions):
                try:
                    return self.media(self.get(self.join(reply.url, rendition)))
                except PlayError:
                    if number + 1 == len(renditions):
                        raise
        return self.media(reply)

    def media(self, reply):
        data, played, url = b"", None, reply.url
        while True:
            began = time.monotonic()
            lines = [line.strip() for line in reply.body.decode(errors="replace").split("\n")]
            named, first, target, ends = self.segments(lines, reply.url)
            if played is None and not ends and self.mistake == "at-the-edge":
                played = first + len(named) - 2
            new = named if played is None or self.mistake == "plays-again" else [one for number, one in enumerate(named, first) if number > played]
            if new:
                data += self.parts(new)
            changed, played = bool(new), first + len(named) - 1
            if ends or self.mistake == "loads-once":
                return data
            time.sleep(max(0, target * (1 if changed else 0.5) - (time.monotonic() - began)))
            try:
                reply = self.get(url)
            except PlayError:
                return data

    def segments(self, lines, base):
        """What a media playlist names, the number of the first one, the target duration, and whether it ends."""
        named, first, target, ends, part, place = [], 0, 1, False, None, 0
        for line in lines:
            tag, _, value = line.partition(":")
            if line and not line.startswith("#"):
                named.append((self.join(base, line), part))
                part = None
            elif tag == "#EXT-X-MEDIA-SEQUENCE":
                first = int(value)
            elif tag == "#EXT-X-TARGETDURATION":
                target = int(value)
            elif tag == "#EXT-X-BYTERANGE":
                length, _, offset = value.partition("@")
                place = int(offset) if offset else place
                part, place = (place, place + int(length) - 1), place + int(length)
            elif tag == "#EXT-X-MAP" and self.mistake != "no-beginning":
                named.append((self.join(base, re.search('URI="([^"]*)"', value)[1]), None))
            elif tag == "#EXT-X-ENDLIST":
                ends = True
            elif self.mistake == "stops-at-unknown-tags" and re.match("#EXT-(X-NOBODY|NOT)", line):
                raise PlayError(f"unknown tag {tag}")
        return named, first, target, ends

    # DASH.

    def manifest(self, url):
        reply = self.get(url)
        try:
            root = xml.etree.ElementTree.fromstring(reply.body)
        except xml.etree.ElementTree.ParseError as error:
            raise PlayError(f"this is no manifest: {error}") from None
        space = {"": "urn:mpeg:dash:schema:mpd:2011"}
        base, rendition = reply.url, root.find(".//Representation", space)
        if rendition is None:
            raise PlayError("the manifest has no rendition")
        for one in root.iterfind(".//BaseURL", space):
            base = urllib.parse.urljoin(base, one.text)
        listed, template = rendition.find("SegmentList", space), rendition.find("SegmentTemplate", space)
        if listed is not None:
            begin, names = listed.find("Initialization", space).get("sourceURL"), [one.get("media") for one in listed.iterfind("SegmentURL", space)]
        else:
            begin, names = template.get("initialization"), list(self.names(template, rendition.get("id"), space, self.seconds(root)))
        if self.mistake != "no-beginning":
            self.part(self.join(base, begin))
        return self.parts([(self.join(base, name), None) for name in names])

    def names(self, template, rendition, space, seconds):
        line, scale = template.find("SegmentTimeline", space), int(template.get("timescale", "1"))
        number, moment = int(template.get("startNumber", "1")) + (self.mistake == "counts-from-one"), 0
        steps = [(int(one.get("d")), int(one.get("r", "0")) + 1) for one in line] if line is not None else [
            (int(template.get("duration")), -int(-seconds * scale // int(template.get("duration"))))]
        for length, times in steps:
            for _ in range(times):
                values = {"Number": number, "Time": moment, "RepresentationID": rendition}
                yield re.sub(r"\$(\w+)(%\d+d)?\$", lambda found: (found[2] or "%s") % values[found[1]], template.get("media"))
                number, moment = number + 1, moment + length

    @staticmethod
    def seconds(root):
        return float(re.fullmatch(r"PT([\d.]+)S", root.get("mediaPresentationDuration"))[1])

    # Streams and pictures.

    def stream(self, url):
        reply = self.get(url)
        every = int(reply.fields.get("icy-metaint", "0"))
        if not every or self.mistake == "keeps-titles":
            return reply.body
        sound, place = b"", 0
        while place < len(reply.body):
            sound, place = sound + reply.body[place:place + every], place + every
            if place < len(reply.body):
                place += 1 + reply.body[place] * (8 if self.mistake == "titles-in-half" else 16)
        return sound

    def camera(self, url):
        reply = self.get(url)
        kind = reply.fields.get("content-type", "")
        boundary = re.search(r'boundary=(?:"([^"]*)"|([^;]*))', kind)
        if not kind.startswith("multipart/") or not boundary:
            raise PlayError("these are no pictures")
        mark = b"--" if self.mistake == "any-boundary" else b"--" + (boundary[1] or boundary[2]).encode()
        found = b""
        for one in (b"\r\n" + reply.body).split(b"\r\n" + mark)[1:]:
            head, _, body = one.partition(b"\r\n\r\n")
            if not one.startswith(b"--") and (self.mistake != "lengths-alone" or b"ontent-Length" in head):
                found += body
        return found


def unchunked(body):
    found = b""
    while True:
        size, _, body = body.partition(b"\r\n")
        count = int(size or b"0", 16)
        if not count:
            return found
        found, body = found + body[:count], body[count + 2:]


class MediaClient(Library):
    client = module = "media-client"
    revision, errors = "1", {}
    abilities = "hls dash icy mixed-replace redirects cookie-jar cookies-from-addresses"
    facts = ("messages", "error", "message")

    def __init__(self, mistake):
        self.mistake, self.needs = mistake, ()

    def version(self):
        return "1"

    def check(self, assignment):
        super().check(assignment)
        self.needs = assignment.get("needs", ())
        if not set(self.needs) & set(KINDS):
            self.cannot(0, "url", "plays media, and this case has none")

    def session(self, assignment):
        return contextlib.nullcontext()

    def load(self, *parts):
        return Player(self, *parts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--mistakes"]:
        sys.exit(print("\n".join(f"{name}\t{text}" for name, text in MISTAKES.items())))
    given = sys.argv.pop(1) if sys.argv[1:2] and sys.argv[1] in MISTAKES else None
    sys.exit(MediaClient(given).main(__doc__))
