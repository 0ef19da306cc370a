"""Digest: challenges, answers of every algorithm and qop, right and wrong, cookies, nonces that grow stale."""

import hashlib
import re

from question import HEX, Question, asking, get
from wire import Request

HASHES = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256, "SHA-512": hashlib.sha512}
UNQUOTED = ("algorithm", "qop", "nc")
CHANCE = {"hide": (HEX,)}


def challenge(reply):
    return dict(re.findall(r'(\w+)="([^"]*)"', reply.value("WWW-Authenticate")))


def digested(algorithm, *parts):
    return HASHES[algorithm](b":".join(p if isinstance(p, bytes) else p.encode() for p in parts)).hexdigest()


def credentials(reply, request, algorithm="MD5", qop="auth", user="user", password="passwd", **changes):
    """An Authorization field; changes are of its parameters, and None leaves one out. RFC 7616 §3.4."""
    asked = challenge(reply)
    parameters = {
        "username": user,
        "realm": asked["realm"],
        "nonce": asked["nonce"],
        "uri": request.target,
        "algorithm": algorithm,
        "opaque": asked.get("opaque"),
    }
    if qop is not None:
        parameters.update(qop=qop, nc="00000001", cnonce="0a4f113b")
    parameters.update({name: value for name, value in changes.items() if name != "response"})
    get_of = parameters.get
    first = digested(algorithm, user, get_of("realm") or "", password)
    content = (digested(algorithm, request.body),) if qop == "auth-int" else ()
    second = digested(algorithm, request.method, get_of("uri") or "", *content)
    middle = () if qop is None else (get_of("nc") or "", get_of("cnonce") or "", qop)
    parameters["response"] = changes.get("response", digested(algorithm, first, get_of("nonce") or "", *middle, second))
    shown = (
        f"{name}={value}" if name in UNQUOTED else f'{name}="{value}"'
        for name, value in parameters.items()
        if value is not None
    )
    return ("Authorization", "Digest " + ", ".join(shown))


def cookies(reply, known=None):
    """The Cookie field that a client with a jar sends next; known is its jar, which this changes."""
    jar = {} if known is None else known
    for value in reply.values("Set-Cookie"):
        name, _, rest = value.partition("=")
        jar[name] = rest.split(";")[0]
    return ("Cookie", "; ".join(f"{name}={value}" for name, value in jar.items()))


def flow(target, *, note, method="GET", body=b"", jar=True, rounds=1, rechallenged=True, **chosen):
    """A challenge and its answer, and then the same again: to the newest challenge, or to the first one."""

    def steps():
        known = {}
        asked = yield Request(method, target, (), body)
        last = asked
        for _ in range(rounds):
            plain = Request(method, target, (), body)
            fields = [credentials(asked, plain, **chosen)] + ([cookies(last, known)] if jar else [])
            last = yield Request(method, target, tuple(fields), body)
            if rechallenged and last.value("WWW-Authenticate"):
                asked = last

    return Question(f"{method} {target} [flow {note}]", steps, **CHANCE)


WRONG = {
    "wrong password": {"password": "wrong"},
    "wrong user": {"user": "other"},
    "wrong response": {"response": "0" * 32},
    "no response": {"response": None},
    "wrong realm": {"realm": "elsewhere"},
    "wrong uri": {"uri": "/get"},
    "other nonce": {"nonce": "0" * 32},
    "empty nonce": {"nonce": ""},
    "no username": {"username": None},
    "no algorithm": {"algorithm": "MD5"},
    "no opaque": {"opaque": None},
    "other opaque": {"opaque": "0" * 32},
    "no cnonce": {"cnonce": None},
    "no nc": {"nc": None},
    "qop of another kind": {"qop": "auth-conf"},
}


def questions():
    yield from challenges()
    yield from malformed()
    for algorithm in HASHES:
        for asked in ("auth", "auth-int", "none"):
            for qop in ("auth", "auth-int", None):
                target = f"/digest-auth/{asked}/user/passwd/{algorithm}"
                yield flow(target, note=f"qop {qop}", algorithm=algorithm, qop=qop)
    target = "/digest-auth/auth/user/passwd"
    yield flow(target, note="without cookies", jar=False)
    yield flow(target, note="again", rounds=3)
    yield flow(target, note="HEAD", method="HEAD")
    for note, changes in WRONG.items():
        yield flow(target, note=note, **changes)
        yield flow(target, note=f"{note}, again", rounds=2, **changes)
    yield flow(target + "/SHA-256", note="MD5 where SHA-256 is asked", algorithm="MD5")
    yield flow(target + "/MD5", note="SHA-512 where MD5 is asked", algorithm="SHA-512")
    yield flow("/digest-auth/auth/us%20er/p%2Bw", note="escapes", user="us er", password="p+w")
    yield flow("/digest-auth/auth/user/%C3%A9", note="beyond ASCII", password="é")
    yield flow(target + "?a=1", note="query")
    yield flow(target + "?require-cookie=1", note="cookie required")
    yield flow(target + "?require-cookie=true", note="cookie required, none sent", jar=False)
    for after in ("0", "1", "2", "never", "-1", "x"):
        stale = f"{target}/MD5/{after}"
        yield flow(stale, note="newest nonce", rounds=4)
        yield flow(stale, note="first nonce", rounds=4, rechallenged=False)
    yield flow(target + "/SHA-512/1", note="newest nonce", rounds=4, algorithm="SHA-512")
    yield from content()


def challenges():
    for qop in ("auth", "auth-int", "none", "auth-conf", "AUTH", "auth,auth-int"):
        for algorithm in ("MD5", "SHA-256", "SHA-512", "md5", "SHA-1"):
            yield get(f"/digest-auth/{qop}/user/passwd/{algorithm}", question=CHANCE)
    for after in ("never", "0", "5", "a%20b", "a%3Bb", "%C3%A9", "%22"):
        yield get(f"/digest-auth/auth/user/passwd/MD5/{after}", question=CHANCE)
    target = "/digest-auth/auth/user/passwd"
    for value in ("1", "t", "true", "TRUE", "0", "no"):
        yield get(f"{target}?require-cookie={value}", question=CHANCE)
    yield get(target, ("Cookie", "stale_after=0; fake=fake_value"), note="cookies alone", question=CHANCE)


def malformed():
    target = "/digest-auth/auth/user/passwd"
    for note, value in {
        "Basic": "Basic dXNlcjpwYXNzd2Q=",
        "scheme alone": "Digest",
        "scheme and a blank": "Digest ",
        "no parameters": "Digest nonsense",
        "empty": "",
        "lower case": 'digest username="user", nonce="n", uri="/", response="r"',
        "few parameters": 'Digest username="user"',
        "no quotes": "Digest username=user, nonce=n, uri=/, response=r",
        "quote not closed": 'Digest username="user, nonce="n"',
    }.items():
        yield get(target, ("Authorization", value), note=note, question=CHANCE)
    given = ("Authorization", 'Digest username="user", realm="r", nonce="n", uri="/", response="x"')
    for text in (
        "fake=fake_value",
        "fake=wrong",
        "stale_after=0",
        "stale_after=3",
        "last_nonce=n",
        "last_nonce=m",
        "a=b",
    ):
        yield get(target, given, ("Cookie", text), note=f"cookie {text}", question=CHANCE)
        yield get(f"{target}?require-cookie=1", given, ("Cookie", text), note=f"cookie {text}", question=CHANCE)


def content():
    target = "/digest-auth/auth-int/user/passwd"
    for algorithm in HASHES:
        body = b"content of a GET"
        yield flow(f"{target}/{algorithm}", note="with content", body=body, algorithm=algorithm, qop="auth-int")
    yield asking("POST", target, body=b"x", question=CHANCE)
