"""websockets, with its C for masks; on uvloop."""
import asyncio
import sys

import uvloop
from websockets.asyncio.server import serve


async def echo(link):
    async for message in link:
        await link.send(message)


async def main():
    async with serve(echo, "127.0.0.1", int(sys.argv[1]), compression=None, max_size=64 << 20) as server:
        await server.serve_forever()


uvloop.install()
asyncio.run(main())
