options = {"ca_certs": TRUST} if TRUST else {}
pool = urllib3.ProxyManager(PROXY, **options) if PROXY else urllib3.PoolManager(**options)


def load(method, url, headers=(), data=None, query=None, follow=True, timeout=None):
    told, count = "", 0
    fields = urllib3._collections.HTTPHeaderDict()
    for name, value in headers:
        fields.add(name, value)
    body = {"fields": data, "encode_multipart": False} if isinstance(data, list) else {"body": data}
    if query:
        body = {"fields": query}
    try:
        response = pool.request(
            method, url, headers=fields, redirect=follow, preload_content=False, timeout=timeout,
            retries=urllib3.Retry(
                total=None, connect=3, read=3, other=3, redirect=20, status=0, respect_retry_after_header=False), **body)
        told = f"{response.status} -, "
        for piece in response.stream(1 << 16):
            count += len(piece)
        print(f"{told}{count} bytes")
    except Exception as error:
        print(f"{told}error{f' after {count} bytes' if told else ''}: {type(error).__name__}: {error}")


