import asyncio
import os
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


try:
    asyncio.run(load())
except Exception:
    # Threads of pyreqwest that still run at the end of Python abort it by chance; the end of the load is an error either way.
    traceback.print_exc()
    os._exit(1)
