from geventhttpclient.useragent import UserAgent

from asked import body, fields, follow, give, method, url


class AnyStatus(UserAgent):
    valid_response_codes = frozenset(range(200, 600))


give(AnyStatus(max_redirects=20 if follow else 0, max_retries=1).urlopen(url, method, payload=body, headers=dict(fields)).content)
