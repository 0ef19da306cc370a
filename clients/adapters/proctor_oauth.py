"""What the adapters of OAuth libraries share: the settings of a step, the browser, and what is told of the end.

A step's URL is that of the issuer, and its fragment, which never goes on the wire, has the settings of the application:

  flow      code, client (client credentials), refresh (code, then a refresh `times` times), device or revoke (code, then a revocation)
  client    the client identifier; `secret` its secret, without which the client is public; `auth` is basic (left out) or post
  scope     what is asked for; `resource` an indicator (RFC 8707)
  dpop      the algorithm of the key that tokens are bound to (RFC 9449)
  asks      what a library must have by itself for this case: discovery, id-token, iss, device, use, dpop

With the token that it gets the client asks for `/api` of the issuer: the reply is the result of the step.
"""

import contextlib
import json
import urllib.parse

from proctor_python import Library, Load, import_library

CALLBACK = "https://app.example/callback"


class OAuthError(Exception):
    """The library returned an error in the place of a token."""


class OAuthLoad(Load):
    def __init__(self, *parts):
        super().__init__(*parts)
        self.issuer, _, fragment = self.step["url"].partition("#")
        self.settings = dict(urllib.parse.parse_qsl(fragment))
        self.scope = self.settings.get("scope", "").split()

    def perform(self):
        token = getattr(self, self.settings["flow"])()
        answer = self.call(token)
        self.head(answer.url, answer.status_code, answer.headers.get)
        self.take(answer.content)

    def browse(self, url):
        """What a browser does with the authorization URL of the library: the URL that it is sent back to."""
        answer = self.session.get(url, allow_redirects=False, timeout=20)
        return answer.headers["Location"]

    def metadata(self):
        """For a library without discovery the application reads the metadata, and checks nothing."""
        return self.session.get(self.issuer + "/.well-known/openid-configuration", timeout=20).json()


class OAuthLibrary(Library):
    errors = {"HTTPError": "badServerResponse", "JSONDecodeError": "badServerResponse", "MissingSchema": "badURL"}
    has = ()
    abilities = "oauth redirects trust addresses"
    facts = ("url", "status", "mime", "bytes", "body", "error", "message")

    def check(self, assignment):
        super().check(assignment)
        for index, step in enumerate(assignment["steps"]):
            settings = dict(urllib.parse.parse_qsl(step["url"].partition("#")[2]))
            if "flow" not in settings:
                self.cannot(index, "url", "gets tokens, and this URL has no settings for that")
            for word in {settings["flow"], *settings.get("asks", "").split()} & {"discovery", "id-token", "iss", "device", "revoke", "use", "dpop"} - set(self.has):
                self.cannot(index, "url", f"has no {word}")

    @contextlib.contextmanager
    def session(self, assignment):
        """The browser, which is also the application's own client."""
        browser = import_library("requests", "python3-requests").Session()
        browser.trust_env, browser.verify = False, assignment["session"].get("trust") or True
        with browser:
            yield browser


def queries(url):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))


def text(value):
    return json.dumps(value)
