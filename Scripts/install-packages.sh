#!/usr/bin/env bash
# Installs the system packages that Proctor is built from ("build"), tested with ("test", "test-all"), measured with ("bench"), counted
# with ("bench-check"), packed with ("dist") or tried with ("dist-check"), whose pages are used with ("pages"), whose boot
# loaders are asked with ("boot"), or whose matrix has more clients than its tests ("matrix", "matrix-around"), if any is missing.
# With --list it only names the formulas of Homebrew, one a line.
# For all tests it also makes .build/python and .build/mcp, environments of Python with httpbin, and with a client of MCP and a reader
# of metrics, from PyPI; without PyPI their tests are skipped.
# Says what it does, uses sudo only when it must, and does nothing at all when everything is there.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

usage() {
    echo "usage: $0 build|test|test-all|bench|bench-check|dist|dist-check|pages|matrix|matrix-around|boot [--list]" >&2
    exit 2
}

is_bookworm() { grep -qs '^VERSION_CODENAME=bookworm$' /etc/os-release; }

[[ $# -eq 1 || ($# -eq 2 && $2 == --list) ]] || usage
# What the tests of every day drive.
test_debian=(curl wget aria2 nghttp2-client gzip brotli zstd macutils openssl procps zsh fish python3 python3-requests
    python3-aiohttp python3-httpx python3-h2 python3-urllib3 python3-yaml python3-jsonschema)
test_brew=(curl wget aria2 nghttp2 brotli zstd openssl@3 python3 fish)
if is_bookworm; then test_debian+=(ngtcp2-client); fi
case $1 in
    build)
        purpose="build"
        debian=(pkg-config libuv1-dev libyaml-dev zlib1g-dev libbrotli-dev libzstd-dev libnghttp2-dev libssl-dev libpcre2-dev liblua5.4-dev
            libcmark-gfm-dev libcmark-gfm-extensions-dev duktape-dev)
        brew=(pkgconf libuv libyaml zlib brotli zstd libnghttp2 openssl@3 pcre2 lua@5.4 cmark-gfm duktape)
        # Elsewhere it is another version, which QUIC is not written for, so that QUIC is left out there (Makefile).
        if is_bookworm; then debian+=(libngtcp2-dev); fi
        ;;
    test)
        purpose="test"
        debian=("${test_debian[@]}")
        brew=("${test_brew[@]}")
        ;;
    test-all)
        purpose="test everything"
        debian=("${test_debian[@]}" gss-ntlmssp python3-venv python3-pytest python3-pytest-xdist python3-socks python3-python-socks
            python3-aiohttp-socks python3-socksio python3-websockets python3-pycurl nodejs node-ws golang-go
            golang-github-gorilla-websocket-dev default-jdk-headless junit5
            libhttpclient5-java libhttpcore5-java libokhttp-java ruby ruby-rspec ruby-faye-websocket ruby-vcr ruby-webmock php-cli libwww-perl
            liblwp-protocol-https-perl
            python3-gi gir1.2-soup-3.0 glib-networking)
        brew=("${test_brew[@]}")
        ;;
    bench)
        purpose="measure"
        # The last words of the second line, and the third, are for servers of WebSockets.
        debian=(nginx-light libnginx-mod-http-lua wrk curl nghttp2-client python3 procps gcc libc6-dev libcurl4-openssl-dev
            ngtcp2-client ngtcp2-server caddy python3-venv g++ libwebsockets-dev libboost-dev nodejs golang-go golang-github-gorilla-websocket-dev)
        # Node's own packages have no place for Debian's.
        command -v npm >/dev/null || debian+=(node-ws)
        brew=(nginx wrk curl nghttp2)
        ;;
    bench-check)
        purpose="count"
        debian=(valgrind python3 binutils ngtcp2-client)
        brew=(python3)
        ;;
    dist)
        purpose="pack"
        debian=(binutils python3 default-jdk-headless junit5)
        brew=(python3)
        ;;
    dist-check)
        purpose="try the packages"
        debian=(debootstrap curl iproute2 python3 python3-venv nodejs golang-go maven libmaven-resources-plugin-java
            libmaven-compiler-plugin-java libsurefire-java ruby ruby-rspec)
        # Node's own packages have it, and refuse Debian's.
        command -v npm >/dev/null || debian+=(npm)
        brew=()
        ;;
    matrix)
        purpose="examine every client"
        debian=(python3-pyqt6 httpie cargo librust-reqwest-dev librust-serde-json-dev chromium firefox-esr libnss3-tools gir1.2-webkit2-4.1 python3-gi xvfb
            mono-mcs)
        brew=()
        ;;
    matrix-around)
        purpose="examine the clients of one family"
        debian=(python3-venv zstd ffmpeg streamlink vlc-bin vlc-plugin-base mpg123)
        brew=(python3 zstd ffmpeg streamlink mpg123)
        ;;
    boot)
        purpose="load files by boot loaders in virtual machines"
        debian=(qemu-system-x86 grub-common grub-pc-bin ipxe ipxe-qemu ovmf python3 python3-venv)
        brew=(qemu python3)
        ;;
    pages)
        purpose="look at pages"
        debian=(chromium firefox-esr webkit2gtk-driver xvfb xauth python3 python3-venv)
        brew=(python3)
        ;;
    *) usage ;;
esac

if [[ ${2:-} == --list ]]; then
    printf '%s\n' "${brew[@]}"
    exit 0
fi

is_missing_here() {
    # dpkg knows a removed package too, so its status is asked for.
    [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" != installed ]]
}

install_on_debian() {
    local missing=()
    local package
    for package in "${debian[@]}"; do
        if is_missing_here "$package"; then missing+=("$package"); fi
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0

    local as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        if ! command -v sudo >/dev/null; then
            echo "proctor: to $purpose, these packages are missing: ${missing[*]}" >&2
            echo "proctor: become root and run: apt-get install ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "proctor: installing what is missing to $purpose: ${missing[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >/dev/null
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}" >/dev/null
}

check_on_macos() {
    local missing=()
    local formula
    for formula in "${brew[@]}"; do
        if ! brew list --formula "$formula" >/dev/null 2>&1; then missing+=("$formula"); fi
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0
    echo "proctor: to $purpose, these are missing; run: brew install ${missing[*]}" >&2
    exit 1
}

# Installs what Tests/Clients/FOLDER/requirements.txt lists from PyPI, which Debian has not, into .build/HOME. PyPI is not everywhere, so
# it may be missing: LOSS says what is not done then.
make_python() {
    local folder=$1 home="$root/.build/$2" what=$3 loss=$4
    local wanted="$root/Tests/Clients/$folder/requirements.txt"
    if cmp -s "$wanted" "$home/requirements.txt"; then return 0; fi
    echo "proctor: installing $what from PyPI into .build/$2"
    mkdir -p "$root/.build"
    if ! { python3 -m venv --clear "$home" &&
        "$home/bin/python" -m pip install -q --disable-pip-version-check --retries 1 --timeout 15 -r "$wanted" &&
        cp "$wanted" "$home/requirements.txt"; } >"$home.log" 2>&1; then
        echo "proctor: that failed (.build/$2.log), so $loss" >&2
    fi
}

# The pack httpbin is compared with the original.
make_httpbin() { make_python httpbin python "httpbin and gunicorn" "the pack httpbin is not compared with httpbin"; }

# A client of the Model Context Protocol, and a reader of metrics.
make_mcp() {
    make_python mcp mcp "mcp and prometheus_client" "\`proctor mcp\` and the metrics are not tried with others' programs"
}

# The modules that python clients in the tests import. Debian has them as packages; Homebrew has not, and its python3 refuses
# to install into itself (PEP 668), so they get an environment of their own, which `make test` puts first in PATH.
make_python_for_macos() {
    local modules="pytest requests aiohttp httpx httpx-sse sseclient-py websockets h2 urllib3 pyyaml jsonschema" home="$root/.build/python-clients"
    if [[ "$(cat "$home/modules" 2>/dev/null)" == "$modules" ]]; then return 0; fi
    echo "proctor: installing $modules from PyPI into .build/python-clients"
    mkdir -p "$root/.build"
    # shellcheck disable=SC2086 # a list of words
    if ! { python3 -m venv --clear "$home" &&
        "$home/bin/python" -m pip install -q --disable-pip-version-check $modules; } >"$root/.build/python-clients.log" 2>&1; then
        echo "proctor: that failed (.build/python-clients.log); tests with python clients need these modules" >&2
        exit 1
    fi
    echo "$modules" >"$home/modules"
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
    install_on_debian
elif [[ "$(uname -s)" == Darwin ]]; then
    if ! command -v brew >/dev/null; then
        echo "proctor: Homebrew is needed to $purpose: see https://brew.sh, then: brew install ${brew[*]}" >&2
        exit 1
    fi
    check_on_macos
    if [[ $1 == test* ]]; then make_python_for_macos; fi
else
    echo "proctor: this system has neither apt-get nor brew; to $purpose, install the equivalents of:" >&2
    echo "proctor:   ${debian[*]}" >&2
fi

# Jest of Debian's packages, unpacked and not installed: they want Debian's own Node, and run with any.
make_jest() {
    local home="$root/.build/jest"
    if command -v jest >/dev/null || [[ -x "$home/jest" ]]; then return 0; fi
    command -v apt-cache >/dev/null && command -v node >/dev/null || return 0
    echo "proctor: unpacking Jest of Debian into .build/jest"
    rm -rf "$home"
    mkdir -p "$home/packages"
    if ! (
        set -e
        cd "$home/packages"
        apt-cache dumpavail | sed -n 's/^Package: //p' | sort -u >../known
        apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances jest |
            grep -E '^(jest|node-)' | sort -u | comm -12 - ../known >../wanted
        xargs -a ../wanted apt-get download -q
        for package in *.deb; do dpkg -x "$package" ../root; done
    ) >"$root/.build/jest.log" 2>&1; then
        echo "proctor: that failed (.build/jest.log), so the helper for Node is not tried with Jest" >&2
        return 0
    fi
    rm -rf "$home/packages"
    # What Debian's Node knows of itself, and its Jest asks for.
    cat >"$home/debian.cjs" <<END
const variables = { ...process.config.variables, node_relative_path: 'share/nodejs', node_prefix: '$home/root/usr' };
Object.defineProperty(process, 'config', { value: { ...process.config, variables } });
END
    cat >"$home/jest" <<END
#!/bin/sh
NODE_PATH='$home/root/usr/share/nodejs' exec node -r '$home/debian.cjs' '$home/root/usr/share/nodejs/jest-cli/bin/jest.js' "\$@"
END
    chmod +x "$home/jest"
}

if [[ $1 == test-all ]]; then
    make_httpbin
    make_mcp
    make_jest
fi

# The clients that do one thing around a request.
if [[ $1 == matrix-around ]]; then
    make_python around around "clients of OAuth, signatures, webhooks and caches" "those that python3 has not are left out"
fi

if [[ $1 == boot ]]; then
    make_python boot boot "what writes the variables of UEFI" "UEFI is left out"
fi

# What drives the browser of the tests of pages; the browser itself is the system's.
make_browser_driver() {
    local wanted="$root/Tests/Browser/requirements.txt" home="$root/.build/browser"
    if cmp -s "$wanted" "$home/requirements.txt"; then return 0; fi
    echo "proctor: installing playwright and axe from PyPI into .build/browser"
    mkdir -p "$root/.build"
    if ! { python3 -m venv --clear "$home" &&
        "$home/bin/python" -m pip install -q --disable-pip-version-check -r "$wanted" &&
        cp "$wanted" "$home/requirements.txt"; } >"$root/.build/browser.log" 2>&1; then
        echo "proctor: that failed (.build/browser.log); to look at pages, PyPI must be reached once" >&2
        exit 1
    fi
}

if [[ $1 == pages ]]; then make_browser_driver; fi
