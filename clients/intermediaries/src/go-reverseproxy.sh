#!/bin/sh
# Builds the program once into the user's cache, and runs it: go-reverseproxy.sh LISTEN UPSTREAM TLS-LISTEN PEM
set -eu
here=$(dirname "$0")
cache="${XDG_CACHE_HOME:-$HOME/.cache}/proctor"
mkdir -p "$cache"
program="$cache/go-reverseproxy-$(cksum < "$here/go-reverseproxy.go" | cut -d' ' -f1)"
if [ ! -x "$program" ]; then
    GOCACHE="$cache/go" GO111MODULE=off go build -o "$program.$$" "$here/go-reverseproxy.go"
    mv "$program.$$" "$program"
fi
exec "$program" "$@"
