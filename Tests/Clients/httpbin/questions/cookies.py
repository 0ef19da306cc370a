"""Cookies as they are read, set and deleted."""

from question import asking, get

READ = {
    "one": ("a=1",),
    "two": ("a=1; b=2",),
    "two fields": ("a=1", "b=2"),
    "same name": ("a=1; a=2",),
    "no value": ("a=",),
    "no equal sign": ("a",),
    "no name": ("=1",),
    "quotes": ('a="quoted"; b="x y"',),
    "escapes in quotes": ('a="\\"b\\\\\\073\\303\\251"',),
    "percent": ("a=%20%C3%A9",),
    "UTF-8": ("a=é".encode().decode("latin-1"),),
    "Latin-1": ("a=\xe9",),
    "no blanks": ("a=1;b=2",),
    "many blanks": ("  a = 1 ;  b=2 ; ",),
    "commas": ("a=1, b=2",),
    "equal signs": ("a=b=c==",),
    "order": ("b=1; a=2; C=3",),
    "brackets": ("a[b]=1; c{}=2",),
    "attributes": ("$Version=1; a=1; $Path=/",),
    "env": ("__utmz=1; _gauges_unique=2; a=3; __utma=4; __utmb=5; _gauges_unique_day=6",),
    "empty": ("",),
}

PAIRS = (
    "a/1",
    "a/b%20c",
    "a/%C3%A9",
    "%C3%A9/1",
    "a/%22q%22",
    "a/b;c",
    "a/b,c",
    "a/b=c",
    "a/b+c",
    "a/b%0Ac",
    "a/b%0D%0AX-Injected:%201",
    "a%20b/c",
    "a%3Db/c",
    "a/%5C",
    "a/%00",
    "a/%25",
    "A-b_c.d/1",
    "__Host-a/1",
)


def questions():
    for note, values in READ.items():
        yield get("/cookies", *(("Cookie", value) for value in values), note=note)
    yield get("/cookies?show_env=1", *(("Cookie", value) for value in READ["env"]), note="env shown")
    for pair in PAIRS:
        yield get(f"/cookies/set/{pair}")
    for query in (
        "",
        "a=1",
        "a=1&b=2",
        "b=1&a=2",
        "a=1&a=2",
        "a",
        "a=b%20c",
        "a=%C3%A9",
        "=1",
        "a=%3B%2C",
        "a b=c".replace(" ", "+"),
    ):
        yield get(f"/cookies/set?{query}")
        yield get(f"/cookies/delete?{query}")
    https = ("X-Forwarded-Proto", "https")
    yield get("/cookies/set/a/1", https, note="forwarded https")
    yield get("/cookies/set?a=1", https, note="forwarded https")
    yield get("/cookies/delete?a=1", https, note="forwarded https")
    yield get("/cookies/set?a=" + "x" * 5_000)
    yield asking("HEAD", "/cookies/set?a=1&b=2")
    yield asking("GET", "/cookies/set/a/1", ("Cookie", "a=0; b=2"), note="with cookies")
    yield asking("GET", "/cookies/set?freeform=a", host="other.test:8080", note="Host other.test:8080")
