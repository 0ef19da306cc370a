#!/usr/bin/env bash
# A valid HAR 1.2 in haralyzer 2.4.0 (PyPI): `onLoad` of pageTimings is optional there, and `_transferSize` a field of Chrome's own.
#
# Guess before the run: a page without `onLoad` has no load time, and -1 ("not available") is none either; sizes on the way are counted from
# headersSize and bodySize where the private field is absent.
# Seen: wrong in all three. The load time without `onLoad` is a KeyError, and -1 is a load time of -1 ms. The size on the way is a KeyError as
# soon as one entry has no `_transferSize`, so that no recording of Firefox, of a proxy or of Proctor has one. The host is read from the
# request's Host field alone, and is None for HTTP/2, which has none; the URL beside it has the host.
#
# Installs the package into a temporary environment; nothing is asked of a network. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check haralyzer==2.4.0
cat >"$folder/try.py" <<'END'
import haralyzer


def page(timings):
    entry = {
        "pageref": "p", "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1, "cache": {},
        "timings": {"send": 0, "wait": 1, "receive": 0},
        "request": {
            "method": "GET", "url": "https://shop.example/", "httpVersion": "HTTP/2", "headers": [], "queryString": [],
            "cookies": [], "headersSize": 30, "bodySize": 0},
        "response": {
            "status": 200, "statusText": "", "httpVersion": "HTTP/2", "headers": [], "cookies": [], "redirectURL": "",
            "content": {"size": 2, "mimeType": "text/html"}, "headersSize": 40, "bodySize": 2},
    }
    pages = [{"startedDateTime": "2026-01-01T00:00:00.000Z", "id": "p", "title": "", "pageTimings": timings}]
    log = {"version": "1.2", "creator": {"name": "made", "version": "1"}, "pages": pages, "entries": [entry]}
    return haralyzer.HarParser({"log": log}).pages[0]


def seen(read):
    try:
        return repr(read())
    except KeyError as error:
        return repr(error)


print("load time without onLoad:", seen(lambda: page({}).page_load_time))
print("load time of onLoad -1:", seen(lambda: page({"onLoad": -1}).page_load_time))
print("size on the way:", seen(lambda: page({"onLoad": 1}).page_size_trans))
print("host:", seen(lambda: page({"onLoad": 1}).hostname), "URL:", seen(lambda: page({"onLoad": 1}).url))
END
seen=$("$folder/python/bin/python3" "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
load time without onLoad: KeyError('onLoad')
load time of onLoad -1: -1
size on the way: KeyError('_transferSize')
host: None URL: 'https://shop.example/'
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
