context = ssl.create_default_context(cafile=TRUST)
context.set_alpn_protocols(["http/1.1"])
jar = http.cookiejar.CookieJar()


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def load(method, url, headers=(), data=None, query=(), account=None, follow=True, timeout=None):
    told, count = "", 0
    handlers = [
        urllib.request.ProxyHandler({"http": PROXY, "https": PROXY} if PROXY else {}),
        urllib.request.HTTPSHandler(context=context)]
    if account:
        passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        passwords.add_password(None, urllib.parse.urljoin(url, "/"), *account)
        handlers += [urllib.request.HTTPBasicAuthHandler(passwords), urllib.request.HTTPDigestAuthHandler(passwords)]
    if account and PROXY:
        of_proxy = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        of_proxy.add_password(None, PROXY.removeprefix("http://"), *account)
        handlers += [urllib.request.ProxyBasicAuthHandler(of_proxy), urllib.request.ProxyDigestAuthHandler(of_proxy)]
    handlers += [] if follow else [NoRedirects()]
    handlers += [urllib.request.HTTPCookieProcessor(jar)] if COOKIES else []
    if query:
        url += ("&" if "?" in url else "?") + urllib.parse.urlencode(query)
    if isinstance(data, list):
        data = urllib.parse.urlencode(data).encode()
    request = urllib.request.Request(url, data=data, method=method)
    for name, value in headers:
        request.add_header(name, value)
    try:
        try:
            response = urllib.request.build_opener(*handlers).open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            told = f"{response.status} {response.url}, "
            try:
                while piece := response.read():
                    count += len(piece)
            except http.client.IncompleteRead as error:
                count += len(error.partial)
                raise
        print(f"{told}{count} bytes")
    except Exception as error:
        print(f"{told}error{f' after {count} bytes' if told else ''}: {type(error).__name__}: {error}")


