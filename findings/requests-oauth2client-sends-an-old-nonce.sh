#!/usr/bin/env bash
# A DPoP nonce that comes with a token (RFC 9449 §8.2), in requests_oauth2client 1.8.0.
#
# Guess before the run: "the client MUST use the new nonce value supplied for the next token request", and the library keeps the nonce of the
# server of tokens, so the next proof has it.
# Seen: the nonce is read from errors alone. The next proof has the old one, and each refresh costs one more request where nonces change.
#
# Installs the package into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check requests_oauth2client==1.8.0 requests==2.34.2
cat >"$folder/try.py" <<'END'
import base64
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from requests_oauth2client import OAuth2Client

nonces = []


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        part = self.headers["DPoP"].split(".")[1]
        nonces.append(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))).get("nonce"))
        good = nonces[-1] is not None
        told = {"access_token": "a", "token_type": "DPoP", "refresh_token": "r"} if good else {"error": "use_dpop_nonce"}
        content = json.dumps(told).encode()
        self.send_response(200 if good else 400)
        self.send_header("Content-Type", "application/json")
        self.send_header("DPoP-Nonce", f"nonce-{len(nonces)}")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = OAuth2Client(
    f"http://127.0.0.1:{server.server_port}/token", ("app", "secret"), dpop_bound_access_tokens=True, testing=True)
token = client.client_credentials()
client.refresh_token(token)
print("nonces of the proofs:", *nonces)
print("the last reply before the refresh said: nonce-2")
sys.exit(nonces != [None, "nonce-1", "nonce-1"])
END
"$folder/python/bin/python" "$folder/try.py"
