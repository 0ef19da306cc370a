"""What two replies to the same question differ in: (aspect, value there, value here)."""

import email.utils
import gzip
import re
import time
import zlib

# Fields that say something about the server or the moment: only whether they are there, and well formed, counts.
DATES = ("date", "last-modified")
CLOCK_SLACK = 60


def date_shape(value):
    if not re.fullmatch(r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT", value):
        return value
    age = abs(time.time() - email.utils.parsedate_to_datetime(value).timestamp())
    return "<a date of now>" if age < CLOCK_SLACK else value


def hidden(text, question):
    for pattern, replacement in question.hide:
        text = pattern.sub(replacement, text)
    return text


def shape(name, value, reply, question):
    if name in DATES:
        return date_shape(value)
    if name == "server":
        return "<a name>"
    if name == "allow":
        return ", ".join(sorted(item.strip() for item in value.split(",")))
    if name == "content-length" and reply.value("Content-Encoding") and value == str(len(reply.body)):
        return "<the length of the coded content>"
    return hidden(value, question)


def decoded(reply):
    coding = (reply.value("Content-Encoding") or "").lower()
    if not reply.body:
        return reply.body
    try:
        if coding == "gzip":
            return gzip.decompress(reply.body)
        if coding == "deflate":
            return zlib.decompress(reply.body)
        if coding == "br":
            import brotlicffi

            return brotlicffi.decompress(reply.body)
    except Exception as error:
        return f"({coding} that can't be decoded: {error})".encode()
    return reply.body


def body(reply, question):
    content = decoded(reply)
    if question.body == "length":
        return f"<{len(content)} bytes>"
    if question.body == "kind":
        return "<content>" if content else "<none>"
    return hidden(content.decode("latin-1"), question)


def excerpt(one, other):
    """The neighbourhood of the first character that differs, of both."""
    at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    start = max(0, at - 40)

    def cut(text):
        end = start + 200
        piece = text[start:end]
        return ("…" if start else "") + piece + (f"… ({len(text)} in all)" if end < len(text) else "")

    return cut(one), cut(other)


def field_differences(there, here, question):
    names = {}
    for reply in (there, here):
        for name, _ in reply.fields:
            names.setdefault(name.lower(), name)
    for lower, name in names.items():
        if lower == "connection":
            continue
        lists = [[shape(lower, value, reply, question) for value in reply.values(name)] for reply in (there, here)]
        if lists[0] != lists[1]:
            yield (f"field {name}", *(" | ".join(values) if values else "(none)" for values in lists))
        else:
            spelled = [[n for n, _ in reply.fields if n.lower() == lower] for reply in (there, here)]
            if spelled[0] != spelled[1]:
                yield (f"spelling {name}", *(" | ".join(names) for names in spelled))


def time_shape(reply, question):
    return "<long enough>" if reply.elapsed >= question.lasts else f"{reply.elapsed:.2f} s"


def differences(there, here, question):
    found = []

    def compare(aspect, one, other):
        if one != other:
            found.append((aspect, str(one), str(other)))

    compare("status", there.status, here.status)
    compare("reason", there.reason, here.reason)
    compare("version", there.version, here.version)
    compare("interim", there.interim, here.interim)
    compare("connection", *("closes" if reply.closes else "persists" for reply in (there, here)))
    found.extend(field_differences(there, here, question))
    contents = body(there, question), body(here, question)
    if contents[0] != contents[1]:
        found.append(("body", *excerpt(*contents)))
    compare("cut", there.cut, here.cut)
    compare("rest", there.rest, here.rest)
    if question.chunks:
        compare("chunks", there.chunks, here.chunks)
    if question.lasts:
        compare("time", time_shape(there, question), time_shape(here, question))
    return found
