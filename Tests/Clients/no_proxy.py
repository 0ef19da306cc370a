#!/usr/bin/env python3
"""no_proxy.py PROCTOR: which clients heed the variables of proxies that `proctor run` sets, and forms of no_proxy.

Runs each client that is installed with one scenario: for a name, for an address of the run, and for the address with no_proxy
set otherwise. Says by the journal whether the proxy was asked, and prints the table of Docs/use/names.md. Nothing leaves the
machine: the only name is asked of the proxy, and is left out where no proxy would be asked.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCENARIO = """summary: A page with a name, and one at an address
origins:
  main: { host: home.example.org }
  plain: {}
exchanges:
  - { request: GET /a, optional: true, reply: { status: 200, body: "home\\n" } }
  - { request: GET /b, origin: plain, optional: true, reply: { status: 200, body: "plain\\n" } }
"""
GO = """package main
import ("io"; "net/http"; "os")
func main() { r, err := http.Get(os.Args[1]); if err != nil { panic(err) }; io.Copy(os.Stdout, r.Body) }
"""
PYTHON = {
    "urllib": "import sys, urllib.request as u; u.urlopen(sys.argv[1]).read()",
    "requests": "import sys, requests; requests.get(sys.argv[1])",
    "httpx": "import sys, httpx; httpx.get(sys.argv[1])",
    "aiohttp (`trust_env`)": """
import sys, asyncio, aiohttp
async def go():
    async with aiohttp.ClientSession(trust_env=True) as s:
        async with s.get(sys.argv[1]) as r: await r.read()
asyncio.run(go())""",
}
# A form of no_proxy; None is what `proctor run` gives. `IP` is the address of the run.
FORMS = [None, "", "IP", "127.", "*"]
SECONDS = 30


def clients(folder):
    """The command of each client that is there; it gets the URL behind it."""
    found = {}
    if shutil.which("curl"):
        found["curl"] = ["curl", "-sf"]
    if shutil.which("wget"):
        found["wget"] = ["wget", "-q", "-O", "-", "--tries=1"]
    for name, text in PYTHON.items():
        module = name.split()[0]
        if module == "urllib" or subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0:
            found[name] = [sys.executable, "-c", text]
    if shutil.which("go"):
        (folder / "get.go").write_text(GO)
        environment = {**os.environ, "GOCACHE": str(folder / "cache"), "GOFLAGS": "-mod=mod"}
        if subprocess.run(["go", "build", "-o", str(folder / "get"), str(folder / "get.go")], env=environment).returncode == 0:
            found["Go"] = [str(folder / "get")]
    if shutil.which("ruby"):
        found["Ruby's Net::HTTP"] = ["ruby", "-rnet/http", "-e", "Net::HTTP.get(URI(ARGV[0]))"]
    return found


def asked(proctor, folder, command, path, form):
    """`proxy`, `directly` or `not at all`: the way of the request for that page."""
    journal = folder / "journal"
    # A journal is written behind what the file has.
    journal.unlink(missing_ok=True)
    place = "$PROCTOR_BASE" if path == "/a" else "$PROCTOR_ORIGIN_PLAIN"
    setting = ""
    if form is not None:
        value = form.replace("IP", "${PROCTOR_ORIGIN_PLAIN#http://}")
        setting = f'value="{value}"; value="${{value%:*}}"; export no_proxy="$value" NO_PROXY="$value"; '
    words = " ".join(f"'{word}'" if "'" not in word else '"' + word.replace('"', '\\"') + '"' for word in command)
    script = f"{setting}{words} {place}{path}"
    subprocess.run(
        [proctor, "run", "names", "--fixtures", str(folder / "fixtures"), "--journal", str(journal), "--", "sh", "-c", script],
        capture_output=True, timeout=SECONDS)
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    requests = [line for line in lines if line.get("ev") == "requestHead" and line.get("target", "").endswith(path)]
    if not requests:
        return "not at all"
    routed = {(line["connection"], line["request"]) for line in lines if line.get("ev") == "routed"}
    return "proxy" if (requests[0]["connection"], requests[0]["request"]) in routed else "directly"


def main(proctor):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "fixtures").mkdir()
        (folder / "fixtures" / "names.yaml").write_text(SCENARIO)
        heads = ["as it is set", "empty", "the address itself", "`127.`", "`*`"]
        print(f"| client | a name | an address, `no_proxy` {heads[0]} | " + " | ".join(heads[1:]) + " |")
        print("|" + "---|" * (len(heads) + 2))
        for name, command in clients(folder).items():
            cells = [asked(proctor, folder, command, "/a", None)] + [asked(proctor, folder, command, "/b", form) for form in FORMS]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]))
