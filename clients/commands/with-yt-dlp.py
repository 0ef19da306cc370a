from urllib.error import HTTPError as OldHTTPError
from urllib.request import Request as OldRequest

from yt_dlp import YoutubeDL

from asked import body, fields, give, method, url

try:
    from yt_dlp.networking import Request
    from yt_dlp.networking.exceptions import HTTPError
except ImportError:
    # Releases before October 2023 take the requests of the standard library.
    Request, HTTPError = OldRequest, OldHTTPError

try:
    give(YoutubeDL({"quiet": True}).urlopen(Request(url, data=body, headers=dict(fields), method=method)).read())
except HTTPError as failure:
    give(getattr(failure, "response", failure).read())
