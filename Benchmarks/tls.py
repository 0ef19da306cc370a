"""Full handshakes and keep-alive GETs over TLS 1.3, beside nginx with the same certificate, key and cipher."""
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "Clients"
PROCESSES = 8
CIPHER = "TLS_AES_256_GCM_SHA384"

SCENARIO = """summary: The small reply of the benchmark
exchanges:
  - { request: GET /hello, reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" } }
cases:
  get: { client: { url: /hello }, wire: request(GET /hello) }
"""


class SecuredNginx:
    """One worker with the certificates of the authority, chosen by name as proctor chooses them."""

    def __init__(self, folder, port, servers):
        self.folder, self.port = folder / "secured-nginx", port
        (self.folder / "logs").mkdir(parents=True)
        blocks = "".join(
            f"""
                server {{
                    listen 127.0.0.1:{port} ssl{" backlog=4096" if number == 0 else ""}; server_name {name};
                    ssl_certificate {chain}; ssl_certificate_key {key};
                    ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites {CIPHER}; ssl_ecdh_curve X25519;
                    ssl_session_tickets on; ssl_session_cache off;
                    location / {{ default_type text/plain; return 200 "hello\\n"; }}
                }}"""
            for number, (name, chain, key) in enumerate(servers))
        (self.folder / "nginx.conf").write_text(f"""
            user root; worker_processes 1; daemon off; pid {self.folder}/nginx.pid; error_log /dev/null;
            worker_rlimit_nofile 65536;
            events {{ worker_connections 20000; }}
            http {{
                access_log off; keepalive_requests 1000000000; keepalive_timeout 600;{blocks}
            }}""")

    def start(self):
        return subprocess.Popen(["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")])


def build_load(folder):
    load = folder / "tls-handshakes"
    subprocess.run(["cc", "-O2", "-o", load, HERE / "TLSHandshakes" / "main.c", "-lssl", "-lcrypto"], check=True)
    return load


def handshakes(load, port, name, path, seconds):
    done = subprocess.run([load, str(port), name, path, str(PROCESSES), str(seconds)], capture_output=True, text=True,
                          timeout=seconds + 60)
    if done.returncode != 0:
        sys.exit(f"tls-handshakes {name} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return float(done.stdout)


def requests(url, seconds):
    done = subprocess.run(["wrk", "-t1", "-c50", f"-d{seconds}s", url], capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in done or "Socket errors" in done:
        sys.exit(f"wrk {url}: {done}")
    return float(re.search(r"Requests/sec:\s*([\d.]+)", done).group(1))


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def chain_of(port, name, folder):
    """The certificates that the server shows for a name, as a file."""
    shown = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", name, "-showcerts"],
                           input="", capture_output=True, text=True, timeout=60).stdout
    chain = re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", shown, re.S)
    if not chain:
        sys.exit(f"openssl s_client saw no certificate for {name}: {shown}")
    path = folder / f"{name}.pem"
    path.write_text("".join(chain))
    return path


def key_of(authority, profile):
    """The key of a profile, which the server has written since a handshake asked for it."""
    keys = list((authority / "keys").glob(f"server-{profile}.*"))
    if not keys:
        sys.exit(f"the server wrote no key for the certificate profile {profile} below {authority}")
    return keys[0]


def bench_tls(start_server, start_nginx, folder, table, rounds, seconds=3):
    """`start_server(fixtures, authority)` gives a Proctor with `tls_port`; `start_nginx(servers)` a SecuredNginx."""
    fixtures = folder / "tls" / "bench"
    fixtures.mkdir(parents=True)
    (fixtures / "tls.yaml").write_text(SCENARIO)
    authority = folder / "authority"
    load = build_load(folder)
    server = start_server(folder / "tls", authority)
    names = {"valid": "valid.proctor.test", "rsa2048": "rsa2048.proctor.test"}
    servers = []
    for profile, name in names.items():
        chain = chain_of(server.tls_port, name, folder)
        servers.append((name, chain, key_of(authority, profile)))
    nginx = start_nginx(servers)
    worker = int(subprocess.run(["pgrep", "-P", str(nginx.pid)], capture_output=True, text=True).stdout.split()[0])
    subjects = {"proctor": (server.tls_port, server.pid), "nginx": (nginx.port, worker)}

    def compare(what, measure, unit="/s"):
        figures, ratios = {name: [] for name in subjects}, []
        for number in range(rounds):
            order = list(subjects)
            for name in order if number % 2 == 0 else reversed(order):
                figures[name].append(measure(*subjects[name]))
        ratios = [ours / theirs for ours, theirs in zip(figures["proctor"], figures["nginx"])]
        median = {name: statistics.median(values) for name, values in figures.items()}
        table.add(what, f"{median['proctor']:,.0f}{unit}", f"nginx {median['nginx']:,.0f}{unit}",
                  f"{statistics.median(ratios):.2f} ({min(ratios):.2f} … {max(ratios):.2f})")

    costs = {}
    for profile, name in names.items():
        kind = "P-256" if profile == "valid" else "RSA 2048"

        def rate(port, pid, name=name):
            before = processor_seconds(pid)
            count = handshakes(load, port, name, "/bench/tls/hello", seconds)
            costs.setdefault((name, pid), []).append((processor_seconds(pid) - before) / (count * seconds))
            return count

        compare(f"full handshakes with one GET, TLS 1.3, {kind}", rate)
        ours, theirs = costs[(name, server.pid)], costs[(name, worker)]
        ratios = [left / right for left, right in zip(ours, theirs)]
        table.add(f"the same, processor time of the server for each ({kind})",
                  f"{statistics.median(ours) * 1e6:,.0f} µs", f"nginx {statistics.median(theirs) * 1e6:,.0f} µs",
                  f"{statistics.median(ratios):.2f} ({min(ratios):.2f} … {max(ratios):.2f})")
    compare("keep-alive GET over TLS 1.3", lambda port, pid: requests(
        f"https://127.0.0.1:{port}/bench/tls/hello", seconds))
    server.stop()
    nginx.stop()
