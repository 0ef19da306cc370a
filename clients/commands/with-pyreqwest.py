import asyncio

from pyreqwest.client import ClientBuilder

from asked import body, fields, follow, give, method, url


async def load():
    async with ClientBuilder().follow_redirects(follow).build() as client:
        request = client.request(method, url).headers(fields)
        if body is not None:
            request = request.body_bytes(body)
        reply = await request.build().send()
        give(bytes(await reply.bytes()))


asyncio.run(load())
