"""Conditions, entity tags, freshness, and fields of the reply that the request chooses."""

from question import HEX, asking, get

SINCE = ("If-Modified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")
TAGS = (
    "abc",
    '"abc"',
    'W/"abc"',
    "W/abc",
    '"x", "abc"',
    '"x","y"',
    "x",
    '"x"',
    "*",
    '"*"',
    '"abc',
    '"ABC"',
    "",
    " ",
    ",",
    '"a,abc"',
    '  "abc"  ',
    'w/"abc"',
)
HEADERS = (
    "X-One=1",
    "x-one=1",
    "X-One=1&X-One=2",
    "X-One=1&x-one=2",
    "X-One=1&x-one=2&X-One=3",
    "B=1&A=2&c=3",
    "X-Empty=",
    "X-None",
    "Content-Type=text/plain",
    "content-type=text/plain",
    "Content-Type=text/plain;%20charset=utf-8",
    "Set-Cookie=a=1",
    "Set-Cookie=a=1&Set-Cookie=b=2",
    "Server=other",
    "ETag=%22x%22",
    "Cache-Control=max-age=5&Age=1",
    "X-Blank=a%20b+c",
    "X-Utf=%C3%A9",
    "X-Latin=%E9",
    "X-Quote=%22%5C",
    "X-Lines=a%0D%0AX-Injected:%201",
    "X-Line=a%0Ab",
    "X-Nul=%00",
    "X%20Name=1",
    "X%C3%A9=1",
    "X%3AName=1",
    "=1",
    "",
    "a=1;b=2",
    "Access-Control-Allow-Origin=x",
    "Location=/get",
    "Warning=1&Warning=2&Warning=3",
    "X-Long=" + "x" * 4_000,
)


def questions():
    chance = {"hide": (HEX,)}
    yield get("/cache", SINCE, note="If-Modified-Since")
    yield get("/cache", ("If-None-Match", "x"), note="If-None-Match")
    yield get("/cache", ("If-None-Match", ""), note="If-None-Match empty", question=chance)
    yield get("/cache", ("If-Modified-Since", ""), note="If-Modified-Since empty", question=chance)
    yield get("/cache", ("If-Modified-Since", "nonsense"), note="If-Modified-Since that is no date")
    yield get("/cache", ("If-Match", "x"), note="If-Match", question=chance)
    yield get("/cache?a=1", ("X-Forwarded-Proto", "https"), note="forwarded https", question=chance)
    yield asking("HEAD", "/cache", SINCE, note="If-Modified-Since")
    for n in ("0", "1", "99999999999999999999", "060"):
        yield get(f"/cache/{n}")
    yield get("/cache/60?a=1", SINCE, note="If-Modified-Since")
    for tag in TAGS:
        yield get("/etag/abc", ("If-None-Match", tag), note=f"If-None-Match {tag}")
        yield get("/etag/abc", ("If-Match", tag), note=f"If-Match {tag}")
    yield get("/etag/abc", ("If-Match", "x"), ("If-None-Match", "abc"), note="both, none matches")
    yield get("/etag/abc", ("If-Match", "x"), ("If-None-Match", "y"), note="both, If-None-Match fails")
    yield get("/etag/abc", ("If-None-Match", "x"), ("If-None-Match", "abc"), note="two fields")
    for tag in ("a%20b", "%22q%22", "%C3%A9", "a,b", "*", "a%0D%0Ab", "W%2Fx"):
        yield get(f"/etag/{tag}")
    for query in HEADERS:
        yield get(f"/response-headers?{query}")
    # A second Content-Length makes the first one wrong, so a client must be told where the content ends.
    yield get("/response-headers?Content-Length=5", ("Connection", "close"), note="closed")
    yield asking("POST", "/response-headers?X-One=1", body=b"X-Two=2", note="with content")
    yield asking("HEAD", "/response-headers?X-One=1&X-Two=2")
