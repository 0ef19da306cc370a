"""Keep-alive GETs of a named host: at its own port, at the front door by Host, and through it as a proxy."""
import http.client
import json
import re
import subprocess
import sys

CONNECTIONS = 50
HOST = "home.example.org"

SCENARIO = """summary: The small reply of the benchmark, of a host with a name
origins:
  main: { host: home.example.org }
  sibling: { host: sibling.example.org }
  gate: { role: proxy }
exchanges:
  - { request: GET /hello, reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" } }
  - { origin: sibling, request: GET /hello, reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" } }
cases:
  get: { client: { url: /hello }, wire: request(GET /hello) }
"""


def make_run(server):
    """The addresses of a fresh run: of the host itself, of the front door, and of the proxy that the scenario has."""
    link = http.client.HTTPConnection("127.0.0.1", server.port)
    link.request("POST", "/__proctor/runs", json.dumps({"scenario": "bench/named"}))
    run = json.loads(link.getresponse().read())
    link.close()
    own = next(host["address"] for host in run["names"] if host["name"] == HOST)
    return {"own": own, "door": run["namesProxy"], "gate": run["origins"]["gate"].removeprefix("http://")}


def rate(folder, authority, target, seconds):
    """Requests a second with exactly this request-target; wrk's own URL says only whom to connect to."""
    script = folder / "target.lua"
    script.write_text(f'wrk.path = "{target}"\nwrk.headers["Host"] = "{HOST}"\n')
    done = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(script), f"http://{authority}/"],
        capture_output=True, text=True, timeout=300)
    if done.returncode != 0 or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
        sys.exit(f"wrk saw errors at {authority} with {target}:\n{done.stdout}{done.stderr}")
    return float(re.search(r"Requests/sec: +([\d.]+)", done.stdout).group(1))


def bench_proxy(start_server, in_turn, spread, folder, table, rounds, seconds):
    """`start_server` takes a folder of fixtures and gives a started proctor."""
    fixtures = folder / "proxy" / "bench"
    fixtures.mkdir(parents=True)
    (fixtures / "named.yaml").write_text(SCENARIO)
    server = start_server(folder / "proxy")
    try:
        absolute = f"http://{HOST}/hello"
        ways = {
            "at the front door, by Host": ("door", "/hello"),
            "through the front door as a proxy": ("door", absolute),
            "through a proxy of the scenario": ("gate", absolute),
        }
        for what, (place, target) in ways.items():
            def measure(way):
                # Each figure has a run of its own, so that no journal is older than another.
                run = make_run(server)
                return rate(folder, run["own"], "/hello", seconds) if way == "own" \
                    else rate(folder, run[place], target, seconds)
            (direct, by_way), *ratio = in_turn(["own", "way"], measure, rounds)
            table.add(f"keep-alive GET {what}", f"{by_way:,.0f}/s", f"at its own port {direct:,.0f}/s", spread(*ratio))
    finally:
        server.stop()
