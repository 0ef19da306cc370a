"""What the end points say of a request's fields, query and address; CORS."""

from question import asking, get

QUERIES = (
    "a=1",
    "a=1&b=2",
    "b=2&a=1",
    "a=1&a=2",
    "a=1&a=2&a=3&b",
    "a",
    "a=",
    "=a",
    "&&a=1&",
    "a=1;b=2",
    "a=b=c",
    "a=1+2",
    "a=1%202",
    "a=%2B%26%3D%3F%23",
    "%61=%62",
    "a=%C3%A9",
    "%E6%97%A5=%F0%9F%98%80",
    "a=%ff",
    "a=%zz",
    "a=%",
    "a=%00",
    "A=1&a=2&B=3&_=4",
    "a[]=1&a[]=2",
    "a.b=1&a-b=2",
    "a=%22quoted%22&b=%5C",
    "a=/path?x&b=http://user@host/",
    "a='single'",
    "a=<b>",
    "a=a,b;c:d@e!$*()~",
    "a=[1]|^`{}",
    "show_env",
    "show_env=1",
    "a=\xe9",
)

FIELDS = {
    "one": (("X-One", "1"),),
    "lower case": (("x-lower-case", "1"),),
    "upper case": (("X-UPPER-CASE", "1"),),
    "digits": (("x-1a-2B", "1"),),
    "same name twice": (("X-One", "1"), ("X-One", "2")),
    "same name, other case": (("X-One", "1"), ("Accept", "a"), ("x-one", "2")),
    "empty": (("X-Empty", ""),),
    "blanks around": (("X-Blanks", "  a  b \t"),),
    "commas": (("X-List", "a,b , c"),),
    "Latin-1": (("X-Latin", "\xe9"),),
    "UTF-8": (("X-Utf", "é日".encode().decode("latin-1")),),
    "quotes": (("X-Quotes", '"a\\b"'),),
    "underscore": (("X_Under", "1"), ("X-Under", "2")),
    "order": (("B", "1"), ("a", "2"), ("C", "3"), ("Ab", "4")),
    "punctuation": (("X!#$%&'*+.^`|~", "1"),),
    "cookie": (("Cookie", "a=1; b=2"),),
    "two cookies": (("Cookie", "a=1"), ("Cookie", "b=2")),
    "two Accept": (("Accept", "text/html"), ("Accept", "*/*")),
    "type and length": (("Content-Type", "text/plain"), ("Content-Length", "0")),
    "type alone": (("Content-Type", "text/plain"),),
    "authorization": (("Authorization", "Basic dXNlcjpwYXNz"),),
    "connection": (("Connection", "keep-alive, X-One"), ("X-One", "1"), ("Keep-Alive", "timeout=5")),
    "hop by hop": (("TE", "trailers"), ("Upgrade", "h2c"), ("Connection", "TE, Upgrade")),
    "user agent": (("User-Agent", "a/1 (b; c)"),),
    "env": (
        ("X-Varnish", "1"),
        ("X-Request-Start", "2"),
        ("X-Heroku-Queue-Depth", "3"),
        ("X-Real-Ip", "4"),
        ("X-Heroku-Queue-Wait-Time", "5"),
        ("X-Heroku-Dynos-In-Use", "6"),
        ("X-Forwarded-Port", "7"),
        ("X-Request-Id", "8"),
        ("Via", "9"),
        ("Total-Route-Time", "10"),
        ("Connect-Time", "11"),
        ("X-Other", "12"),
    ),
}

FORWARDED = {
    "https": (("X-Forwarded-Proto", "https"),),
    "http": (("X-Forwarded-Proto", "http"),),
    "ftp": (("X-Forwarded-Proto", "ftp"),),
    "upper case": (("X-Forwarded-Proto", "HTTPS"),),
    "empty": (("X-Forwarded-Proto", ""),),
    "protocol": (("X-Forwarded-Protocol", "https"),),
    "protocol ssl": (("X-Forwarded-Protocol", "ssl"),),
    "ssl on": (("X-Forwarded-Ssl", "on"),),
    "ssl off": (("X-Forwarded-Ssl", "off"),),
    "contradiction": (("X-Forwarded-Proto", "https"), ("X-Forwarded-Ssl", "off")),
    "for": (("X-Forwarded-For", "1.2.3.4"),),
    "for a list": (("X-Forwarded-For", "1.2.3.4, 5.6.7.8"),),
    "for twice": (("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-For", "5.6.7.8")),
    "for empty": (("X-Forwarded-For", ""),),
    "host": (("X-Forwarded-Host", "other.test"),),
    "forwarded": (("Forwarded", "for=1.2.3.4;proto=https"),),
}

ORIGIN = ("Origin", "https://app.test")
PREFLIGHT = (ORIGIN, ("Access-Control-Request-Method", "PUT"))


def questions():
    for query in QUERIES:
        yield get(f"/get?{query}")
    for query in QUERIES[:8]:
        yield get(f"/anything/{query}?{query}")
    for note, fields in FIELDS.items():
        yield get("/headers", *fields, note=note)
    for note, fields in FORWARDED.items():
        yield get("/get", *fields, note=f"forwarded {note}")
    for note in ("for", "for a list", "for twice", "for empty"):
        yield get("/ip", *FORWARDED[note], note=f"forwarded {note}")
    yield get("/headers?show_env", *FIELDS["env"], note="env shown")
    yield get("/get?show_env=1&a=2", *FIELDS["env"], *FORWARDED["https"], note="env shown")
    yield from agents()
    yield from hosts()
    yield from origins()


def agents():
    for value in ("curl/8.5.0", "", "é".encode().decode("latin-1"), 'a "quoted" one'):
        yield get("/user-agent", ("User-Agent", value), note=f"{value!r}")
    yield get("/user-agent", ("User-Agent", "a"), ("User-Agent", "b"), note="twice")


def hosts():
    for host in (
        "httpbin.test:8080",
        "httpbin.test:80",
        "127.0.0.1:8088",
        "[::1]:8088",
        "HTTPBIN.test",
        "localhost",
        "a.b:443",
    ):
        yield get("/get?a=1", host=host, note=f"Host {host}")
        yield asking("POST", "/post", host=host, note=f"Host {host}")


def origins():
    for target in (
        "/get",
        "/status/404",
        "/status/204",
        "/nothing",
        "/bytes/4?seed=1",
        "/redirect/1",
        "/basic-auth/a/b",
        "/stream/1",
    ):
        yield get(target, ORIGIN, note="with Origin")
    yield get("/get", ("Origin", "null"), note="Origin null")
    yield get("/get", ("Origin", ""), note="Origin empty")
    yield get("/get", ORIGIN, ("Origin", "https://b.test"), note="two origins")
    for target in ("/get", "/post", "/anything", "/status/200", "/nothing", "/delay/0", "/digest-auth/auth/a/b"):
        yield asking("OPTIONS", target, *PREFLIGHT, note="preflight")
    asked = ("Access-Control-Request-Headers", "X-One, content-type")
    yield asking("OPTIONS", "/put", *PREFLIGHT, asked, note="preflight with fields")
    yield asking("OPTIONS", "/put", asked, note="preflight fields without Origin")
    empty = ("Access-Control-Request-Headers", "")
    yield asking("OPTIONS", "/put", *PREFLIGHT, empty, note="preflight with no field")
