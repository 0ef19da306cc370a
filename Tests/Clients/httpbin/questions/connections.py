"""Several requests on one connection: each reply must end where it says, and content that nobody wants must be read."""

from question import FORM, Question
from wire import Request

BODY = b"content that the end point does not look at"
FIRST = {
    "GET /get": Request("GET", "/get"),
    "HEAD /get": Request("HEAD", "/get"),
    "HEAD /stream/2": Request("HEAD", "/stream/2"),
    "HEAD /image/png": Request("HEAD", "/image/png"),
    "OPTIONS /get": Request("OPTIONS", "/get"),
    "POST /get": Request("POST", "/get", (), BODY),
    "POST /status/204": Request("POST", "/status/204", (), BODY),
    "POST /status/304": Request("POST", "/status/304", (), BODY),
    "POST /nothing": Request("POST", "/nothing", (), BODY),
    "POST /post": Request("POST", "/post", (FORM,), b"a=1"),
    "POST /status/200 chunked": Request("POST", "/status/200", (), chunks=(b"a", b"bc")),
    "GET /basic-auth/a/b with content": Request("GET", "/basic-auth/a/b", (), BODY),
    "GET /redirect/1": Request("GET", "/redirect/1"),
    "GET /stream/3": Request("GET", "/stream/3"),
    "GET /stream-bytes/5000?seed=1": Request("GET", "/stream-bytes/5000?seed=1"),
    "GET /bytes/0": Request("GET", "/bytes/0"),
    "GET /status/204": Request("GET", "/status/204"),
    "GET /etag/a matched": Request("GET", "/etag/a", (("If-None-Match", "a"),)),
    "GET /range/26 of which nothing": Request("GET", "/range/26", (("Range", "bytes=30-"),)),
    "GET /drip": Request("GET", "/drip?duration=0&numbytes=3"),
    "GET /gzip": Request("GET", "/gzip"),
    "GET /status/500": Request("GET", "/status/500"),
    "GET /redirect/0": Request("GET", "/redirect/0"),
}


def questions():
    for name, request in FIRST.items():

        def steps(request=request):
            yield request
            yield Request("GET", "/get?second")
            yield request
            yield Request("POST", "/post?fourth", (FORM,), b"b=2")

        yield Question(f"{name} [and more on its connection]", steps, kept=True)
