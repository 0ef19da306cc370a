#!/usr/bin/env python3
"""A client of signatures and digests without a library for them: an adapter whose mistake the variable SIGNATURE_MISTAKE names.

Without a mistake it passes every case of signature/ that is a must or a should, so it shows that the cases can be passed; each mistake
fails cases for a reason of its own, which Docs/use/signatures.md names. It has its own HTTP, so that it sees trailers and every field line.
"""

import base64
import gzip
import hashlib
import hmac
import json
import os
import re
import socket
import sys
import time
import urllib.parse

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "clients")
sys.path += [os.path.join(ROOT, "adapters"), os.path.join(ROOT, "kits", "python")]

from cryptography.exceptions import InvalidSignature  # noqa: E402
from cryptography.hazmat.primitives import hashes  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils  # noqa: E402
from proctor_kit import content  # noqa: E402
from proctor_signature import NotAccepted, SignatureLibrary, SignatureLoad, key_of  # noqa: E402

MISTAKES = {
    "none": "nothing",
    "accepts-all": "accepts any signature",
    "ignores-expires": "does not look at the time of expiry",
    "ignores-digest": "checks the signature and not the digest",
    "ignores-coverage": "does not look at what is covered",
    "ignores-algorithm": "does not look at the algorithm that the parameters name",
    "ignores-key": "takes its key for every signature, whichever key that names",
    "signs-the-path": "signs the path alone where the target is to be signed",
    "decodes-first": "compares the digest with what is decoded",
    "one-digest": "is content with one of several digests",
    "first-line": "takes the first line of a field that has several",
    "no-request": "takes the values of the reply where those of the request are signed",
}
MISTAKE = os.environ.get("SIGNATURE_MISTAKE", "none")


class Malformed(Exception):
    """A field is no structured field, or a message none of HTTP."""


# Structured fields (RFC 9651 §4.2), as far as the cases have them.

def parse_bare(text, at):
    if text[at:at + 1] == '"':
        found = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])*)"').match(text, at)
        if not found:
            raise Malformed(f"no string at {at} of {text!r}")
        return ("string", re.sub(r"\\(.)", r"\1", found[1])), found.end()
    if text[at:at + 1] == ":":
        found = re.compile(r":([A-Za-z0-9+/=]*):").match(text, at)
        if not found:
            raise Malformed(f"no byte sequence at {at} of {text!r}")
        return ("bytes", base64.b64decode(found[1])), found.end()
    for kind, pattern in (("boolean", r"\?[01]"), ("number", r"-?\d+(?:\.\d+)?"), ("token", r"[A-Za-z*][!#$%&'*+\-.^_`|~\w:/]*")):
        found = re.compile(pattern).match(text, at)
        if found:
            return (kind, found[0]), found.end()
    raise Malformed(f"no item at {at} of {text!r}")


def parse_parameters(text, at):
    parameters = {}
    while text[at:at + 1] == ";":
        found = re.compile(r"; *([a-z*][a-z0-9_\-.*]*)(=?)").match(text, at)
        if not found:
            raise Malformed(f"no parameter at {at} of {text!r}")
        at, value = found.end(), ("boolean", "?1")
        if found[2]:
            value, at = parse_bare(text, at)
        parameters.pop(found[1], None)
        parameters[found[1]] = value
    return parameters, at


def parse_member(text, at):
    if text[at:at + 1] != "(":
        value, at = parse_bare(text, at)
        parameters, at = parse_parameters(text, at)
        return (value, parameters), at
    items, at = [], at + 1
    while True:
        while text[at:at + 1] == " ":
            at += 1
        if text[at:at + 1] == ")":
            parameters, at = parse_parameters(text, at + 1)
            return (items, parameters), at
        value, at = parse_bare(text, at)
        parameters, at = parse_parameters(text, at)
        items.append((value, parameters))
        if text[at:at + 1] not in (" ", ")"):
            raise Malformed(f"no end of an item at {at} of {text!r}")


def parse_dictionary(text, duplicates=True):
    members, at = {}, 0
    text = text.strip(" ")
    while at < len(text):
        found = re.compile(r"([a-z*][a-z0-9_\-.*]*)(=?)").match(text, at)
        if not found:
            raise Malformed(f"no key at {at} of {text!r}")
        at = found.end()
        if found[2]:
            member, at = parse_member(text, at)
        else:
            parameters, at = parse_parameters(text, at)
            member = (("boolean", "?1"), parameters)
        if found[1] in members and not duplicates:
            raise Malformed(f"{found[1]} stands twice in {text!r}")
        members[found[1]] = member
        rest = re.compile(r"[ \t]*(?:,[ \t]*(?=\S)|$)").match(text, at)
        if not rest:
            raise Malformed(f"no comma at {at} of {text!r}")
        at = rest.end()
    return members


def write_bare(value):
    kind, text = value
    if kind == "string":
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return ":" + base64.b64encode(text).decode() + ":" if kind == "bytes" else text


def write_parameters(parameters):
    return "".join(f";{key}" if value == ("boolean", "?1") else f";{key}={write_bare(value)}" for key, value in parameters.items())


def write_member(member):
    value, parameters = member
    if isinstance(value, list):
        return "(" + " ".join(write_member(item) for item in value) + ")" + write_parameters(parameters)
    return write_bare(value) + write_parameters(parameters)


def write_dictionary(members):
    return ", ".join(
        key + (write_parameters(member[1]) if member[0] == ("boolean", "?1") else "=" + write_member(member)) for key, member in members.items())


# Messages.

class Message:
    def __init__(self, fields, status=None, method=None, url=None, trailers=(), request=None, body=b""):
        self.fields, self.status, self.method, self.url = fields, status, method, url
        self.trailers, self.request, self.body = list(trailers), request, body

    def lines(self, name, of_trailers=False):
        return [value.strip(" \t") for key, value in (self.trailers if of_trailers else self.fields) if key.lower() == name]

    def field(self, name):
        lines = self.lines(name)
        return ", ".join(lines[:1] if MISTAKE == "first-line" else lines) if lines else None


def exchange(message):
    """Sends a request on a connection of its own; the reply with its trailers."""
    parts = urllib.parse.urlsplit(message.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query or "?" in message.url else "")
    with socket.create_connection((parts.hostname, parts.port or 80), timeout=20) as connection:
        head = f"{message.method} {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in message.fields) + "\r\n"
        connection.sendall(head.encode("latin-1") + message.body)
        reader = connection.makefile("rb")
        while True:
            status, fields = int(reader.readline().split()[1]), read_fields(reader)
            if status >= 200:
                break
        reply = Message(fields, status=status, url=message.url, request=message)
        if message.method == "HEAD" or status in (204, 304):
            pass
        elif "chunked" in (reply.field("transfer-encoding") or ""):
            while size := int(reader.readline().split(b";")[0], 16):
                reply.body += reader.read(size)
                reader.readline()
            reply.trailers = read_fields(reader)
        else:
            size = reply.field("content-length")
            reply.body = reader.read(int(size)) if size else reader.read()
            if size and len(reply.body) < int(size):
                raise Malformed(f"{len(reply.body)} of {size} bytes came")
        return reply


def read_fields(reader):
    fields = []
    while (line := reader.readline().rstrip(b"\r\n")):
        name, _, value = line.decode("latin-1").partition(":")
        fields.append((name, value))
    return fields


# Signatures (RFC 9421 §2 and §3).

DERIVED = ("@method", "@target-uri", "@authority", "@scheme", "@request-target", "@path", "@query", "@query-param", "@status")
STRUCTURED = {"priority": parse_dictionary, "content-digest": parse_dictionary}


def encoded(text):
    return urllib.parse.quote(text, safe="*-._").replace("~", "%7E")


def component(item, message):
    """The value of a covered component (RFC 9421 §2.5)."""
    (kind, name), parameters = item
    parameters = {key: value[1] for key, value in parameters.items()}
    if kind != "string" or name != name.lower():
        raise NotAccepted(f"{name!r} names no component")
    if parameters.pop("req", None):
        if message.request is None:
            raise NotAccepted("req in a request")
        message = message if MISTAKE == "no-request" and not name.startswith("@") else message.request
    if name.startswith("@"):
        if name not in DERIVED or set(parameters) - ({"name"} if name == "@query-param" else set()):
            raise NotAccepted(f"{name} is unknown, or has an unknown parameter")
        if (name == "@status") != (message.status is not None):
            raise NotAccepted(f"{name} is not of this message")
        return derived(name, parameters, message)
    if set(parameters) - {"sf", "key", "bs", "tr"} or {"bs"} < set(parameters) and set(parameters) & {"sf", "key"}:
        raise NotAccepted(f"the parameters of {name} are unknown, or exclude each other")
    lines = message.lines(name, "tr" in parameters)
    if not lines:
        raise NotAccepted(f"there is no {name}")
    value = ", ".join(lines[:1] if MISTAKE == "first-line" else lines)
    if "bs" in parameters:
        return ", ".join(write_bare(("bytes", line.encode("latin-1"))) for line in lines)
    if "key" in parameters:
        members = parse_dictionary(value)
        if parameters["key"] not in members:
            raise NotAccepted(f"{name} has no member {parameters['key']}")
        return write_member(members[parameters["key"]])
    if "sf" in parameters:
        if name not in STRUCTURED:
            raise NotAccepted(f"{name} is known as no structured field")
        return write_dictionary(STRUCTURED[name](value))
    return value


def derived(name, parameters, message):
    parts = urllib.parse.urlsplit(message.url)
    path, query = parts.path or "/", f"?{parts.query}" if parts.query or "?" in message.url else ""
    authority = parts.hostname + (f":{parts.port}" if parts.port not in (None, 80) else "")
    if name == "@query-param":
        values = [value for key, value in urllib.parse.parse_qsl(parts.query, keep_blank_values=True) if encoded(key) == parameters.get("name")]
        if len(values) != 1:
            raise NotAccepted(f"the query has the parameter {len(values)} times")
        return encoded(values[0])
    return {
        "@method": message.method, "@status": str(message.status), "@authority": authority, "@scheme": parts.scheme, "@path": path,
        "@query": query or "?", "@request-target": path + query,
        "@target-uri": path if MISTAKE == "signs-the-path" else f"{parts.scheme}://{authority}{path}{query}",
    }[name]


def base(items, parameters, message):
    lines, seen = [], set()
    for item in items:
        identity = (item[0], frozenset(item[1].items()))
        if identity in seen:
            raise NotAccepted(f"{item[0][1]} stands twice")
        seen.add(identity)
        lines.append(f"{write_member(item)}: {component(item, message)}")
    lines.append('"@signature-params": ' + write_member((items, parameters)))
    return "\n".join(lines).encode("ascii")


def verify(key, algorithm, signature, text):
    if algorithm == "hmac-sha256":
        if not hmac.compare_digest(signature, hmac.digest(key, text, "sha256")):
            raise InvalidSignature
    elif algorithm == "ed25519":
        key.verify(signature, text)
    elif algorithm == "ecdsa-p256-sha256":
        if len(signature) != 64:
            raise InvalidSignature
        pair = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
        key.verify(pair, text, ec.ECDSA(hashes.SHA256()))
    else:
        key.verify(signature, text, *padding_of(algorithm))


def sign(key, algorithm, text):
    if algorithm == "hmac-sha256":
        return hmac.digest(key, text, "sha256")
    if algorithm == "ed25519":
        return key.sign(text)
    if algorithm == "ecdsa-p256-sha256":
        return b"".join(number.to_bytes(32, "big") for number in utils.decode_dss_signature(key.sign(text, ec.ECDSA(hashes.SHA256()))))
    return key.sign(text, *padding_of(algorithm))


def padding_of(algorithm):
    if algorithm == "rsa-v1_5-sha256":
        return padding.PKCS1v15(), hashes.SHA256()
    return padding.PSS(padding.MGF1(hashes.SHA512()), 64), hashes.SHA512()


HASHES = {"sha-256": hashlib.sha256, "sha-512": hashlib.sha512}


def check_digest(value, body):
    if value is None:
        raise NotAccepted("there is no digest")
    results = []
    for key, (digest, _) in parse_dictionary(value).items():
        if key not in HASHES:
            continue
        if digest[0] != "bytes":
            raise NotAccepted("a digest is no byte sequence")
        results.append(digest[1] == HASHES[key](body).digest())
    if not results or not (any(results) if MISTAKE == "one-digest" else all(results)):
        raise NotAccepted("no digest is that of the content")


class OwnLoad(SignatureLoad):
    def find_key(self, kid):
        answer = exchange(Message(
            [("Host", urllib.parse.urlsplit(self.url).netloc)], method="GET",
            url=urllib.parse.urljoin(self.url, "keys") + "?" + urllib.parse.urlencode({"kid": kid})))
        return key_of(json.loads(answer.body))

    def perform(self):
        self.find_keys()
        fields = [("Host", urllib.parse.urlsplit(self.url).netloc), *map(tuple, self.step["headers"])]
        body = content(self.step) or b""
        if body or self.step["method"] in ("POST", "PUT"):
            fields.append(("Content-Length", str(len(body))))
        request = Message(fields, method=self.step["method"], url=self.url, body=body)
        for setting, name in (("send-digest", "Content-Digest"), ("send-repr", "Repr-Digest")):
            if setting in self.settings:
                algorithm = self.settings[setting]
                fields.append((name, f"{algorithm}={write_bare(('bytes', HASHES[algorithm](body).digest()))}"))
        if "want" in self.settings:
            fields.append(("Want-Content-Digest", f"{self.settings['want']}=10"))
        if self.settings.get("sign"):
            self.sign(request)
        reply = exchange(request)
        if "key" in self.settings:
            self.verify(reply)
        name = {"content": "content-digest", "repr": "repr-digest"}.get(self.settings.get("digest"))
        if name and MISTAKE not in ("ignores-digest", "accepts-all"):
            self.compare(reply, name)
        self.head(self.url, reply.status, lambda name: reply.field(name.lower()))
        self.take(reply.body)

    def compare(self, reply, name):
        body = reply.body
        if MISTAKE == "decodes-first" and reply.field("content-encoding") == "gzip":
            body = gzip.decompress(body)
        check_digest(reply.field(name), body)

    def sign(self, request):
        key, settings = self.keys["sign-key"], self.settings
        items = [parse_member(identifier, 0)[0] for identifier in self.components("sign")]
        parameters = {"created": ("number", str(int(time.time()))), "keyid": ("string", settings["sign-key"])}
        for name in ("nonce", "tag"):
            if f"sign-{name}" in settings:
                parameters[name] = ("string", settings[f"sign-{name}"])
        if "sign-expires" in settings:
            parameters["expires"] = ("number", str(int(time.time()) + int(settings["sign-expires"])))
        signature = sign(key, self.algorithm("sign-key"), base(items, parameters, request))
        label = settings.get("sign-label", "sig1")
        request.fields.append(("Signature-Input", f"{label}={write_member((items, parameters))}"))
        request.fields.append(("Signature", f"{label}={write_bare(('bytes', signature))}"))

    def verify(self, reply):
        key, settings = self.keys["key"], self.settings
        if MISTAKE == "accepts-all":
            return
        inputs = parse_dictionary(reply.field("signature-input") or "", duplicates=False)
        values = parse_dictionary(reply.field("signature") or "", duplicates=False)
        labels = [label for label in inputs if "tag" not in settings or inputs[label][1].get("tag") == ("string", settings["tag"])]
        if len(labels) != 1 or inputs.keys() != values.keys():
            raise NotAccepted(f"{len(labels)} signatures could be meant, or labels have no signature")
        (items, parameters), (value, _) = inputs[labels[0]], values[labels[0]]
        if not isinstance(items, list) or value[0] != "bytes":
            raise NotAccepted("no list of components, or no bytes")
        now = int(time.time())
        if MISTAKE != "ignores-key" and parameters.get("keyid") != ("string", settings["key"]):
            raise NotAccepted("the key is not known")
        if MISTAKE != "ignores-algorithm" and parameters.get("alg", ("string", self.algorithm())) != ("string", self.algorithm()):
            raise NotAccepted("the algorithm is not that of the key")
        if MISTAKE != "ignores-coverage":
            for identifier in self.components("verify"):
                if parse_member(identifier, 0)[0] not in items:
                    raise NotAccepted(f"{identifier} is not covered")
        if MISTAKE != "ignores-expires":
            if settings.get("refuse") == "expired" and "expires" in parameters and int(parameters["expires"][1]) < now:
                raise NotAccepted("the signature has expired")
            if "max-age" in settings and int(parameters["created"][1]) + int(settings["max-age"]) < now:
                raise NotAccepted("the signature is too old")
        verify(key, self.algorithm(), value[1], base(items, parameters, reply))


class Own(SignatureLibrary):
    client, revision = "signature-client", "1"
    module, package = "cryptography", "python3-cryptography"
    abilities = "signatures addresses"
    has = ("key", "digest", "sign-key", "send-digest", "send-repr", "want")

    def load(self, *parts):
        return OwnLoad(self, *parts)


if __name__ == "__main__":
    if MISTAKE not in MISTAKES:
        sys.exit(f"SIGNATURE_MISTAKE is {MISTAKE!r}; expected one of {', '.join(MISTAKES)}")
    sys.exit(Own().main(__doc__))
