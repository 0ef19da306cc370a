#!/usr/bin/env bash
# A reply of gRPC with `:status 400` and, in the same head, `grpc-status: 5` and `grpc-message: given`, to grpcio 1.85.3, grpclib 0.4.9 and
# connectrpc 0.13.0 (PyPI).
#
# Guess before the run: all three tell NOT_FOUND (5): gRPC's http-grpc-status-mapping.md has the table of HTTP for replies without grpc-status
# alone, and says "If grpc-status was provided, it _must_ be used".
# Seen: grpcio tells NOT_FOUND with the message; grpclib and connectrpc tell INTERNAL, which is 400 by the table, and neither status nor message of
# the server. It touches who stands behind a gateway that sets a status of HTTP and hands the status of gRPC on.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check grpcio==1.85.3 grpclib==0.4.9 connectrpc==0.13.0 protobuf==7.36.2 h2==4.4.1
cat >"$folder/try.py" <<'END'
import asyncio
import socket
import threading

import h2.config
import h2.connection
import h2.events
from google.protobuf.wrappers_pb2 import StringValue

HEAD = [(":status", "400"), ("content-type", "application/grpc"), ("grpc-status", "5"), ("grpc-message", "given")]


def answer(connection):
    session = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    session.initiate_connection()
    connection.sendall(session.data_to_send())
    try:
        while data := connection.recv(65536):
            for event in session.receive_data(data):
                if isinstance(event, h2.events.StreamEnded):
                    session.send_headers(event.stream_id, HEAD, end_stream=True)
            connection.sendall(session.data_to_send())
    except OSError:
        pass


def serve(listener):
    while True:
        threading.Thread(target=answer, args=[listener.accept()[0]], daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=[listener], daemon=True).start()
PORT = listener.getsockname()[1]

import grpc

with grpc.insecure_channel(f"127.0.0.1:{PORT}", [("grpc.enable_http_proxy", 0)]) as channel:
    try:
        channel.unary_unary("/a.B/C", StringValue.SerializeToString, StringValue.FromString)(StringValue(), timeout=20)
    except grpc.RpcError as error:
        print("grpcio", error.code().name, error.details())

from grpclib.client import Channel, UnaryUnaryMethod
from grpclib.exceptions import GRPCError


async def call():
    channel = Channel("127.0.0.1", PORT)
    try:
        await UnaryUnaryMethod(channel, "/a.B/C", StringValue, StringValue)(StringValue(), timeout=20)
    except GRPCError as error:
        print("grpclib", error.status.name, error.message)
    channel.close()


asyncio.run(call())

import protobuf.wkt
import pyqwest
from connectrpc.client import ConnectClientSync
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType

method = MethodInfo(
    name="C", service_name="a.B", input=protobuf.wkt.StringValue, output=protobuf.wkt.StringValue,
    idempotency_level=IdempotencyLevel.UNKNOWN, stream_type=StreamType.UNARY)
with pyqwest.SyncHTTPTransport(http_version=pyqwest.HTTPVersion.HTTP2) as transport:
    client = ConnectClientSync(f"http://127.0.0.1:{PORT}", protocol=ProtocolType.GRPC, http_client=pyqwest.SyncClient(transport))
    try:
        client.execute_unary(request=protobuf.wkt.StringValue(), method=method, timeout_ms=20000)
    except ConnectError as error:
        print("connectrpc", error.code.name, error.message)
END
seen=$(env -u http_proxy -u HTTP_PROXY -u all_proxy -u ALL_PROXY "$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
grpcio NOT_FOUND given
grpclib INTERNAL Received :status = '400'
connectrpc INTERNAL Bad Request
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
