"""Redirects of each kind, by number and to a URL, with and without Host; /status of 3xx."""

from question import FORM, PORT, asking, get

KINDS = ("redirect", "relative-redirect", "absolute-redirect")
URLS = (
    "/get",
    "http://other.test/x?y=1",
    "http%3A%2F%2Fother.test%2Fx%3Fy%3D1%26z",
    "get",
    "",
    "?a=1",
    "//other.test/",
    "/a b",
    "/a%20b",
    "/%C3%A9",
    "http://%C3%A9.test/%E6%97%A5?%F0%9F%98%80",
    "/x%23frag",
    "/%22quoted%22<>",
    "mailto:a@b.test",
    "/a%0D%0AX-Injected:%201",
    "/a%0Ab",
    "/%00",
    "/a+b",
    "/[x]|{}^",
    "/%5Cback",
    "/%25zz",
)


def questions():
    for kind in KINDS:
        for n in ("0", "1", "2", "3", "10", "03", "100000000000000000000"):
            yield get(f"/{kind}/{n}")
        for host in ("other.test:8080", "[::1]:80", "other.test:80", "other.test:443"):
            yield get(f"/{kind}/1", host=host, note=f"Host {host}")
            yield get(f"/{kind}/3", host=host, note=f"Host {host}")
        yield get(f"/{kind}/2", host=None, version="HTTP/1.0", note="no Host", question={"hide": (PORT,)})
        yield get(f"/{kind}/2", ("X-Forwarded-Proto", "https"), note="forwarded https")
        yield get(f"/{kind}/2?a=1")
    for value in ("true", "TRUE", "1", "false", ""):
        yield get(f"/redirect/1?absolute={value}")
        yield get(f"/redirect/3?absolute={value}")
    yield from to_urls()


def to_urls():
    for url in URLS:
        yield get(f"/redirect-to?url={url}")
    for status in (
        "301",
        "302",
        "303",
        "304",
        "305",
        "307",
        "308",
        "399",
        "300",
        "299",
        "400",
        "200",
        "0",
        "-1",
        "x",
        "",
        "3.5",
        "+301",
        " 301".replace(" ", "%20"),
    ):
        yield get(f"/redirect-to?url=/get&status_code={status}")
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        yield asking(method, "/redirect-to?url=/post&status_code=307", body=b"x")
        yield asking(method, "/redirect-to", FORM, body=b"url=/get&status_code=301", note="by form")
    yield get("/redirect-to")
    yield get("/redirect-to?status_code=301")
    yield get("/redirect-to?URL=/get")
    yield get("/redirect-to?url=/a&url=/b")
    yield get("/redirect-to?url=/a&URL=/b")
    yield get("/redirect-to?url=/a&Status_Code=301")
    yield get("/redirect-to?url=/a&more=1&b=2")
