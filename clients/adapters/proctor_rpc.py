"""What the adapters of gRPC libraries share: the settings of a step, messages, and what is told of the end of a call.

The path of a step's URL names service and method, its `headers` are the metadata of the call, and its fragment, which never goes on
the wire, has the settings of the application:

  rpc       grpc, web (gRPC-Web), or connect
  kind      unary (left out), server, client or bidi: which side streams
  message   the text of a message that is sent, once for each
  deadline  milliseconds; `max` the most bytes of a message that is received; `cancel` the number of messages behind which it cancels
  gzip      1: messages are sent compressed; `get` 1: the call has no side effects and may be a GET; `codec` json in place of proto
  retry     attempts in all, for calls that end with UNAVAILABLE
  binary    1: the case is about base64 that the library decodes by itself

A message is a google.protobuf.StringValue, which has the bytes of fixtures/grpc/proctor.proto.

The result has `messages`, the text of each, and for `fieldNames`: `grpc-status`, the number of the status; `grpc-details`, each as type and
value in base64; any other name is looked up in the metadata of the head, and then of the trailers, where a value of a `-bin` name is told in base64 without padding.
"""

import base64
import contextlib
import json
import urllib.parse

from proctor_kit import place
from proctor_python import Library, Load, error_facts

MESSAGES_LIMIT = 160 << 10  # characters that are told: more of them might not fit a line of the trace
TYPE_PREFIX = "type.googleapis.com/"


class Status(Exception):
    """The call ended with a status other than OK; `code` is its number."""

    def __init__(self, code, message):
        super().__init__(message or "")
        self.code, self.message = code, message or ""


def told(data):
    return base64.b64encode(data).decode().rstrip("=")


def metadata_of(step):
    """The metadata of a step as pairs of a name and a text, or bytes for a `-bin` name, whose value stands in base64."""
    pairs = [(name.lower(), value) for name, value in step["headers"]]
    return [(name, base64.b64decode(value + "==") if name.endswith("-bin") else value) for name, value in pairs]


class Call(Load):
    """One call. `perform` appends to `messages`, `head` and `tail`, the metadata of both ends, sets `details`, and raises Status where it does not end with OK."""

    def __init__(self, *parts):
        super().__init__(*parts)
        url = urllib.parse.urlsplit(self.step["url"])
        self.settings = dict(urllib.parse.parse_qsl(url.fragment, keep_blank_values=True))
        self.texts = [value for name, value in urllib.parse.parse_qsl(url.fragment, keep_blank_values=True) if name == "message"]
        self.kind, self.path, self.is_secure = self.settings.get("kind", "unary"), url.path, url.scheme == "https"
        self.host, self.port = url.hostname, url.port or (443 if url.scheme == "https" else 80)
        # Where it listens, which is the host itself where that is an address.
        self.address = place(self.setup, self.host, self.port) or f"{self.host}:{self.port}"
        self.messages, self.head, self.tail, self.details = [], [], [], []
        self.cancels = int(self.settings.get("cancel", "0"))
        self.most_bytes = int(self.settings["max"]) if "max" in self.settings else None
        self.seconds = int(self.settings["deadline"]) / 1000 if "deadline" in self.settings else None

    def run(self):
        code, facts = 0, {}
        try:
            self.perform()
        except Status as end:
            code = end.code
            facts.update(error=f"grpc#{code}", domain="grpc", message=end.message)
        except Exception as error:  # whatever else the library raises is a result without a status
            code = None
            facts.update(error_facts(error, self.adapter.errors, self.adapter.client))
        if sum(map(len, self.messages)) <= MESSAGES_LIMIT:
            facts["messages"] = json.dumps(self.messages, ensure_ascii=False)
        found = {name: self.values(name, self.head) or self.values(name, self.tail) for name in self.step.get("fieldNames", [])}
        if "grpc-status" in found:
            found["grpc-status"] = [] if code is None else [str(code)]
        if "grpc-details" in found:
            found["grpc-details"] = [f"{kind.removeprefix(TYPE_PREFIX)} {told(value)}" for kind, value in self.details]
        lines = [f"{name}: {', '.join(values)}" for name, values in found.items() if values]
        return {**facts, **({"header": "\n".join(lines)} if found else {})}

    @staticmethod
    def values(name, metadata):
        return [told(value) if isinstance(value, bytes) else str(value) for key, value in metadata if key.lower() == name.lower()]

    def received(self, text):
        """Notes a message; whether the program cancels behind it."""
        self.messages.append(text)
        return self.cancels and len(self.messages) >= self.cancels


class RPCLibrary(Library):
    """`has` lists the words of `rpc`, and of the settings that the library can be told beside `kind`, `message` and `deadline`."""

    errors = {"TimeoutError": "timedOut"}
    has = ()
    abilities = "grpc h2 trust repeated-fields"
    facts = ("messages", "error", "message", "header")

    def check(self, assignment):
        super().check(assignment)
        for index, step in enumerate(assignment["steps"]):
            settings = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(step["url"]).fragment, keep_blank_values=True))
            if "rpc" not in settings:
                self.cannot(index, "url", "makes calls, and this URL has no settings for one")
            words = {settings["rpc"], *settings} - {"rpc", "kind", "message", "deadline"} - set(self.has)
            for word in sorted(words):
                self.cannot(index, "url", f"has no {word}")

    @contextlib.contextmanager
    def session(self, assignment):
        with contextlib.ExitStack() as stack:
            yield stack
