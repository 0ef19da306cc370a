"""Every end point by every method, and targets that are none."""

from question import HEX, PORT, UUID, asking

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")

# A target of each end point, with what its replies hold of chance.
TARGETS = {
    "/": {},
    "/html": {},
    "/robots.txt": {},
    "/deny": {},
    "/ip": {},
    "/uuid": {"hide": (UUID,)},
    "/headers": {},
    "/user-agent": {},
    "/get": {},
    "/anything": {},
    "/anything/some/path": {},
    "/post": {},
    "/put": {},
    "/patch": {},
    "/delete": {},
    "/gzip": {},
    "/deflate": {},
    "/brotli": {},
    "/redirect/2": {},
    "/redirect-to?url=/get": {},
    "/relative-redirect/2": {},
    "/absolute-redirect/2": {},
    "/stream/2": {},
    "/status/204": {},
    "/status/418": {},
    "/response-headers?X-One=1": {},
    "/cookies": {},
    "/cookies/set/name/value": {},
    "/cookies/set?name=value": {},
    "/cookies/delete?name": {},
    "/forms/post": {},
    "/basic-auth/user/passwd": {},
    "/hidden-basic-auth/user/passwd": {},
    "/bearer": {},
    "/digest-auth/auth/user/passwd": {"hide": (HEX,)},
    "/digest-auth/auth/user/passwd/SHA-256": {"hide": (HEX,)},
    "/digest-auth/auth/user/passwd/SHA-256/1": {"hide": (HEX,)},
    "/delay/0": {},
    "/drip?duration=0&numbytes=3": {},
    "/base64/SFRUUEJJTiBpcyBhd2Vzb21l": {},
    "/cache": {"hide": (HEX,)},
    "/cache/60": {},
    "/etag/abc": {},
    "/encoding/utf8": {},
    "/bytes/16?seed=1": {},
    "/stream-bytes/16?seed=1": {},
    "/range/26": {},
    "/links/3/1": {},
    "/links/3": {},
    "/image": {},
    "/image/png": {},
    "/image/jpeg": {},
    "/image/webp": {},
    "/image/svg": {},
    "/xml": {},
    "/json": {},
}

# Targets that no end point has: a slash too many, a segment too few, a number that is none.
STRANGERS = (
    "/nothing",
    "/get/",
    "/get/more",
    "/GET",
    "//get",
    "/status",
    "/status/",
    "/anything/",
    "/anything//",
    "/cookies/",
    "/cookies/set/",
    "/cookies/set/name",
    "/cookies/set/name/value/more",
    "/cookies/set/name/",
    "/basic-auth",
    "/basic-auth/user",
    "/basic-auth/user/",
    "/basic-auth/user/passwd/more",
    "/hidden-basic-auth/user",
    "/digest-auth",
    "/digest-auth/auth",
    "/digest-auth/auth/user",
    "/digest-auth/auth/user/passwd/MD5/never/more",
    "/redirect",
    "/redirect/",
    "/redirect/one",
    "/redirect/-1",
    "/redirect/1.5",
    "/redirect/+1",
    "/relative-redirect/x",
    "/absolute-redirect/x",
    "/stream/x",
    "/stream/-1",
    "/delay",
    "/bytes",
    "/bytes/x",
    "/bytes/-1",
    "/stream-bytes/x",
    "/stream-bytes/-1",
    "/range/x",
    "/range/-1",
    "/cache/x",
    "/cache/-1",
    "/etag",
    "/etag/",
    "/etag/a/b",
    "/links",
    "/links/x",
    "/links/3/x",
    "/links/3/-1",
    "/base64",
    "/base64/",
    "/base64/a/b",
    "/image/gif",
    "/image/",
    "/encoding",
    "/forms",
    "/forms/get",
    "/robots",
    "/static/nothing",
    "/static/favicon.ico",
    "/favicon.ico",
    "/spec.json",
    "/legacy",
)


def questions():
    for target, others in TARGETS.items():
        for method in METHODS:
            yield asking(method, target, question=others)
    for target in STRANGERS:
        yield asking("GET", target)
    for method in ("HEAD", "POST", "OPTIONS", "BREW"):
        yield asking(method, "/nothing")
    # A target that is written otherwise, and means the same.
    for target in (
        "/%67et",
        "/get?",
        "/get?#",
        "/a/../get",
        "/./get",
        "/get;x=1",
        "/anything/%2F/%41",
        "/anything/a%20b+c",
    ):
        yield asking("GET", target)
    yield asking("GET", "http://httpbin.test/get?absolute=form")
    yield asking("OPTIONS", "*")
    yield asking("GET", "/get", version="HTTP/1.0")
    yield asking("GET", "/get", ("Connection", "keep-alive"), version="HTTP/1.0", note="kept alive")
    yield asking("GET", "/get", ("Connection", "close"), note="closed")
    yield asking("GET", "/stream/2", version="HTTP/1.0")
    yield asking("GET", "/get", host=None, version="HTTP/1.0", note="no Host", question={"hide": (PORT,)})
