"""Keep-alive GETs with and without a guard, beside nginx with and without auth_basic."""
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "Clients"
CONNECTIONS = 50

SCENARIO = """summary: The small reply of the benchmark, unguarded and behind guards
guards:
  basic: { realm: lab, users: { user: pass }, schemes: [basic] }
  md5: { realm: lab, users: { user: pass }, schemes: [digest] }
  sha: { realm: lab, users: { user: pass }, schemes: [{ digest: { algorithm: SHA-256 } }] }
exchanges:
  - { request: GET /none, reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" } }
  - { request: GET /basic, auth: basic, reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" } }
  - { request: GET /md5, auth: md5, reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" } }
  - { request: GET /sha, auth: sha, reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" } }
cases:
  get: { client: { url: /none }, wire: request(GET /none) }
"""


class GuardedNginx:
    """One worker that asks for Basic below /basic; the password stands there in plain, which is the cheapest it knows."""

    def __init__(self, folder, port):
        self.folder, self.port = folder / "guarded-nginx", port
        (self.folder / "logs").mkdir(parents=True)
        (self.folder / "users").write_text("user:{PLAIN}pass\n")
        (self.folder / "nginx.conf").write_text(f"""
            worker_processes 1; daemon off; pid {self.folder}/nginx.pid; error_log /dev/null;
            events {{ worker_connections 1000; }}
            http {{
                access_log off; keepalive_requests 1000000000; keepalive_timeout 600; default_type text/plain;
                server {{
                    listen 127.0.0.1:{port};
                    root {self.folder};
                    location = /none {{ try_files /hello =404; }}
                    location = /basic {{ auth_basic lab; auth_basic_user_file {self.folder}/users; try_files /hello =404; }}
                }}
            }}""")
        (self.folder / "hello").write_text("hello\n")
        # The worker is nobody's process, and mkdtemp's folders are for their owner alone.
        for path in (folder, self.folder):
            path.chmod(0o755)

    def start(self):
        return subprocess.Popen(["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")])


def build_load(folder):
    load = folder / "auth-gets"
    subprocess.run(["cc", "-O2", "-o", load, HERE / "AuthGets" / "main.c", "-lcrypto"], check=True)
    return load


def rate(load, port, path, scheme, count):
    done = subprocess.run([load, str(port), path, scheme, str(CONNECTIONS), str(count)], capture_output=True, text=True,
                          timeout=300)
    if done.returncode != 0:
        sys.exit(f"auth-gets {path} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return float(done.stdout)


def bench_auth(start_server, start_nginx, folder, table, rounds, count=100000):
    """`start_server` takes a folder of fixtures; `start_nginx` takes a GuardedNginx's folder and gives it started."""
    fixtures = folder / "auth" / "bench"
    fixtures.mkdir(parents=True)
    (fixtures / "auth.yaml").write_text(SCENARIO)
    load = build_load(folder)
    server, nginx = start_server(folder / "auth"), start_nginx()
    subjects = {
        "none": (server.port, "/bench/auth/none", "none"),
        "Basic": (server.port, "/bench/auth/basic", "basic"),
        "Digest MD5": (server.port, "/bench/auth/md5", "MD5"),
        "Digest SHA-256": (server.port, "/bench/auth/sha", "SHA-256"),
        "nginx": (nginx.port, "/none", "none"),
        "nginx, Basic": (nginx.port, "/basic", "basic"),
    }
    figures = {name: [] for name in subjects}
    for number in range(rounds):
        names = list(subjects)
        for name in names if number % 2 == 0 else reversed(names):
            figures[name].append(rate(load, *subjects[name], count))
    server.stop()
    nginx.stop()
    for name, plain, what in (("Basic", "none", "behind Basic"), ("Digest MD5", "none", "behind Digest MD5"),
                              ("Digest SHA-256", "none", "behind Digest SHA-256"),
                              ("nginx, Basic", "nginx", "behind auth_basic, nginx")):
        costs = [free / guarded for free, guarded in zip(figures[plain], figures[name])]
        table.add(f"keep-alive GET {what}: cost", f"{statistics.median(figures[name]):,.0f}/s",
                  f"unguarded {statistics.median(figures[plain]):,.0f}/s",
                  f"{statistics.median(costs):.2f} ({min(costs):.2f} … {max(costs):.2f})")
