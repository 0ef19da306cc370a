"""What the adapters of libraries for signatures and digests share: the settings of a step, keys, and the exchange over requests.

A step's URL has settings of the application in its fragment, which never goes on the wire:

  key           the one key that the application trusts for replies: `NAME-ALGORITHM`, with the algorithm's name of RFC 9421; `verify`
                has the components that must be covered, `tag` the tag that the signature must have, `max-age` the most seconds since
                `created`, `refuse=expired` has a signature past `expires` refused
  digest        `content` or `repr`: the Content-Digest or Repr-Digest of the reply must be that of what came
  sign-key      the key for the request; `sign` has its components, `sign-tag`, `sign-nonce`, `sign-expires` (seconds from now) and
                `sign-label` what else it says
  send-digest   the algorithm of the request's Content-Digest; `send-repr` of its Repr-Digest; `want` of Want-Content-Digest

Components are written as `@status` or `@method;req`, without quotes around the name. A key is the JSON Web Key at `keys?kid=…`
beside the last segment of the path.
"""

import base64
import contextlib
import io
import urllib.parse

from proctor_python import Library, Load, data_of, fields_of, import_library

WORDS = ("key", "digest", "sign-key", "send-digest", "send-repr", "want")


def number(jwk, name):
    return int.from_bytes(octets(jwk, name), "big")


def octets(jwk, name):
    return base64.urlsafe_b64decode(jwk[name] + "=" * (-len(jwk[name]) % 4))


def key_of(jwk):
    """A key of `cryptography`, or the bytes of a secret."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
    if jwk["kty"] == "oct":
        return octets(jwk, "k")
    if jwk["kty"] == "OKP":
        if "d" in jwk:
            return ed25519.Ed25519PrivateKey.from_private_bytes(octets(jwk, "d"))
        return ed25519.Ed25519PublicKey.from_public_bytes(octets(jwk, "x"))
    if jwk["kty"] == "EC":
        public = ec.EllipticCurvePublicNumbers(number(jwk, "x"), number(jwk, "y"), ec.SECP256R1())
        return ec.EllipticCurvePrivateNumbers(number(jwk, "d"), public).private_key() if "d" in jwk else public.public_key()
    public = rsa.RSAPublicNumbers(number(jwk, "e"), number(jwk, "n"))
    if "d" not in jwk:
        return public.public_key()
    return rsa.RSAPrivateNumbers(*(number(jwk, name) for name in ("p", "q", "d", "dp", "dq", "qi")), public).private_key()


def identifier(word):
    """`@method;req` with the quotes that a component identifier has."""
    name, sign, rest = word.partition(";")
    return f'"{name}"{sign}{rest}'


class NotAccepted(Exception):
    """The application does not accept the reply."""


class SignatureLoad(Load):
    def __init__(self, *parts):
        super().__init__(*parts)
        self.url, _, fragment = self.step["url"].partition("#")
        self.settings = dict(urllib.parse.parse_qsl(fragment, keep_blank_values=True))

    def algorithm(self, name="key"):
        """The algorithm's name in RFC 9421 of a key's setting."""
        return self.settings[name].partition("-")[2]

    def components(self, name):
        return [identifier(word) for word in self.settings.get(name, "").split()]

    def find_key(self, kid):
        answer = self.session.get(urllib.parse.urljoin(self.url, "keys"), params={"kid": kid}, timeout=20)
        answer.raise_for_status()
        return key_of(answer.json())

    def find_keys(self):
        """What the application was given before: the keys of the settings, by the names of the settings."""
        names = [name for name in ("key", "sign-key") if name in self.settings]
        self.keys = {name: self.find_key(self.settings[name]) for name in names}

    def perform(self):
        self.find_keys()
        requests = import_library("requests", "python3-requests")
        fields = dict(fields_of(self.step))
        request = requests.Request(self.step["method"], self.url, headers=fields, data=data_of(self.step))
        prepared = self.session.prepare_request(request)
        self.outgoing(prepared)
        answer = self.session.send(prepared, stream=True, timeout=20, allow_redirects=self.step.get("beforehand", {"follow": True})["follow"])
        self.incoming(answer)
        self.head(answer.url, answer.status_code, answer.headers.get)
        self.take(answer.content)

    def read(self, answer):
        """The content as it is coded; `answer` can be read afterwards, and is decoded then."""
        import urllib3
        raw = answer.raw.read(decode_content=False)
        answer.raw = urllib3.HTTPResponse(
            io.BytesIO(raw), headers=answer.raw.headers, status=answer.status_code, preload_content=False, request_method=answer.request.method)
        return raw

    @staticmethod
    def content_of(request):
        body = request.body or b""
        return body.encode() if isinstance(body, str) else body

    def field(self, answer, name):
        """The value of a field that must be there."""
        value = answer.headers.get(name)
        if value is None:
            raise NotAccepted(f"the reply has no {name}")
        return value

    def outgoing(self, request):
        """Signs the request, and gives it its digests."""

    def incoming(self, answer):
        """Raises where the reply is not to be accepted; it has not been read."""


class SignatureLibrary(Library):
    has = ()
    abilities = "signatures redirects trust addresses"
    facts = ("url", "status", "mime", "bytes", "body", "error", "message")
    errors = {}

    def check(self, assignment):
        super().check(assignment)
        for index, step in enumerate(assignment["steps"]):
            settings = dict(urllib.parse.parse_qsl(step["url"].partition("#")[2], keep_blank_values=True))
            for name in WORDS:
                if name in settings and name not in self.has:
                    self.cannot(index, "url", f"has no {name}")

    @contextlib.contextmanager
    def session(self, assignment):
        """The application's own client."""
        session = import_library("requests", "python3-requests").Session()
        session.trust_env, session.verify = False, assignment["session"].get("trust") or True
        with session:
            yield session
