#!/usr/bin/env python3
"""Makes calls of gRPC's interoperability tests with grpcio, against the scenario grpc/interop.

    proctor run grpc/interop -- python3 Tests/Clients/grpc_interop.py

The calls and what must come of them are those of the document "gRPC Interoperability Test Case Descriptions" (2024). Each is a
function here, and one that fails is told; the exit is 1 then. Messages are bytes of protobuf, so that no code is made for them.
"""

import os
import sys
import time
import urllib.parse

import grpc

SERVICE = "/grpc.testing.TestService/"
SIZES = [(27182, 31415), (8, 9), (1828, 2653), (45904, 58979)]


def varint(value):
    out = b""
    while value > 127:
        out, value = out + bytes([value % 128 + 128]), value // 128
    return out + bytes([value])


def number(tag, value):
    return varint(tag * 8) + varint(value)


def field(tag, value):
    return varint(tag * 8 + 2) + varint(len(value)) + value


def payload(size):
    return field(2, bytes(size))


def body_size(message):
    """Of a response whose only field is a Payload."""
    head = 0 if not message else message.index(b"\x12") + 1
    size, shift = 0, 0
    while message:
        byte = message[head]
        size, shift, head = size | (byte & 127) << shift, shift + 7, head + 1
        if byte < 128:
            break
    assert len(message) - head == size, "a payload is cut"
    return size


def asked(size, interval=0):
    return field(2, number(1, size) + (number(2, interval) if interval else b""))


def status(code, text):
    return field(7, number(1, code) + field(2, text.encode()))


class Calls:
    def __init__(self, channel):
        self.unary = lambda name: channel.unary_unary(name if "/" in name else SERVICE + name)
        self.input = channel.stream_unary(SERVICE + "StreamingInputCall")
        self.output = channel.unary_stream(SERVICE + "StreamingOutputCall")
        self.duplex = channel.stream_stream(SERVICE + "FullDuplexCall")

    def empty_unary(self):
        assert self.unary("EmptyCall")(b"", timeout=30) == b""

    def large_unary(self):
        got = self.unary("UnaryCall")(number(2, 314159) + field(3, payload(271828)), timeout=30)
        assert body_size(got) == 314159

    def client_streaming(self):
        got = self.input((field(1, payload(size)) for size, _ in SIZES), timeout=30)
        assert got == number(1, 74922), got

    def server_streaming(self):
        got = self.output(b"".join(asked(size) for _, size in SIZES), timeout=30)
        assert [body_size(message) for message in got] == [size for _, size in SIZES]

    def ping_pong(self):
        """The next message goes out when the answer to the one before has come."""
        turns = Turns()
        answers = self.duplex(turns, timeout=30)
        for size, wanted in SIZES:
            turns.say(asked(wanted) + field(3, payload(size)))
            assert body_size(next(answers)) == wanted
        turns.end()
        assert list(answers) == [] and answers.code() == grpc.StatusCode.OK

    def two_seconds_apart(self):
        """Each answer comes before the next message goes out, and not together with it."""
        turns = Turns()
        answers = self.duplex(turns, timeout=30)
        for _ in range(2):
            turns.say(asked(1))
            began = time.monotonic()
            assert body_size(next(answers)) == 1
            assert time.monotonic() - began < 1.5, "an answer waits for what follows it"
            time.sleep(2)
        turns.end()
        assert list(answers) == []

    def empty_stream(self):
        assert list(self.duplex(iter(()), timeout=30)) == []

    def custom_metadata(self):
        sent = [("x-grpc-test-echo-initial", "test_initial_metadata_value"),
                ("x-grpc-test-echo-trailing-bin", b"\x0a\x0b\x0a\x0b\x0a\x0b")]
        _, call = self.unary("UnaryCall").with_call(number(2, 314159), metadata=sent, timeout=30)
        turns = Turns()
        streamed = self.duplex(turns, metadata=sent, timeout=30)
        turns.say(asked(314159))
        assert body_size(next(streamed)) == 314159
        turns.end()
        assert list(streamed) == []
        for one in (call, streamed):
            assert sent[0] in [tuple(item) for item in one.initial_metadata()], one.initial_metadata()
            assert sent[1] in [tuple(item) for item in one.trailing_metadata()], one.trailing_metadata()

    def status_code_and_message(self):
        text = "test status message"
        assert ended(lambda: self.unary("UnaryCall")(status(2, text), timeout=30)) == (grpc.StatusCode.UNKNOWN, text)
        turns = Turns()
        answers = self.duplex(turns, timeout=30)
        turns.say(status(2, text))
        assert ended(lambda: list(answers)) == (grpc.StatusCode.UNKNOWN, text)
        turns.end()

    def special_status_message(self):
        text = "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n"
        assert ended(lambda: self.unary("UnaryCall")(status(2, text), timeout=30)) == (grpc.StatusCode.UNKNOWN, text)

    def unimplemented_method(self):
        assert ended(lambda: self.unary("UnimplementedCall")(b"", timeout=30))[0] == grpc.StatusCode.UNIMPLEMENTED

    def unimplemented_service(self):
        call = self.unary("/grpc.testing.UnimplementedService/UnimplementedCall")
        assert ended(lambda: call(b"", timeout=30))[0] == grpc.StatusCode.UNIMPLEMENTED

    def cancel_after_begin(self):
        turns = Turns()
        call = self.input.future(turns)
        call.cancel()
        turns.end()
        assert call.code() == grpc.StatusCode.CANCELLED

    def cancel_after_first_response(self):
        turns = Turns()
        answers = self.duplex(turns, timeout=30)
        turns.say(asked(31415) + field(3, payload(27182)))
        assert body_size(next(answers)) == 31415
        answers.cancel()
        turns.end()
        assert answers.code() == grpc.StatusCode.CANCELLED

    def timeout_on_sleeping_server(self):
        turns = Turns()
        answers = self.duplex(turns, timeout=0.001)
        turns.say(asked(31415, 1_000_000) + field(3, payload(27182)))
        code, _ = ended(lambda: list(answers))
        turns.end()
        assert code == grpc.StatusCode.DEADLINE_EXCEEDED, code


class Turns:
    """Messages that are sent as they are said, until the end."""

    def __init__(self):
        import queue
        self.messages = queue.Queue()

    def say(self, message):
        self.messages.put(message)

    def end(self):
        self.messages.put(None)

    def __iter__(self):
        return self

    def __next__(self):
        message = self.messages.get()
        if message is None:
            raise StopIteration
        return message


def ended(call):
    """The code and the message with which a call fails."""
    try:
        call()
    except grpc.RpcError as error:
        return error.code(), error.details()
    raise AssertionError("the call did not fail")


def main():
    place = urllib.parse.urlsplit(os.environ["PROCTOR_BASE"]).netloc
    names = sys.argv[1:] or [name for name in vars(Calls) if not name.startswith("_")]
    failures = 0
    with grpc.insecure_channel(place) as channel:
        calls = Calls(channel)
        for name in names:
            try:
                getattr(calls, name)()
                print(f"{name}: as it should be")
            except Exception as error:  # told with its name, and the others go on
                failures += 1
                print(f"{name}: {type(error).__name__}: {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
