"""Documents, images, codings and base64."""

from question import asking, get

ACCEPTS = (
    "image/webp",
    "image/svg+xml",
    "image/jpeg",
    "image/png",
    "image/*",
    "*/*",
    "IMAGE/PNG",
    "image/png, image/jpeg",
    "image/jpeg;q=0.5, image/png;q=0.9",
    "image/webp;q=0",
    "text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8",
    "image/gif",
    "text/html",
    "",
)

BASE64 = (
    "SFRUUEJJTiBpcyBhd2Vzb21l",
    "aGVsbG8=",
    "aGVsbG8",
    "w6k=",
    "_-_-",
    "-w==",
    "4pyT",
    "8J-YgA==",
    "8J+YgA==",
    "a",
    "ab",
    "abc",
    "abcd",
    "====",
    "aGVs bG8=".replace(" ", "%20"),
    "aGVs%0AbG8=",
    "!!!!",
    "!aGVsbG8=",
    "aGVsbG8=more",
    "aGVsbG8==",
    "%C3%A9",
    "PGI-aGk8L2I-",
    "AAAA",
    "//",
    "Zg==Zg==",
)


def questions():
    for accept in ACCEPTS:
        yield get("/image", ("Accept", accept), note=f"Accept {accept}")
    yield get("/image", ("Accept", "image/png"), ("Accept", "image/webp"), note="two Accept")
    for value in BASE64:
        yield get(f"/base64/{value}")
    for target in ("/gzip", "/deflate", "/brotli"):
        yield get(target, ("Accept-Encoding", "identity"), note="identity")
        yield get(
            target, ("Accept-Encoding", "gzip, deflate, br"), ("X-One", "é".encode().decode("latin-1")), note="all"
        )
        yield get(target + "?a=1&show_env", ("Via", "x"), note="env shown")
        yield get(target, ("X-Forwarded-For", "1.2.3.4"), note="forwarded for")
        yield get(target, ("Range", "bytes=0-3"), note="range")
    for target in ("/html", "/xml", "/json", "/robots.txt", "/encoding/utf8", "/image/png", "/forms/post"):
        yield get(target, ("Accept", "application/json"), note="Accept of another type")
        yield get(target, ("Range", "bytes=0-3"), note="range")
        yield get(target, ("If-None-Match", "*"), note="condition")
        yield asking("HEAD", target, version="HTTP/1.0")
