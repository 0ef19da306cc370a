#!/usr/bin/env python3
"""An adapter of Proctor for grpclib: an assignment on standard input, a trace on standard output.

Docs/clients/adapters.md describes both, and proctor_rpc.py the settings of a step. It is the grpclib of the Python that runs it.

What it is told, so that it neither gets help nor is hindered:

- One channel for each origin of an assignment, with the authority of the assignment; names are those of the assignment's table.
- Unary replies come by the methods that generated code calls, and streams by the stream of the call, message for message.
- Metadata are read from the events RecvInitialMetadata and RecvTrailingMetadata, since the methods hand none over.
"""

import asyncio
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
KIT = os.path.join(HERE, "..", "kits", "python")
# At the end: files beside have the names of libraries.
sys.path[:] = [*sys.path[1:], HERE, KIT]

from proctor_python import import_library, tls_context  # noqa: E402
from proctor_rpc import Call, RPCLibrary, Status, metadata_of  # noqa: E402

METHODS = {"unary": "UnaryUnaryMethod", "server": "UnaryStreamMethod", "client": "StreamUnaryMethod", "bidi": "StreamStreamMethod"}


class GrpclibCall(Call):
    def perform(self):
        self.adapter.loop.run_until_complete(self.call())

    async def channel(self):
        found = self.adapter.channels.get((self.host, self.port))
        if found is None:
            client = import_library("grpclib.client", self.adapter.package)
            context = None
            if self.is_secure:
                context = tls_context(self.setup)
                context.set_alpn_protocols(["h2"])
            found = self.adapter.channels[(self.host, self.port)] = client.Channel(self.host, self.port, ssl=context)
            self.session.callback(found.close)
        return found

    async def call(self):
        events = import_library("grpclib.events", self.adapter.package)
        wrappers = import_library("google.protobuf.wrappers_pb2", self.adapter.package)
        failures = import_library("grpclib.exceptions", self.adapter.package)
        channel = await self.channel()

        async def keep_head(event):
            self.head = list(event.metadata.items())

        async def keep_tail(event):
            self.tail = list(event.metadata.items())

        events.listen(channel, events.RecvInitialMetadata, keep_head)
        events.listen(channel, events.RecvTrailingMetadata, keep_tail)
        method = getattr(import_library("grpclib.client", self.adapter.package), METHODS[self.kind])(
            channel, self.path, wrappers.StringValue, wrappers.StringValue)
        requests = [wrappers.StringValue(value=text) for text in self.texts]
        options = {"timeout": self.seconds, "metadata": metadata_of(self.step)}
        try:
            if self.kind == "unary":
                self.received((await method(requests[0], **options)).value)
            elif self.kind == "client":
                self.received((await method(requests, **options)).value)
            else:
                await self.stream(method, requests, options)
        except failures.GRPCError as error:
            details = error.details or []
            self.details = [(one.DESCRIPTOR.full_name, one.SerializeToString()) for one in details if hasattr(one, "DESCRIPTOR")]
            raise Status(error.status.value, error.message) from error

    async def stream(self, method, requests, options):
        async with method.open(**options) as stream:
            if self.kind == "server":
                await stream.send_message(requests[0], end=True)
            else:
                await stream.send_request()
                for request in requests:
                    await stream.send_message(request)
                await stream.end()
            async for reply in stream:
                if self.received(reply.value):
                    await stream.cancel()
                    return


class Grpclib(RPCLibrary):
    client = module = "grpclib"
    package, revision = "pip install grpclib protobuf googleapis-common-protos", "1"
    errors = {**RPCLibrary.errors, "StreamTerminatedError": "connectionLost", "AssertionError": "badServerResponse"}
    has = ("grpc", "cancel", "binary")

    def run(self, assignment, trace):
        self.loop, self.channels = asyncio.new_event_loop(), {}
        try:
            super().run(assignment, trace)
        finally:
            self.loop.run_until_complete(asyncio.sleep(0))
            self.loop.close()

    def load(self, *parts):
        return GrpclibCall(self, *parts)


if __name__ == "__main__":
    sys.exit(Grpclib().main(__doc__))
