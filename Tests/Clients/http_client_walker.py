"""Walks cases with http.client, which follows nothing and takes a request-target as it is given.

The steps of one program share a connection, as a caller would who knows that it can be kept.
"""

import http.client

import walker


def split(url):
    """Authority and request-target, with nothing changed; the caller of http.client has to do this."""
    rest = url.split("://", 1)[1]
    end = min((rest.find(mark) for mark in "/?#" if mark in rest), default=len(rest))
    authority = rest[:end].rsplit("@", 1)[-1]
    target = rest[end:].split("#", 1)[0]
    return authority, target if target.startswith("/") else "/" + target


class Walk:
    def __init__(self):
        self.connections = {}

    def load(self, step):
        authority, target = split(step["url"])
        connection = self.connections.get(authority)
        if connection is None:
            connection = http.client.HTTPConnection(authority, timeout=walker.silence(step))
            self.connections[authority] = connection
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
