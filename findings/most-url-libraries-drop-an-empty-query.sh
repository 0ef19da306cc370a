#!/usr/bin/env bash
# "http://a.test/b?" through nine URL libraries of PyPI (RFC 3986 §6.2.3).
#
# Guess before the run: the question mark stays: a normaliser "should not remove delimiters when their associated component is empty" unless the
# scheme says so, and http does not. It stays at least in yarl, hyperlink, furl and rfc3986.
# Seen: it stays in rfc3986, ada-url and httpx. yarl (and so aiohttp), hyperlink, furl, w3lib, url-normalize and boltons give "http://a.test/b",
# most of them by parsing and writing alone. A URL that is signed, or that a server tells from the other, does not survive. Of yarl it is known
# since 2018 (issue 222).
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check yarl==1.25.1 hyperlink==21.0.0 furl==2.1.4 w3lib==2.5.0 url-normalize==3.1.0 boltons==26.2.0 rfc3986==2.0.0 ada-url==4.0.0 httpx==0.28.1
cat >"$folder/try.py" <<'END'
import ada_url, boltons.urlutils, furl, httpx, hyperlink, rfc3986, url_normalize, w3lib.url, yarl

for name, write in {
    "yarl": lambda url: yarl.URL(url),
    "hyperlink": lambda url: hyperlink.URL.from_text(url).to_text(),
    "furl": lambda url: furl.furl(url).url,
    "w3lib": w3lib.url.safe_url_string,
    "url-normalize": url_normalize.url_normalize,
    "boltons": lambda url: boltons.urlutils.URL(url).to_text(),
    "rfc3986": lambda url: rfc3986.normalize_uri(url),
    "ada-url": lambda url: ada_url.URL(url).href,
    "httpx": lambda url: httpx.URL(url),
}.items():
    print(name, write("http://a.test/b?"))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
yarl http://a.test/b
hyperlink http://a.test/b
furl http://a.test/b
w3lib http://a.test/b
url-normalize http://a.test/b
boltons http://a.test/b
rfc3986 http://a.test/b?
ada-url http://a.test/b?
httpx http://a.test/b?
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
