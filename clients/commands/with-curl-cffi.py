from curl_cffi import requests

from asked import body, fields, follow, give, method, url

give(requests.request(method, url, data=body, headers=fields, allow_redirects=follow, impersonate="chrome").content)
