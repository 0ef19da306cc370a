"""Fetches a URL and prints the body as it came, with no coding undone.

Arguments: the URL, and what to say in Accept-Encoding, which may be empty: nothing is offered.
"""

import http.client
import sys
import urllib.parse

url, accepted = sys.argv[1], sys.argv[2]
parts = urllib.parse.urlsplit(url)
connection = http.client.HTTPConnection(parts.netloc, timeout=60)
connection.request("GET", parts.path, headers={"Accept-Encoding": accepted})
response = connection.getresponse()
body = response.read()
connection.close()
sys.stdout.buffer.write(body)
