"""Status lists, bytes by a seed, streams, drips, delays, ranges, links, chance."""

from question import UUID, asking, get

STATUSES = tuple(range(200, 210)) + (226, 299) + tuple(range(300, 309)) + tuple(range(400, 432))
STATUSES += (444, 451, 499) + tuple(range(500, 512)) + (520, 599)
ODD_STATUSES = (
    "600",
    "999",
    "1000",
    "99",
    "100",
    "101",
    "102",
    "103",
    "199",
    "0",
    "-1",
    "007",
    "+200",
    "200.0",
    "x",
    "%20200",
)
LISTS = (
    "200,200",
    "404,404,404",
    "200:1",
    "200:0,500:1",
    "500:1,200:0",
    "201:0.5,201:3",
    "418:1e3,418",
    "200,x",
    "x,200",
    "200:x,500",
    "200:1:2,500",
    "200,",
    ",",
    "200:,300",
    "200: 1,200".replace(" ", "%20"),
    "-1,-1",
)
SEEDS = (
    "0",
    "1",
    "42",
    "-1",
    "-42",
    "4294967295",
    "4294967296",
    "123456789012345678901234567890",
    "+7",
    "1_000",
    "%201",
    "x",
    "",
    "1.5",
)
RANGES = (
    "bytes=0-",
    "bytes=0-0",
    "bytes=0-25",
    "bytes=5-9",
    "bytes=25-",
    "bytes=25-25",
    "bytes=-1",
    "bytes=-5",
    "bytes=-26",
    "bytes=-100",
    "bytes=-0",
    "bytes=26-",
    "bytes=26-30",
    "bytes=20-100",
    "bytes=9-5",
    "bytes=100-200",
    "bytes=0-4,10-14",
    "bytes=0-4, 6-",
    "bytes=",
    "bytes=-",
    "bytes=x-y",
    "bytes=1-x",
    "bytes=x-3",
    "bytes 1-3",
    "bytes",
    "bytes=1=3",
    "bytes=1",
    "bytes = 1-3",
    "  bytes=1-3  ",
    "BYTES=1-3",
    "items=1-3",
    "bytes=1-3-5",
    "bytes=+1-+3",
    "bytes= 1 - 3 ",
    "bytes=0x1-3",
    "bytes=1_0-1_2",
    "",
)


def questions():
    yield from statuses()
    yield from random_bytes()
    yield from streams()
    yield from ranges()
    yield from links()
    yield from slow()
    yield get("/uuid?x=1", question={"hide": (UUID,)})


def statuses():
    for status in STATUSES:
        yield get(f"/status/{status}")
    # A client that reads on behind an interim status gets the end of the connection.
    closing = ("Connection", "close")
    for status in ODD_STATUSES:
        yield get(f"/status/{status}", closing)
    for codes in LISTS:
        yield get(f"/status/{codes}", closing, note="list")
    for method in ("HEAD", "POST", "PUT", "DELETE", "OPTIONS"):
        for status in (200, 204, 304, 401, 404, 500):
            yield asking(method, f"/status/{status}", note="method")
    yield get("/status/500:1000000000,200:0.0000001", note="weights")


def random_bytes():
    for target in ("/bytes/37", "/stream-bytes/37"):
        for seed in SEEDS:
            yield get(f"{target}?seed={seed}")
    for n in ("0", "1", "2", "623", "624", "625", "1000", "102400", "102401", "1000000", "007"):
        yield get(f"/bytes/{n}?seed=7")
        yield get(f"/stream-bytes/{n}?seed=7", question={"chunks": True})
    for n in (0, 10, 100, 200_000):
        yield get(f"/bytes/{n}", question={"body": "length"})
        yield get(f"/stream-bytes/{n}", question={"body": "length", "chunks": True})
    for size in ("1", "7", "37", "100", "0", "-1", "x", "1.5", ""):
        yield get(f"/stream-bytes/20?seed=3&chunk_size={size}", question={"chunks": True})
    yield get("/stream-bytes/30000?seed=3&chunk_size=1000", question={"chunks": True})
    yield get("/bytes/5?SEED=3")
    yield get("/bytes/5?seed=3&seed=4")
    yield get("/stream-bytes/5?Seed=3&Chunk_Size=2", question={"chunks": True})


def streams():
    for n in ("0", "1", "2", "100", "101", "1000", "02"):
        yield get(f"/stream/{n}", question={"chunks": True})
    yield get(
        "/stream/2?b=1&a=2&b=3",
        ("X-One", "é".encode().decode("latin-1")),
        question={"chunks": True},
        note="query and field",
    )
    yield get("/stream/1", ("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "1.2.3.4"), note="forwarded")


def ranges():
    for value in RANGES:
        yield get("/range/26", ("Range", value), note=f"Range {value!r}")
    for n in ("0", "1", "25", "27", "53", "102400", "102401", "99999999999999999999", "026"):
        yield get(f"/range/{n}")
        yield get(f"/range/{n}", ("Range", "bytes=0-9"), note="range")
    for size in ("1", "10", "26", "100", "0", "-5", "x", ""):
        yield get(f"/range/26?chunk_size={size}")
    yield get("/range/26?duration=0")
    yield get("/range/26?duration=x")
    yield get("/range/26", ("Range", "bytes=1-3"), ("Range", "bytes=5-7"), note="two fields")
    yield asking("HEAD", "/range/26", ("Range", "bytes=1-3"), note="range")
    for name, value in (
        ("If-Range", "range26"),
        ("If-Range", '"range26"'),
        ("If-Range", "other"),
        ("If-None-Match", "range26"),
        ("If-Match", "x"),
    ):
        yield get("/range/26", ("Range", "bytes=1-3"), (name, value), note=f"range, {name} {value}")


def links():
    for path in ("0/0", "1/0", "1/1", "3/0", "3/2", "3/3", "3/100", "200/199", "201/200", "1000/5", "03/01"):
        yield get(f"/links/{path}")
    for n in ("0", "1", "10", "1000"):
        yield get(f"/links/{n}")


def slow():
    def lasting(seconds):
        return {"lasts": seconds}

    yield get("/delay/0.3", question=lasting(0.3))
    yield get("/delay/1", question=lasting(1))
    yield get("/delay/60", question=lasting(10))
    yield get("/delay/1e-1", question=lasting(0.1))
    yield asking("POST", "/delay/0.2", body=b"x", question=lasting(0.2))
    for value in ("x", "-1", "1,5", "+0", "%200", "0x1", "nan", "-0.0", "0_0", ".0", "0."):
        yield get(f"/delay/{value}")
    yield get("/drip?duration=0.4&numbytes=4&delay=0.2", question=lasting(0.5))
    yield get("/drip?delay=0.3&numbytes=2&duration=0", question=lasting(0.3))
    yield get("/drip", question=lasting(1.7))
    yield get("/range/20?duration=0.5", question=lasting(0.4))
    yield get("/range/20?duration=0.5&chunk_size=5", ("Range", "bytes=0-9"), note="part", question=lasting(0.1))
    fast = "/drip?duration=0"
    for query in (
        "",
        "&numbytes=1",
        "&numbytes=0",
        "&numbytes=-1",
        "&numbytes=x",
        "&numbytes=1.5",
        "&numbytes=100",
        "&code=404",
        "&code=500",
        "&code=x",
        "&code=204",
        "&code=304",
        "&delay=x",
        "&delay=-1",
        "&NumBytes=3&CODE=201",
        "&numbytes=3&numbytes=5",
    ):
        yield get(fast + query)
    for value in ("x", "-1", ""):
        yield get(f"/drip?numbytes=2&duration={value}")
