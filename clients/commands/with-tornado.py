from tornado.httpclient import HTTPClient
from tornado.httputil import HTTPHeaders

from asked import body, fields, follow, give, method, url

headers = HTTPHeaders()
for name, value in fields:
    headers.add(name, value)
reply = HTTPClient().fetch(
    url, method=method, headers=headers, body=body, follow_redirects=follow, allow_nonstandard_methods=True, raise_error=False)
if reply.error and reply.code == 599:
    raise reply.error
give(reply.body)
