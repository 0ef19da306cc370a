import asyncio

from wreq import Client, Method
from wreq.redirect import Policy

from asked import body, fields, follow, give, method, url


async def load():
    client = Client(redirect=Policy.limited(10) if follow else Policy.none())
    reply = await client.request(getattr(Method, method), url, headers=dict(fields), body=body)
    give(await reply.bytes())


asyncio.run(load())
