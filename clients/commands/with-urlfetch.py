import urlfetch

from asked import body, fields, follow, give, method, url

give(urlfetch.request(url, method, data=body, headers=dict(fields), max_redirects=20 if follow else 0).content)
