#!/usr/bin/env bash
# ultimate-sitemap-parser 1.8.1 (PyPI) and a lastmod of less than a day (sitemaps.org: W3C Datetime, where the month and the day may be left out).
#
# Guess before the run: `2004` is the first of January 2004 or no date, and `2004-10` the first of October: the same page gives the same date
# on each day.
# Seen: what is left out is today's: of a sitemap that does not change, the date of the page is another each day, and a crawler that compares dates
# loads the page daily. `2004-10-01` is right.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check ultimate-sitemap-parser==1.8.1
cat >"$folder/try.py" <<'END'
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, fields, body=b"", date=True):
        (self.send_response if date else self.send_response_only)(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        if self.path == "/robots.txt":
            return self.reply(200, [], f"Sitemap: {base}/sitemap.xml".encode())
        pages = "".join(f"<url><loc>{base}/{date}</loc><lastmod>{date}</lastmod></url>" for date in ("2004", "2004-10", "2004-10-01"))
        self.reply(200, [], f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{pages}</urlset>'.encode())


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import datetime, logging
from usp.tree import sitemap_tree_for_homepage

logging.disable()
for page in sitemap_tree_for_homepage(base + "/", use_known_paths=False).all_pages():
    today, seen, given = datetime.date.today(), page.last_modified.date(), page.url.split("/")[-1]
    wanted = {"2004": (today.month, today.day), "2004-10": (10, today.day), "2004-10-01": (10, 1)}[given]
    told = {"2004": "today's month and day", "2004-10": "today's day", "2004-10-01": "what was given"}[given]
    print(given, "has", told if (seen.year, seen.month, seen.day) == (2004, *wanted) else seen)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
2004 has today's month and day
2004-10 has today's day
2004-10-01 has what was given
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
