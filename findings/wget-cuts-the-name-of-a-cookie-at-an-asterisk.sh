#!/usr/bin/env bash
# wget 1.21.3 (Debian 12, wget 1.21.3-1+deb12u1) and cookies with an asterisk in their names (RFC 6265 §5.2: the name is what stands in front
# of the first equals sign; an asterisk is a character of a token).
#
# Guess before the run: a name of any characters of a token comes back as it was set, from the memory of wget and from its file of cookies.
# Seen: `c*` comes back as `c`, `*d` without a name, as `=3`, and behind its file as nothing. wget reads the pair as a parameter of RFC 2231, where
# an asterisk ends the name. A server that sets a cookie with such a name never sees it again.
#
# Needs the package at that version and installs nothing; serves on loopback from Python. Exits 1 where the behaviour has changed.
set -euo pipefail

version=$(dpkg-query -W -f '${Version}' wget 2>/dev/null || true)
[[ $version == 1.21.3-1+deb12u1 ]] || { echo "this needs Debian's wget 1.21.3-1+deb12u1; here is ${version:-none}" >&2; exit 2; }

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
cat >server.py <<'END'
import http.server


class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = (self.headers.get("Cookie") or "no cookie").encode() + b"\n"
        self.send_response(200)
        if self.path == "/set":
            for cookie in ("c*=2", "*d=3", "e=4"):
                self.send_header("Set-Cookie", cookie + "; Max-Age=1000")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Server)
print(server.server_port, flush=True)
server.serve_forever()
END
python3 server.py >port &
server=$!
for _ in $(seq 100); do [[ -s port ]] && break; sleep 0.05; done

base=http://127.0.0.1:$(cat port)
seen=$(wget -q --no-config --tries=1 --save-cookies=jar -O - "$base/set" "$base/page")
again=$(wget -q --no-config --tries=1 --load-cookies=jar -O - "$base/page")
wget --version | head -1
printf '%s\nfrom its file: %s\n' "$seen" "$again"
[[ $seen == $'no cookie\n=3; c=2; e=4' && $again == *"c=2; e=4" && $again != *"*"* ]] || { echo "this is not what was seen before" >&2; exit 1; }
