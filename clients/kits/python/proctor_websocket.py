"""The steps of WebSockets for adapters on proctor_kit, whose clients are told by asyncio. Docs/clients/adapters.md describes the trace.

An adapter makes a `Socket` for each step, and has `converse` do what the step says over it.
"""

import asyncio
import base64
import json
import zlib

from proctor_kit import Adapter, Unimplemented

LANES = ("task", "handler", "harness")
FACTS = ("messages", "protocol", "closeCode", "closeReason", "error", "message")
MESSAGES_LIMIT = 160 << 10  # characters of texts and bytes that are told: more of them might not fit a line of the trace
REFUSED = ("body", "form", "query", "timeout", "cancelAt")


class Over(Exception):
    """Nothing more can be sent or received."""


class Socket:
    """One WebSocket; its author writes the methods. `close_frame` is (code, reason) of the server's Close frame, or None."""

    close_frame = None

    async def open(self):
        """Does the opening handshake; gives the protocol that the server chose, or None. What it raises is the failure."""
        raise NotImplementedError

    async def send(self, message):
        """Sends a text or bytes."""
        raise NotImplementedError

    async def ping(self):
        """Comes back when the Pong has come."""
        raise NotImplementedError

    async def receive(self):
        """The next message, a text or bytes; raises where none can come any more."""
        raise NotImplementedError

    async def close(self, code, reason):
        """Starts the closing handshake; without a code where that is None."""
        raise NotImplementedError

    async def end(self):
        """Waits for the end; gives the error by which the WebSocket failed, or None behind a closing handshake."""
        raise NotImplementedError


def bytes_of(message):
    return message.encode(errors="surrogatepass") if isinstance(message, str) else bytes(message)


def message_of(act):
    """What a `send` sends: a text, or bytes."""
    data = base64.b64decode(act["base64"]) if "base64" in act else act.get("text", "").encode()
    return data.decode() if act["isText"] else data


def message_facts(message):
    data = bytes_of(message)
    return {"bytes": len(data), "crc32": zlib.crc32(data), "isText": isinstance(message, str)}


class Conversation:
    """What one step does over its WebSocket. `error_facts(error)` gives error, domain and message."""

    def __init__(self, socket, step, index, trace, error_facts, without):
        self.socket, self.step, self.index, self.trace = socket, step, index, trace
        self.error_facts, self.without, self.messages = error_facts, without, []
        self.byte_count = 0

    def say(self, name, lane, **rest):
        self.trace.say(name, self.index, lane=lane, family="WS", **rest)

    async def run(self):
        self.trace.say("resume", self.index, family="WS", facts={"without": self.without})
        failure, facts = None, {}
        try:
            facts["protocol"] = await self.socket.open()
        except Unimplemented:
            raise
        except Exception as error:  # whatever the client raises is a result
            failure = error
        else:
            self.say("wsOpen", "task", **({"arg": facts["protocol"]} if facts["protocol"] else {}))
            await self.act()
            failure = await self.socket.end()
        if not facts.get("protocol"):
            facts = {}
        frame = self.socket.close_frame
        if frame:
            facts.update(closeCode=frame[0], **({"closeReason": frame[1]} if frame[1] else {}))
            told = {"closeReason": frame[1]} if frame[1] else {}
            self.say("wsClose", "task", arg=str(frame[0]), facts=told)
        if failure is not None:
            facts.update(self.error_facts(failure))
        self.say("complete", "task", arg=facts.get("error", "ok"))
        if self.byte_count <= MESSAGES_LIMIT:
            facts["messages"] = json.dumps(self.messages, ensure_ascii=False)
        self.trace.say("result", self.index, family="WS", facts=facts)

    async def act(self):
        """Does the acts in order, up to the first that fails."""
        for act in self.step.get("conversation", []):
            kind = act["act"]
            if kind == "close":
                return await self.attempt(None, self.socket.close(act.get("code"), act.get("reason", "")))
            done = True
            if kind == "send":
                message = message_of(act)
                done = await self.attempt("wsSent", self.socket.send(message), message)
            elif kind == "ping":
                done = await self.attempt("wsPong", self.socket.ping())
            for _ in range(act["count"] if kind == "receive" else 0):
                done = done and await self.attempt("wsReceived", self.socket.receive())
            if not done:
                return None
        return None

    async def attempt(self, name, work, sent=None):
        """Whether it worked; `name` is that of the completion."""
        try:
            message = await work
        except Exception as error:  # whatever the client raises is a result
            if name:
                facts = self.error_facts(error)
                self.say(name, "handler", arg=facts.pop("error"), facts=facts)
            return False
        if name == "wsReceived":
            self.byte_count += len(message)
            self.messages.append(f"text {message}" if isinstance(message, str) else f"binary {bytes(message).hex()}")
            sent = message
        if name:
            self.say(name, "handler", arg="ok", **({"facts": message_facts(sent)} if sent is not None else {}))
        return True


async def converse(assignment, make):
    """Does the steps in order, those that are `together` at the same time; `make(index)` gives the conversation of one."""
    begun = []
    for index, step in enumerate(assignment["steps"]):
        if not step.get("together"):
            await asyncio.gather(*begun)
            begun = []
        begun.append(asyncio.ensure_future(make(index).run()))
        await asyncio.sleep(0)
    await asyncio.gather(*begun)


def check_steps(adapter: Adapter, assignment, unknown=()):
    """Raises Unimplemented for a step that is no WebSocket, or says what the client can't be told; `unknown` are acts of which it is told none."""
    for index, step in enumerate(assignment["steps"]):
        if step["task"] != "websocket":
            adapter.cannot(index, "task", "opens a WebSocket")
        if not step["beforehand"]["follow"]:
            adapter.cannot(index, "beforehand", "follows redirects")
        for key in REFUSED:
            if step.get(key):
                adapter.cannot(index, key, "is told a WebSocket without it")
        for act in step.get("conversation", []):
            if act["act"] == "cancel":
                adapter.cannot(index, "conversation", "has no end without a Close frame")
            if act["act"] in unknown:
                adapter.cannot(index, "conversation", f"is told no {act['act']}")
            if act["act"] == "send" and act["isText"] and "base64" in act:
                adapter.cannot(index, "conversation", "sends no text that is no UTF-8")
            if act["act"] == "close" and "code" not in act:
                adapter.cannot(index, "conversation", "sends no Close frame without a code")
