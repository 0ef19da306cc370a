import httpcore

from asked import body, fields, give, method, url

with httpcore.ConnectionPool() as client:
    give(client.request(method, url, headers=fields, content=body).content)
