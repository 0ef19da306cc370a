#!/usr/bin/env bash
# Makes the recordings anew in FOLDER: make.sh FOLDER PYTHON. PYTHON has the packages that cassettes.py and the others name.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 python=$2 port=18977 relay=18978
start() {
  "$python" "$here/server.py" "$port" &
  server=$!
  until curl -s -o /dev/null "http://127.0.0.1:$port/new"; do :; done
}
stop() { kill "$server"; wait "$server" 2>/dev/null || true; }
base=http://127.0.0.1:$port

start
curl -sL --trace "$folder/curl.trace" -o /dev/null "$base/old" --next -s -o /dev/null --compressed "$base/zip" \
  --next -s -o /dev/null "$base/chunks" --next -s -o /dev/null -r 2-5 "$base/file" --next -s -o /dev/null "$base/file" \
  --next -s -o /dev/null --digest -u ann:pw "$base/digest" --next -s -I -o /dev/null "$base/file" \
  --next -s -o /dev/null -F note=hi -F "photo=@$here/stubs.py;filename=a.png;type=image/png" "$base/upload"
curl -s --trace-ascii "$folder/curl-ascii.trace" -o /dev/null -d 'user=ann&password=correct' "$base/login" \
  --next -s -o /dev/null "$base/cart" --next -s -o /dev/null -b session=4f9d1c77aa "$base/cart" \
  --next -s -o /dev/null "$base/flaky" --next -s -o /dev/null "$base/flaky" --next -s -o /dev/null "$base/flaky"
stop

start
curl -si "$base/chunks" >"$folder/curl-include.dump"
"$python" "$here/cassettes.py" "$port" "$folder"
stop

start
"$python" "$here/browser.py" "$port" "$folder/chromium.har"
stop

for client in node go; do
  start
  "$python" "$here/relay.py" "$relay" "$port" "$folder/$client.dump" >"$folder/relay.out" &
  relaying=$!
  until grep -q ready "$folder/relay.out"; do :; done
  if [ "$client" = node ]; then node "$here/node.mjs" "$relay"; else go run "$here/main.go" "$relay"; fi
  kill "$relaying"
  rm "$folder/relay.out"
  stop
done
node "$here/h2.mjs" "$port" >"$folder/h2.out" &
server=$!
until curl -s --http2-prior-knowledge -o /dev/null "$base/hello"; do :; done
: >"$folder/curl-h2.trace"
# One process each: curl 7.88 traces no head that it sends on a connection of HTTP/2 that it uses again.
for path in old hello zip; do
  curl -s --http2-prior-knowledge --trace - -o /dev/null "$base/$path" >>"$folder/curl-h2.trace"
done
kill -9 "$server"
rm "$folder/h2.out"
"$python" "$here/openapi.py" "$folder"
"$python" "$here/stubs.py" "$folder/wiremock"
