from yt_dlp import YoutubeDL
from yt_dlp.networking import Request
from yt_dlp.networking.exceptions import HTTPError

from asked import body, fields, give, method, url

try:
    give(YoutubeDL({"quiet": True}).urlopen(Request(url, data=body, headers=dict(fields), method=method)).read())
except HTTPError as failure:
    give(failure.response.read())
