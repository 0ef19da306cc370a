options = {"trust_env": False, "http1": not HTTP2, "http2": HTTP2}
if TRUST:
    options["verify"] = ssl.create_default_context(cafile=TRUST)
if not COOKIES:
    options["cookies"] = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))
if PROXY:
    options["mounts"] = {"all://": httpx.HTTPTransport(
        proxy=httpx.Proxy(PROXY), verify=options.get("verify", True), trust_env=False)}
client = httpx.Client(**options)


def load(method, url, headers=(), data=None, query=None, account=None, follow=True, timeout=5):
    told, count = "", 0
    fields = {}
    for name, value in data if isinstance(data, list) else ():
        fields.setdefault(name, []).append(value)
    body = {"data": fields} if isinstance(data, list) else {"content": list(data) if hasattr(data, "seek") else data}
    try:
        with client.stream(
            method, url, headers=list(headers), params=query, timeout=timeout, follow_redirects=follow,
            auth=httpx.DigestAuth(*account) if account else None, **body,
        ) as response:
            told = f"{response.status_code} {response.url}, "
            for piece in response.iter_bytes():
                count += len(piece)
        print(f"{told}{count} bytes")
    except Exception as error:
        print(f"{told}error{f' after {count} bytes' if told else ''}: {type(error).__name__}: {error}")


