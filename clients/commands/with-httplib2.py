import httplib2

from asked import body, fields, follow, give, method, url

client = httplib2.Http()
client.follow_redirects = follow
client.follow_all_redirects = follow
give(client.request(url, method, body, dict(fields))[1])
