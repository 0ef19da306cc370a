"""Walks cases with http.client, which follows nothing and takes a request-target as it is given.

The steps of one program share a connection, as a caller would who knows that it can be kept.
"""

import http.client

import walker


def split(url):
    """Scheme, authority and request-target, with nothing changed; the caller of http.client has to do this."""
    scheme, rest = url.split("://", 1)
    end = min((rest.find(mark) for mark in "/?#" if mark in rest), default=len(rest))
    authority = rest[:end].rsplit("@", 1)[-1]
    target = rest[end:].split("#", 1)[0]
    return scheme, authority, target if target.startswith("/") else "/" + target


class Walk:
    def __init__(self):
        self.connections = {}

    def load(self, step):
        scheme, authority, target = split(step["url"])
        connection = self.connections.get((scheme, authority))
        if connection is None:
            connection = self.connection(scheme, authority, step)
            self.connections[(scheme, authority)] = connection
        try:
            connection.request(
                step["method"], target, body=walker.content(step), headers=dict(step["headers"]))
            response = connection.getresponse()
            entry = walker.report(response.status, None, response)
            if entry["error"]:
                connection.close()
            return entry
        except Exception as failure:
            connection.close()
            return {"byteCount": 0, "error": repr(failure)}

    def connection(self, scheme, authority, step):
        limit = walker.silence(step)
        if scheme == "https":
            return http.client.HTTPSConnection(authority, timeout=limit, context=walker.tls(step))
        return http.client.HTTPConnection(authority, timeout=limit)

    def close(self):
        for connection in self.connections.values():
            connection.close()


def walk(steps):
    client = Walk()
    try:
        return [client.load(step) for step in steps]
    finally:
        client.close()


walker.serve(walk)
