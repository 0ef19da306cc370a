session = requests.Session()
session.trust_env = False
session.verify = TRUST or True
if PROXY:
    session.proxies = {"http": PROXY, "https": PROXY}
if not COOKIES:
    session.cookies.set_policy(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))


def load(method, url, headers=(), data=None, query=(), account=None, follow=True, timeout=None):
    told, count = "", 0
    try:
        response = session.request(
            method, url, headers=dict(headers), data=data, params=list(query), allow_redirects=follow, timeout=timeout,
            auth=requests.auth.HTTPDigestAuth(*account) if account else None, stream=True)
        told = f"{response.status_code} {response.url}, "
        for piece in response.iter_content(1 << 16):
            count += len(piece)
        print(f"{told}{count} bytes")
    except Exception as error:
        print(f"{told}error{f' after {count} bytes' if told else ''}: {type(error).__name__}: {error}")


