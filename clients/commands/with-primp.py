import primp

from asked import body, fields, follow, give, method, url

give(primp.Client(follow_redirects=follow).request(method, url, content=body, headers=dict(fields)).content)
