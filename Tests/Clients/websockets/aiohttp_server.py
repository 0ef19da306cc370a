#!/usr/bin/env python3
"""Echoes messages by aiohttp's WebSocket server, with permessage-deflate; prints its port. `bye` is answered by Close 4002 "ü"."""
import asyncio

from aiohttp import WSMsgType, web


async def converse(request):
    socket = web.WebSocketResponse(protocols=("b",), compress=True, max_msg_size=2 << 20)
    await socket.prepare(request)
    async for message in socket:
        if message.type is WSMsgType.TEXT and message.data == "bye":
            await socket.close(code=4002, message="ü".encode())
        elif message.type is WSMsgType.TEXT:
            await socket.send_str(message.data)
        elif message.type is WSMsgType.BINARY:
            await socket.send_bytes(message.data)
    return socket


async def main():
    application = web.Application()
    application.router.add_get("/", converse)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
