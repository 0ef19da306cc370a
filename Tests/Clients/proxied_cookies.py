#!/usr/bin/env python3
"""Asks for URLs by way of a proxy, one after the other, with one cookie jar of http.cookiejar for all of them.

Arguments: the proxy's URL, a file of authorities or -, and the URLs. A line out for each is its status and its content.
"""

import http.cookiejar
import ssl
import sys
import urllib.request

proxy, authorities, *urls = sys.argv[1:]
context = ssl.create_default_context(cafile=None if authorities == "-" else authorities)
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({"http": proxy, "https": proxy}),
    urllib.request.HTTPSHandler(context=context),
    urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
)
for url in urls:
    with opener.open(url, timeout=120) as reply:
        print(reply.status, reply.read().decode())
