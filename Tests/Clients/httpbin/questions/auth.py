"""Basic, hidden Basic and Bearer: right, wrong, missing and malformed credentials."""

import base64

from question import get


def basic(text, scheme="Basic"):
    return ("Authorization", f"{scheme} " + base64.b64encode(text.encode()).decode())


BASIC = {
    "right": basic("user:passwd"),
    "wrong password": basic("user:wrong"),
    "wrong user": basic("other:passwd"),
    "empty password": basic("user:"),
    "no colon": basic("user"),
    "empty": basic(""),
    "scheme in lower case": basic("user:passwd", "basic"),
    "scheme in upper case": basic("user:passwd", "BASIC"),
    "two blanks": ("Authorization", "Basic  dXNlcjpwYXNzd2Q="),
    "blank behind": ("Authorization", "Basic dXNlcjpwYXNzd2Q= "),
    "no padding": ("Authorization", "Basic dXNlcjpwYXNzd2Q"),
    "no base64": ("Authorization", "Basic !!!"),
    "no UTF-8": ("Authorization", "Basic " + base64.b64encode(b"\xff:\xff").decode()),
    "scheme alone": ("Authorization", "Basic"),
    "nothing": ("Authorization", ""),
    "other scheme": ("Authorization", "Bearer dXNlcjpwYXNzd2Q="),
    "Digest": ("Authorization", 'Digest username="user"'),
}

BEARER = {
    "token": "Bearer token",
    "token with blanks": "Bearer a b",
    "two blanks": "Bearer  token",
    "long token": "Bearer " + "t" * 2_000,
    "quotes": 'Bearer "a\\b"',
    "scheme alone": "Bearer",
    "empty token": "Bearer ",
    "scheme in lower case": "bearer token",
    "other scheme": "Basic dXNlcjpwYXNzd2Q=",
    "nothing": "",
    "Latin-1": "Bearer \xe9",
}


def questions():
    for target in ("/basic-auth/user/passwd", "/hidden-basic-auth/user/passwd"):
        for note, field in BASIC.items():
            yield get(target, field, note=note)
        yield get(target, BASIC["right"], BASIC["wrong user"], note="two fields")
    for note, value in BEARER.items():
        yield get("/bearer", ("Authorization", value), note=note)
    for path, text in (
        ("/basic-auth/us%20er/p%2Bw", "us er:p+w"),
        ("/basic-auth/%C3%A9/%E6%97%A5", "é:日"),
        ("/basic-auth/user/a:b", "user:a:b"),
        ("/basic-auth/user/a%3Ab", "user:a:b"),
        ("/basic-auth/a+b/c+d", "a+b:c+d"),
        ("/basic-auth/user/%22%5C", 'user:"\\'),
        ("/hidden-basic-auth/%C3%A9/x", "é:x"),
    ):
        yield get(path, basic(text), note="right")
        yield get(path, basic("x" + text), note="wrong")
    yield get("/basic-auth/user/passwd?x=1", BASIC["right"], note="right, with query")
    yield get("/basic-auth/user/passwd", ("Proxy-Authorization", BASIC["right"][1]), note="for a proxy")
