#!/usr/bin/env python3
"""An adapter of Proctor for grpcio: an assignment on standard input, a trace on standard output.

Docs/clients/adapters.md describes both, and proctor_rpc.py the settings of a step. It is the grpcio of the Python that runs it.

What it is told, so that it neither gets help nor is hindered:

- One channel for each origin of an assignment, with a pool of connections of its own, no proxy and the authority of the assignment.
- An origin with a name is dialled at its address, and the name is the authority and the name in the certificate.
- Calls without a deadline, unless the step has one; a retry policy in the service configuration where the step has attempts.
"""

import json
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
KIT = os.path.join(HERE, "..", "kits", "python")
# At the end: files beside have the names of libraries.
sys.path[:] = [*sys.path[1:], HERE, KIT]

from proctor_python import import_library  # noqa: E402
from proctor_rpc import Call, RPCLibrary, Status, metadata_of  # noqa: E402


class GrpcioCall(Call):
    def channel(self):
        """The one of the origin, which the steps share unless they are told otherwise."""
        key = (self.address, self.is_secure, self.most_bytes, self.settings.get("retry"))
        found = self.adapter.channels.get(key)
        if found is None:
            found = self.adapter.channels[key] = self.session.enter_context(self.open())
        return found

    def open(self):
        grpc = self.adapter.library()
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0), ("grpc.default_authority", f"{self.host}:{self.port}")]
        if self.most_bytes is not None:
            options.append(("grpc.max_receive_message_length", self.most_bytes))
        if "retry" in self.settings:
            policy = {"maxAttempts": int(self.settings["retry"]), "initialBackoff": "0.05s", "maxBackoff": "0.2s", "backoffMultiplier": 2,
                      "retryableStatusCodes": ["UNAVAILABLE"]}
            options.append(("grpc.service_config", json.dumps({"methodConfig": [{"name": [{}], "retryPolicy": policy}]})))
        if not self.is_secure:
            return grpc.insecure_channel(self.address, options)
        options.append(("grpc.ssl_target_name_override", self.host))
        with open(self.setup["trust"], "rb") as file:
            return grpc.secure_channel(self.address, grpc.ssl_channel_credentials(file.read()), options)

    def perform(self):
        grpc = self.adapter.library()
        wrappers = import_library("google.protobuf.wrappers_pb2", self.adapter.package)
        requests = [wrappers.StringValue(value=text) for text in self.texts]
        streams, is_streamed = self.kind in ("client", "bidi"), self.kind in ("server", "bidi")
        make = getattr(self.channel(), f"{'stream' if streams else 'unary'}_{'stream' if is_streamed else 'unary'}")
        method = make(self.path, wrappers.StringValue.SerializeToString, wrappers.StringValue.FromString)
        options = {"timeout": self.seconds, "metadata": metadata_of(self.step)}
        if "gzip" in self.settings:
            options["compression"] = grpc.Compression.Gzip
        given = iter(requests) if streams else requests[0]
        call = None
        try:
            if is_streamed:
                call = method(given, **options)
                for reply in call:
                    if self.received(reply.value):
                        call.cancel()
            else:
                reply, call = method.with_call(given, **options)
                self.received(reply.value)
        except grpc.RpcError as error:
            call = error
            self.keep(call)
            self.keep_details(call)
            raise Status(call.code().value[0], call.details()) from error
        self.keep(call)

    def keep_details(self, call):
        """What grpcio-status reads of grpc-status-details-bin; it raises where that is wrong, which is no end of the call."""
        status = import_library("grpc_status.rpc_status", self.adapter.package)
        try:
            found = status.from_call(call)
        except Exception:  # noqa: BLE001 -- the status of the call stands without them
            return
        self.details = [(one.type_url, one.value) for one in found.details] if found else []

    def keep(self, call):
        self.head = [(one.key, one.value) for one in call.initial_metadata() or []]
        self.tail = [(one.key, one.value) for one in call.trailing_metadata() or []]


class Grpcio(RPCLibrary):
    client, module = "grpcio", "grpc"
    package, revision = "pip install grpcio grpcio-status", "1"
    has = ("grpc", "gzip", "max", "cancel", "retry", "binary")

    def run(self, assignment, trace):
        self.channels = {}
        super().run(assignment, trace)

    def load(self, *parts):
        return GrpcioCall(self, *parts)


if __name__ == "__main__":
    sys.exit(Grpcio().main(__doc__))
