import mechanize

from asked import body, fields, follow, give, method, url

client = mechanize.Browser()
client.set_handle_robots(False)
client.set_handle_redirect(follow)
request = mechanize.Request(url, data=body, method=method)
for name, value in fields:
    request.add_header(name, value)
try:
    give(client.open(request).read())
except mechanize.HTTPError as reply:
    give(reply.read())
