import asyncio

import aiosonic

from asked import body, fields, follow, give, method, url


async def load():
    async with aiosonic.HTTPClient() as client:
        reply = await client.request(url, method, headers=fields, data=body, follow=follow)
        give(await reply.content())


asyncio.run(load())
