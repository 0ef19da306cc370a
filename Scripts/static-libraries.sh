#!/usr/bin/env bash
# Makes the folder that lets `swift build --pkg-config-path FOLDER` link the C libraries into the program, on Linux: each
# library's archive under the name that the linker asks for first, and pkg-config files that name this folder before all others.
# A library of which the system has no archive stays a shared one.
set -euo pipefail

usage() {
    echo "usage: $0 FOLDER" >&2
    exit 2
}

[[ $# -eq 1 ]] || usage
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# The compiler of the Swift toolchain looks where its linker will look.
compiler=$(command -v clang || command -v cc || command -v gcc || true)
[[ -n $compiler ]] || { echo "$0: no clang, cc or gcc, so C libraries stay shared" >&2; exit 0; }

keep() { # keep NAME ARCHIVE: libNAME.a in the folder is the system's ARCHIVE, where there is one
    local archive link=$folder/lib$1.a
    archive=$("$compiler" -print-file-name="$2")
    # What is right stays, since another build may use it at this moment.
    if [[ $archive != /* ]]; then
        rm -f "$link"
    elif [[ $(readlink "$link" || true) != "$archive" ]]; then
        ln -sf "$archive" "$link"
    fi
}

for name in ssl crypto yaml z brotlienc brotlidec brotlicommon zstd nghttp2 ngtcp2 pcre2-8 lua5.4 cmark-gfm cmark-gfm-extensions stdc++; do keep "$name" "lib$name.a"; done
# Debian's name of it, and others'.
keep uv libuv_a.a
[[ -e $folder/libuv.a ]] || keep uv libuv.a
# What unwinds for C++ stands in libgcc_s or in libgcc_eh; the first has no archive.
keep gcc_s libgcc_eh.a

packages=(libuv yaml-0.1 zlib libbrotlienc libzstd libnghttp2 openssl libpcre2-8 lua5.4 libcmark-gfm)
# Only where HTTP/3 is built.
if [[ -n ${PROCTOR_QUIC:-} ]]; then packages+=(libngtcp2); else rm -f "$folder/libngtcp2.a"; fi
for package in "${packages[@]}"; do
    # Written only when it differs, since the build stands on its time.
    file=$folder/$package.pc
    text="Name: $package
Description: $package, its archive first
Version: $(pkg-config --modversion "$package")
Cflags: $(pkg-config --cflags "$package")
Libs: -L$folder $(pkg-config --libs "$package")"
    [[ -e $file && $(<"$file") == "$text" ]] || printf '%s\n' "$text" >"$file"
done
