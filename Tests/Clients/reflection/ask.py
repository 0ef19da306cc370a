#!/usr/bin/env python3
"""Learns a service by reflection v1 of gRPC, with the client that grpclib has for it, and calls it with what it learned.

    proctor run shop --fixtures Tests/Clients/reflection -- python3 Tests/Clients/reflection/ask.py

The types of the messages come from the server alone: nothing here knows a number of a field.
"""

import asyncio
import json
import os
import urllib.parse

import grpclib.client
import grpclib.const
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from grpclib.reflection.v1.reflection_grpc import ServerReflectionStub
from grpclib.reflection.v1.reflection_pb2 import ServerReflectionRequest

WANTED = {"id": "7", "state": "OPEN", "lines": [{"name": "pear", "count": 2}], "labels": {"a": "b"}}


async def main():
    place = urllib.parse.urlsplit(os.environ["PROCTOR_BASE"])
    channel = grpclib.client.Channel(place.hostname, place.port)
    async with ServerReflectionStub(channel).ServerReflectionInfo.open() as stream:

        async def ask(**words):
            await stream.send_message(ServerReflectionRequest(**words))
            return await stream.recv_message()

        services = [one.name for one in (await ask(list_services="")).list_services_response.service]
        assert services == ["shop.Orders"], services
        pool = descriptor_pool.DescriptorPool()
        for content in (await ask(file_containing_symbol=services[0])).file_descriptor_response.file_descriptor_proto:
            pool.Add(descriptor_pb2.FileDescriptorProto.FromString(content))
        unknown = (await ask(file_containing_symbol="shop.Nobody")).error_response
        assert unknown.error_code == grpclib.const.Status.NOT_FOUND.value, unknown
        by_name = await ask(file_by_filename="shop.proto")
        assert len(by_name.file_descriptor_response.file_descriptor_proto) == 1, by_name
        await stream.end()
        assert await stream.recv_message() is None
    method = pool.FindServiceByName(services[0]).FindMethodByName("Get")
    asked, answered = (message_factory.GetMessageClass(one) for one in (method.input_type, method.output_type))
    call = grpclib.client.UnaryUnaryMethod(channel, f"/{services[0]}/{method.name}", asked, answered)
    got = json_format.MessageToDict(await call(json_format.ParseDict({"id": 7}, asked())))
    assert got == WANTED, json.dumps(got)
    channel.close()
    print(f"{services[0]}: learned and called")


asyncio.run(main())
