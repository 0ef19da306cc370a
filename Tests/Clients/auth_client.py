"""Loads a URL with a credential, by one of Python's clients.

Argument: an object of JSON with client, url, user, password, count (loads, one after the other in one session), method,
and, where there are any, body (text) and proxy (a URL). Prints the status of the last load; ends with 3 where the client
is not installed, and with 1 where it raises.
"""

import asyncio
import json
import sys
import urllib.error
import urllib.request


def by_requests(task, make):
    import requests

    with requests.Session() as session:
        session.trust_env = False
        session.auth = make(requests.auth, task["user"], task["password"])
        if task.get("proxy"):
            session.proxies = {"http": task.get("proxy")}
        for _ in range(task["count"]):
            status = session.request(task["method"], task["url"], data=body(task), timeout=60).status_code
        return status


def by_aiohttp(task):
    import aiohttp

    async def load():
        # Latin-1 is the default of this client; UTF-8 has to be asked for.
        credential = aiohttp.BasicAuth(task["user"], task["password"], encoding="utf-8")
        own = {"proxy": task.get("proxy"), "proxy_auth": credential} if task.get("proxy") else {"auth": credential}
        limit = aiohttp.ClientTimeout(total=60)
        async with aiohttp.ClientSession(timeout=limit) as session:
            for _ in range(task["count"]):
                async with session.request(task["method"], task["url"], data=body(task), **own) as response:
                    await response.read()
        return response.status

    return asyncio.run(load())


def by_urllib(task, handler, proxy_handler):
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    passwords.add_password(None, task.get("proxy") or task["url"], task["user"], task["password"])
    proxies = urllib.request.ProxyHandler({"http": task.get("proxy")} if task.get("proxy") else {})
    opener = urllib.request.build_opener(proxies, (proxy_handler if task.get("proxy") else handler)(passwords))
    for _ in range(task["count"]):
        try:
            request = urllib.request.Request(task["url"], data=body(task), method=task["method"])
            with opener.open(request, timeout=60) as response:
                response.read()
                status = response.status
        except urllib.error.HTTPError as answer:
            with answer:
                status = answer.code
    return status


def body(task):
    return task["body"].encode() if "body" in task else None


CLIENTS = {
    "requests HTTPBasicAuth": lambda task: by_requests(task, lambda auth, *pair: auth.HTTPBasicAuth(*pair)),
    "requests HTTPDigestAuth": lambda task: by_requests(task, lambda auth, *pair: auth.HTTPDigestAuth(*pair)),
    "requests HTTPProxyAuth": lambda task: by_requests(task, lambda auth, *pair: auth.HTTPProxyAuth(*pair)),
    "aiohttp BasicAuth": by_aiohttp,
    "urllib HTTPBasicAuthHandler": lambda task: by_urllib(
        task, urllib.request.HTTPBasicAuthHandler, urllib.request.ProxyBasicAuthHandler),
    "urllib HTTPDigestAuthHandler": lambda task: by_urllib(
        task, urllib.request.HTTPDigestAuthHandler, urllib.request.ProxyDigestAuthHandler),
}

task = json.loads(sys.argv[1])
try:
    print(CLIENTS[task["client"]](task))
except ImportError as failure:
    print(failure, file=sys.stderr)
    sys.exit(3)
except Exception as failure:
    print(repr(failure), file=sys.stderr)
    sys.exit(1)
