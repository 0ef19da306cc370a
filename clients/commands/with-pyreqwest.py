import asyncio
import os
import sys
import traceback

from pyreqwest.client import ClientBuilder

from asked import body, fields, follow, give, method, url


async def load():
    async with ClientBuilder().follow_redirects(follow).build() as client:
        request = client.request(method, url).headers(fields)
        if body is not None:
            request = request.body_bytes(body)
        reply = await request.build().send()
        give(bytes(await reply.bytes()))


# Threads of pyreqwest that still run at the end of Python abort it by chance, so that the process ends before.
code = 0
try:
    asyncio.run(load())
except Exception:
    traceback.print_exc()
    code = 1
sys.stdout.flush()
os._exit(code)
