"""Content of every kind to the end points that describe it."""

from question import FORM, JSON, asking, post

TEXT = ("Content-Type", "text/plain")
OCTETS = ("Content-Type", "application/octet-stream")
TARGETS = (("POST", "/post"), ("PUT", "/put"), ("PATCH", "/patch"), ("DELETE", "/delete"), ("POST", "/anything/x"))


def multipart(*parts, boundary="boundary", end=True):
    """Content-Type and content; a part is (fields, content)."""
    content = b""
    for fields, body in parts:
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
        content += f"--{boundary}\r\n{lines}\r\n".encode() + body + b"\r\n"
    if end:
        content += f"--{boundary}--\r\n".encode()
    return ("Content-Type", f"multipart/form-data; boundary={boundary}"), content


def part(body, disposition, *fields):
    return (("Content-Disposition", f"form-data; {disposition}"), *fields), body


# (note, fields, content) that every method is asked with.
EVERYWHERE = (
    ("nothing", (), b""),
    ("text", (TEXT,), b"hello"),
    ("no type", (), b"hello"),
    ("JSON", (JSON,), b'{"b": [1, 2.50, null], "a": "\xc3\xa9"}'),
    ("form", (FORM,), b"a=1&b=2&a=3"),
    ("bytes", (OCTETS,), bytes(range(256))),
    ("file", *(lambda t, b: ((t,), b))(*multipart(part(b"content", 'name="f"; filename="f.txt"', TEXT)))),
)

JSONS = {
    "array": b"[1,2]",
    "string": b'"text"',
    "number": b"1",
    "negative zero": b"-0",
    "float": b"1.0",
    "exponent": b"1e3",
    "small exponent": b"1e-7",
    "big exponent": b"1e400",
    "long fraction": b"0.1234567890123456789",
    "big integer": b"123456789012345678901234567890",
    "largest of 64 bits": b"9223372036854775807",
    "true": b"true",
    "null": b"null",
    "empty object": b"{}",
    "empty array": b"[]",
    "nested empties": b'{"a": {}, "b": [[], {}]}',
    "nested": b'{"a": {"b": {"c": [1, {"d": 2}]}}}',
    "same name twice": b'{"a": 1, "a": 2}',
    "blanks": b' \r\n\t{ "a" : 1 } \n',
    "escapes": b'"\\u00e9\\n\\t\\b\\f\\r\\"\\\\\\/\\u007f\\u0001"',
    "surrogates": b'"\\ud83d\\ude00"',
    "half a surrogate": b'"\\ud83d"',
    "UTF-8": '{"é": "日本 😀"}'.encode(),
    "upper and lower": b'{"b": 1, "B": 2, "a": 3, "A": 4, "_": 5, "0": 6}',
    "names beyond ASCII": '{"é": 1, "z": 2, "日": 3, "😀": 4, "\uffff": 5}'.encode(),
    "NaN": b"NaN",
    "Infinity": b"[Infinity, -Infinity]",
    "HTML": b"\"<a href='x'>&amp;</a>\"",
    "cut": b'{"a": 1',
    "comma too much": b'{"a": 1,}',
    "two values": b"1 2",
    "single quotes": b"{'a': 1}",
    "control character": b'"a\nb"',
    "byte order mark": b"\xef\xbb\xbf{}",
    "no UTF-8": b'"\xff"',
    "leading zero": b"01",
    "deep": b"[" * 40 + b"]" * 40,
}

FORMS = {
    "plus and percent": b"a=1+2&b=%26%3D&%C3%A9=%F0%9F%98%80",
    "no value": b"a&b=&=c",
    "empty pairs": b"&&a=1&&",
    "bad percent": b"a=%zz&b=%4",
    "no UTF-8": b"a=%ff&b=\xff",
    "semicolon": b"a=1;b=2",
    "two equal signs": b"a=b=c",
    "upper names": b"B=1&a=2&A=3&b=4",
    "same name three times": b"a=1&a=1&a=",
    "raw bytes": "é=日".encode(),
}

FILES = {
    "field": multipart(part(b"value", 'name="a"')),
    "empty field": multipart(part(b"", 'name="a"')),
    "same field twice": multipart(part(b"1", 'name="a"'), part(b"2", 'name="a"')),
    "field and file": multipart(part(b"1", 'name="a"'), part(b"x", 'name="f"; filename="f"')),
    "two files of one name": multipart(part(b"x", 'name="f"; filename="1"'), part(b"y", 'name="f"; filename="2"')),
    "file without type": multipart(part(b"x", 'name="f"; filename="f.bin"')),
    "binary file": multipart(part(b"\x00\xff\x80", 'name="f"; filename="f"')),
    "binary file of a type": multipart(part(b"\xff\xd8", 'name="f"; filename="f.jpg"', ("Content-Type", "image/jpeg"))),
    "binary field": multipart(part(b"\xff", 'name="a"')),
    "empty file": multipart(part(b"", 'name="f"; filename="f"', OCTETS)),
    "no file name": multipart(part(b"x", 'name="f"; filename=""', OCTETS)),
    "no quotes": multipart(part(b"x", "name=f; filename=f.txt")),
    "escaped quotes": multipart(part(b"x", 'name="a\\"b"')),
    "file name by RFC 5987": multipart(part(b"x", "name=\"f\"; filename*=utf-8''%C3%A9.txt")),
    "UTF-8 name": multipart(part("é".encode(), 'name="é"')),
    "name in lower case": multipart(((("content-disposition", 'form-data; name="a"'),), b"1")),
    "lines": multipart(part(b"one\r\ntwo\nthree\r\n", 'name="a"')),
    "boundary within": multipart(part(b"--boundar\r\n-- boundary", 'name="a"')),
    "no parts": multipart(),
    "no end": multipart(part(b"1", 'name="a"'), end=False),
    "other boundary": (multipart(boundary="other")[0], multipart(part(b"1", 'name="a"'))[1]),
    "quoted boundary": (
        ("Content-Type", 'multipart/form-data; boundary="a b"'),
        multipart(part(b"1", 'name="a"'), boundary="a b")[1],
    ),
    "no boundary": (("Content-Type", "multipart/form-data"), multipart(part(b"1", 'name="a"'))[1]),
    "preamble": (multipart()[0], b"before\r\n" + multipart(part(b"1", 'name="a"'))[1] + b"after"),
    "mixed": (("Content-Type", "multipart/mixed; boundary=boundary"), multipart(part(b"1", 'name="a"'))[1]),
    "upper type": (
        ("Content-Type", "Multipart/Form-Data; boundary=boundary"),
        multipart(part(b"1", 'name="a"'))[1],
    ),
    "encoded part": multipart(part(b"aGVsbG8=", 'name="a"', ("Content-Transfer-Encoding", "base64"))),
    "Latin-1 part": multipart(part(b"\xe9", 'name="a"', ("Content-Type", "text/plain; charset=iso-8859-1"))),
}


def questions():
    for method, target in TARGETS:
        for note, fields, body in EVERYWHERE:
            yield asking(method, target, *fields, body=body, note=note)
    for note, body in JSONS.items():
        yield post("/post", JSON, body=body, note=f"JSON {note}")
    for note, body in FORMS.items():
        yield post("/post", FORM, body=body, note=f"form {note}")
    for note, (kind, body) in FILES.items():
        yield post("/post", kind, body=body, note=f"multipart {note}")
    yield from others()


def others():
    yield post("/post", ("Content-Type", FORM[1] + "; charset=utf-8"), body=b"a=1", note="form with charset")
    yield post("/post", ("Content-Type", FORM[1] + "; charset=iso-8859-1"), body=b"a=%e9", note="form with Latin-1")
    yield post("/post", ("content-type", FORM[1].upper()), body=b"a=1", note="form in upper case")
    yield post("/post", ("Content-Type", "nonsense"), body=b"a=1", note="a type that is none")
    yield post("/post", ("Content-Type", ""), body=b"a=1", note="an empty type")
    yield post("/post?a=1&b=2", FORM, body=b"a=3", note="query and form")
    yield post("/post", TEXT, body=b'{"a": 1}', note="JSON as text")
    yield post("/post", TEXT, body="é\r\n\x00".encode(), note="text with NUL")
    yield post("/post", ("Content-Type", "application/vnd.api+json"), body=b'{"a": 1}', note="a type with +json")
    yield post("/post", ("Content-Type", "image/png"), body=b"\x89PNG", note="bytes of a type")
    yield post("/post", OCTETS, body=b"x" * 100_000, note="100,000 bytes")
    yield post("/post", OCTETS, body=b"x" * 1_000_000, note="1,000,000 bytes")
    yield post("/post", OCTETS, body=b"x" * 1_100_000, note="1,100,000 bytes")
    yield post("/status/201", OCTETS, body=b"x" * 1_100_000, note="1,100,000 bytes")
    yield post("/post", FORM, body=b"a=" + b"x" * 100_000, note="a form of 100,000 bytes")
    yield post("/post", ("Content-Encoding", "gzip"), TEXT, body=b"not gzip", note="coded content")
    yield post("/post", ("Expect", "100-continue"), TEXT, body=b"hello", note="expecting 100")
    yield asking("GET", "/get", TEXT, body=b"hello", note="with content")
    yield asking("GET", "/anything", JSON, body=b'{"a": 1}', note="with content")
    yield asking("GET", "/headers", TEXT, body=b"hello", note="with content")
    for method, target in TARGETS:
        yield asking(method, target, TEXT, chunks=(b"hel", b"lo"), note="chunked")
    yield post("/post", JSON, chunks=(b'{"a":', b" 1}"), note="chunked JSON")
    yield post("/post", FORM, chunks=(b"a=1&", b"b=2"), note="chunked form")
    kind, body = FILES["field and file"]
    yield post("/post", kind, chunks=(body[:7], body[7:90], body[90:]), note="chunked multipart")
    yield post("/post", TEXT, chunks=(), note="chunked, empty")
    yield post("/status/200", TEXT, body=b"hello", note="content that nobody asked for")
    yield post("/delay/0", FORM, body=b"a=1", note="form")
    yield post("/delay/0", JSON, body=b'{"a": 1}', note="JSON")
