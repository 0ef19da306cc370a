#!/usr/bin/env python3
"""Echoes messages by the server of `websockets`, with permessage-deflate; prints its port. `bye` is answered by Close 4002 "ü"."""
import asyncio

import websockets


async def converse(socket, *_):
    async for message in socket:
        if message == "bye":
            await socket.close(4002, "ü")
        else:
            await socket.send(message)


async def main():
    async with websockets.serve(converse, "127.0.0.1", 0, subprotocols=["b"], max_size=2 << 20) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.Event().wait()


asyncio.run(main())
