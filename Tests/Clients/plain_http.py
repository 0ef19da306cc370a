"""A connection of Python's own client that passes over all interim replies, and not those of 100 (Continue) alone."""

import http.client


class Response(http.client.HTTPResponse):
    def _read_status(self):
        while True:
            version, status, reason = super()._read_status()
            if not 102 <= status <= 199:
                return version, status, reason
            http.client.parse_headers(self.fp)


class Connection(http.client.HTTPConnection):
    response_class = Response
