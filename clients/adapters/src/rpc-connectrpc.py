#!/usr/bin/env python3
"""An adapter of Proctor for connectrpc: an assignment on standard input, a trace on standard output.

Docs/clients/adapters.md describes both, and proctor_rpc.py the settings of a step. It is the connectrpc of the Python that runs it.

What it is told, so that it neither gets help nor is hindered:

- A ConnectClientSync for each call, over one transport of pyqwest for each protocol, with the authority of the assignment.
- HTTP/2 for gRPC, also without TLS; for gRPC-Web and Connect what ALPN agrees on, and HTTP/1.1 without TLS.
- Messages are sent without compression unless the step says gzip; gzip is accepted.
"""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
KIT = os.path.join(HERE, "..", "kits", "python")
# At the end: files beside have the names of libraries.
sys.path[:] = [*sys.path[1:], HERE, KIT]

from proctor_python import import_library  # noqa: E402
from proctor_rpc import Call, RPCLibrary, Status, metadata_of, told  # noqa: E402

# The numbers of gRPC for the codes of Connect, which are the same by name.
CODES = ("ok canceled unknown invalid_argument deadline_exceeded not_found already_exists permission_denied resource_exhausted "
         "failed_precondition aborted out_of_range unimplemented internal unavailable data_loss unauthenticated").split()


class ConnectCall(Call):
    def transport(self):
        pyqwest = import_library("pyqwest", self.adapter.package)
        key = (self.settings["rpc"] == "grpc" and not self.is_secure, self.is_secure)
        found = self.adapter.transports.get(key)
        if found is None:
            options = {"dns_overrides": {one["name"]: [one["address"]] for one in self.setup.get("names", [])}}
            if self.settings["rpc"] == "grpc":
                options["http_version"] = pyqwest.HTTPVersion.HTTP2
            if self.is_secure:
                with open(self.setup["trust"], "rb") as file:
                    options["tls_ca_cert"] = file.read()
            found = self.adapter.transports[key] = self.session.enter_context(pyqwest.SyncHTTPTransport(**options))
        return pyqwest.SyncClient(found)

    def perform(self):
        client = import_library("connectrpc.client", self.adapter.package)
        rpc, wrappers = self.adapter.library(), import_library("protobuf.wkt", self.adapter.package)
        methods, codecs = import_library("connectrpc.method", self.adapter.package), import_library("connectrpc.codec", self.adapter.package)
        gzip = import_library("connectrpc.compression.gzip", self.adapter.package).GzipCompression()
        failures = import_library("connectrpc.errors", self.adapter.package)
        protocols = import_library("connectrpc.protocol", self.adapter.package).ProtocolType
        service, _, name = self.path.strip("/").rpartition("/")
        level = methods.IdempotencyLevel
        words = {"unary": "UNARY", "server": "SERVER_STREAM", "client": "CLIENT_STREAM", "bidi": "BIDI_STREAM"}
        method = methods.MethodInfo(
            name=name, service_name=service, input=wrappers.StringValue, output=wrappers.StringValue,
            idempotency_level=level.NO_SIDE_EFFECTS if "get" in self.settings else level.UNKNOWN,
            stream_type=methods.StreamType[words[self.kind]])
        scheme = "https" if self.is_secure else "http"
        requests = [wrappers.StringValue(value=text) for text in self.texts]
        headers = [(key, told(value) if isinstance(value, bytes) else value) for key, value in metadata_of(self.step)]
        options = {"method": method, "headers": import_library("connectrpc.request", self.adapter.package).Headers(headers),
                   "timeout_ms": None if self.seconds is None else int(self.seconds * 1000)}
        calling = client.ConnectClientSync(
            f"{scheme}://{self.host}:{self.port}", http_client=self.transport(), accept_compression=[gzip],
            protocol={"grpc": protocols.GRPC, "web": protocols.GRPC_WEB, "connect": protocols.CONNECT}[self.settings["rpc"]],
            codec=codecs.proto_json_codec() if self.settings.get("codec") == "json" else None,
            send_compression=gzip if "gzip" in self.settings else None, read_max_bytes=self.most_bytes)
        with client.ResponseMetadata() as seen:
            try:
                if self.kind == "unary":
                    self.received(calling.execute_unary(request=requests[0], use_get='get' in self.settings, **options).value)
                elif self.kind == "client":
                    self.received(calling.execute_client_stream(request=iter(requests), **options).value)
                else:
                    given = requests[0] if self.kind == "server" else iter(requests)
                    for reply in getattr(calling, f"execute_{self.kind}_stream")(request=given, **options):
                        if self.received(reply.value):
                            break
            except failures.ConnectError as error:
                self.details = [(one.type_name, bytes(one.message_bytes)) for one in error.details]
                raise Status(CODES.index(error.code.value), error.message) from error
            finally:
                self.head, self.tail = list(seen.headers.allitems()), list(seen.trailers.allitems())


class Connectrpc(RPCLibrary):
    client = module = "connectrpc"
    package, revision = "pip install connectrpc", "1"
    has = ("grpc", "web", "connect", "gzip", "max", "cancel", "get", "codec")

    def run(self, assignment, trace):
        self.transports = {}
        super().run(assignment, trace)

    def load(self, *parts):
        return ConnectCall(self, *parts)


if __name__ == "__main__":
    sys.exit(Connectrpc().main(__doc__))
