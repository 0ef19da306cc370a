#!/usr/bin/env python3
"""Asks an issuer for tokens that are bound by DPoP (RFC 9449), with proofs that are right or wrong in one thing.

Arguments: the URL of the issuer, a file of authorities, and what is wrong, a word each: behind `api:` with the use of a token,
else with the request for one; `none` is right. A line out for each is the status and the error with its reason, or the type of the token.
ECDSA is computed here, with the number 1 in the place of the random one, so that nothing but Python is needed: these keys are no secret.
"""

import base64
import hashlib
import json
import re
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296, 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def double_or_add(a, b):
    if a == b:
        slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def public(secret):
    """The point of a small secret number."""
    point = G
    for _ in range(secret - 1):
        point = double_or_add(point, G)
    return point


def url_text(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def jwk(secret):
    x, y = public(secret)
    return {"kty": "EC", "crv": "P-256", "x": url_text(x.to_bytes(32, "big")), "y": url_text(y.to_bytes(32, "big"))}


def sign(text, secret):
    """r is the x of the generator, and s = hash + r * secret, modulo n."""
    s = (int.from_bytes(hashlib.sha256(text).digest(), "big") + G[0] * secret) % N
    return (G[0] % N).to_bytes(32, "big") + s.to_bytes(32, "big")


class Proofs:
    def __init__(self, issuer, authorities):
        self.issuer = issuer
        self.context = ssl.create_default_context(cafile=authorities)

    def proof(self, url, method, wrong, access=None, nonce=None):
        secret = 3 if wrong == "other-key" else 2
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk(secret)}
        claims = {"htm": method, "htu": url, "iat": int(time.time()), "jti": str(time.time_ns())}
        if access:
            claims["ath"] = url_text(hashlib.sha256(access.encode()).digest())
        if nonce:
            claims["nonce"] = nonce
        kind, _, name = wrong.partition("-")
        if kind == "no":
            header.pop(name, None)
            claims.pop(name, None)
        elif wrong == "same-jti":
            claims["jti"] = "same"
        elif kind in ("wrong", "long"):
            for part in (header, claims):
                if name in part:
                    part[name] = {"iat": int(time.time()) - 3600, "jwk": jwk(4), "jti": "j" * 300}.get(name, "other")
        elif wrong == "private-jwk":
            header["jwk"]["d"] = url_text((2).to_bytes(32, "big"))
        elif wrong in ("alg-none", "alg-HS256", "alg-RS256"):
            header["alg"] = wrong[4:]
        elif wrong == "point-elsewhere":
            header["jwk"]["y"] = header["jwk"]["x"]
        elif wrong == "query-in-htu":
            claims["htu"] += "?a=1"
        text = ".".join(url_text(json.dumps(part).encode()) for part in (header, claims)).encode()
        signature = sign(text + b"x" if wrong == "signature" else text, secret)
        return text.decode() + "." + url_text(signature)

    def ask(self, url, method, wrong, content=None, access=None, scheme="DPoP"):
        nonce = None
        for _ in range(2):
            fields = {"Authorization": f"{scheme} {access}"} if access else {}
            if wrong != "missing":
                fields["DPoP"] = "text" if wrong == "text" else self.proof(url, method, wrong, access, nonce)
            request = urllib.request.Request(url, data=content, headers=fields, method=method)
            try:
                with urllib.request.urlopen(request, timeout=60, context=self.context) as reply:
                    return reply.status, json.load(reply)
            except urllib.error.HTTPError as reply:
                asked = reply.headers.get("DPoP-Nonce")
                if not asked or nonce or wrong == "no-nonce":
                    text = reply.read().decode()
                    challenge = reply.headers.get("WWW-Authenticate", "")
                    told = json.loads(text) if text else dict(re.findall(r'(error|error_description)="([^"]*)"', challenge))
                    return reply.code, told
                nonce = asked

    def token(self, wrong):
        form = {"grant_type": "client_credentials", "client_id": "app", "client_secret": "secret-1"}
        return self.ask(self.issuer + "/token", "POST", wrong, urllib.parse.urlencode(form).encode())

    def use(self, wrong):
        access = self.token("none")[1]["access_token"]
        scheme = "Bearer" if wrong == "bearer" else "DPoP"
        return self.ask(self.issuer + "/api", "GET", wrong, access=access, scheme=scheme)


issuer, authorities, *words = sys.argv[1:]
proofs = Proofs(issuer, authorities)
for word in words:
    place, _, wrong = word.rpartition(":")
    status, told = proofs.use(wrong) if place == "api" else proofs.token(wrong)
    print(status, *(told.get(name) for name in ("error", "error_description", "token_type", "user") if told.get(name)))
