async def main(loads):
    connector = aiohttp.TCPConnector(ssl=ssl.create_default_context(cafile=TRUST)) if TRUST else aiohttp.TCPConnector()
    jar = None if COOKIES else aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as session:
        for words, options in loads:
            await perform(session, *words, **options)


async def pieces(stream):
    for piece in stream:
        yield piece


async def perform(session, method, url, headers=(), data=None, query=None, follow=True, timeout=None):
    told, count = "", 0
    try:
        async with session.request(
            method, url, headers=list(headers), data=pieces(data) if hasattr(data, "seek") else data, params=query,
            allow_redirects=follow, **({"proxy": PROXY} if PROXY else {}),
            **({"timeout": aiohttp.ClientTimeout(sock_connect=timeout, sock_read=timeout)} if timeout else {}),
        ) as response:
            told = f"{response.status} {response.real_url}, "
            async for piece in response.content.iter_any():
                count += len(piece)
        print(f"{told}{count} bytes")
    except Exception as error:
        print(f"{told}error{f' after {count} bytes' if told else ''}: {type(error).__name__}: {error}")


def load(*words, **options):
    loads.append((words, options))


loads = []
