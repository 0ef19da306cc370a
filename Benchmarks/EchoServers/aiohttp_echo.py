"""aiohttp, with its C; on uvloop."""
import sys

import uvloop
from aiohttp import WSMsgType, web


async def echo(request):
    link = web.WebSocketResponse(compress=False, max_msg_size=64 << 20)
    await link.prepare(request)
    async for message in link:
        if message.type == WSMsgType.BINARY:
            await link.send_bytes(message.data)
        elif message.type == WSMsgType.TEXT:
            await link.send_str(message.data)
    return link


uvloop.install()
app = web.Application()
app.router.add_get("/", echo)
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None)
