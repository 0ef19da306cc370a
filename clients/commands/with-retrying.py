"""Loads a URL with a library that tries again by itself, four times in all: LIBRARY, and then the words of asked.py.

Each is given the statuses 429 and 503 where it takes some, pauses that begin with 0.1 s, and otherwise what it does by itself.
"""
import sys

library = sys.argv.pop(1)

from asked import body, fields, follow, give, method, url  # noqa: E402

STATUSES = [429, 503]


def of_urllib3():
    import urllib3

    tries = urllib3.Retry(total=None, connect=3, read=3, status=3, other=3, redirect=10, backoff_factor=0.1, status_forcelist=STATUSES, raise_on_status=False)
    return urllib3.PoolManager().request(method, url, headers=urllib3.HTTPHeaderDict(fields), body=body, redirect=follow, retries=tries).data


def of_requests():
    import requests
    from urllib3 import Retry

    tries = Retry(total=3, backoff_factor=0.1, status_forcelist=STATUSES, raise_on_status=False)
    with requests.Session() as session:
        session.mount("http://", requests.adapters.HTTPAdapter(max_retries=tries))
        return session.request(method, url, headers=dict(fields), data=body, allow_redirects=follow).content


def of_niquests():
    import niquests

    tries = niquests.RetryConfiguration(total=3, backoff_factor=0.1, status_forcelist=STATUSES, raise_on_status=False)
    with niquests.Session(retries=tries) as session:
        return session.request(method, url, headers=dict(fields), data=body, allow_redirects=follow).content


def of_httpx_retries():
    import httpx
    from httpx_retries import Retry, RetryTransport

    with httpx.Client(transport=RetryTransport(retry=Retry(total=3, backoff_factor=0.1, status_forcelist=STATUSES)), follow_redirects=follow) as client:
        return client.request(method, url, headers=fields, content=body).content


def of_aiohttp_retry():
    import asyncio

    from aiohttp_retry import ExponentialRetry, RetryClient

    async def load():
        options = ExponentialRetry(attempts=4, start_timeout=0.1, statuses=STATUSES, retry_all_server_errors=False)
        async with RetryClient(retry_options=options) as client:
            async with client.request(method, url, headers=fields, data=body, allow_redirects=follow) as reply:
                return await reply.read()

    return asyncio.run(load())


def of_azure_core():
    from azure.core import PipelineClient
    from azure.core.pipeline.policies import RedirectPolicy, RetryPolicy
    from azure.core.rest import HttpRequest

    policies = [RedirectPolicy(permit_redirects=follow), RetryPolicy(retry_total=3, retry_backoff_factor=0.1)]
    with PipelineClient(url, policies=policies) as client:
        reply = client.send_request(HttpRequest(method, url, headers=dict(fields), content=body))
        return reply.content if reply.is_stream_consumed else reply.read()


def of_stripe():
    from urllib.parse import parse_qsl, urlsplit

    import stripe

    parts, options = urlsplit(url), {name: value for name, value in fields}
    if "Idempotency-Key" in options:
        options["idempotency_key"] = options.pop("Idempotency-Key")
    client = stripe.StripeClient("sk_test_1", base_addresses={"api": f"{parts.scheme}://{parts.netloc}"}, max_network_retries=3)
    reply = client.raw_request(method.lower(), parts.path + (f"?{parts.query}" if parts.query else ""), **dict(parse_qsl((body or b"").decode())), **options)
    return reply.body.encode()


give(globals()["of_" + library.replace("-", "_")]())
