"""nginx and proctor as they are started for a measurement, and the fixtures that proctor serves in it."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

from measures import private_memory


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process, seconds=20):
    """The time at which a connection first succeeds."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return time.perf_counter()
        if process.poll() is not None:
            sys.exit(f"{process.args[0]} ended at once, with exit code {process.returncode}")
        time.sleep(0.0002)
    sys.exit(f"{process.args[0]} did not listen within {seconds} s")


CERTIFICATES = pathlib.Path(__file__).resolve().parent.parent / "certs"

# 64 KiB that no coding makes shorter, so that the coded page goes over the wire at the same length.
PAGE = os.urandom(64 << 10)


class Nginx:
    name = "nginx"

    def __init__(self, folder, big_file):
        self.port = free_port()
        self.folder = pathlib.Path(folder)
        (self.folder / "logs").mkdir(exist_ok=True)
        self.config = self.folder / "nginx.conf"
        self.page_file = self.folder / "page.bin"
        self.page_file.write_bytes(PAGE)
        self.config.write_text(f"""
            {"user root;" if os.getuid() == 0 else ""} worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log /dev/null;
            worker_rlimit_nofile 65536;
            events {{ worker_connections 20000; }}
            http {{
                access_log off; sendfile on; keepalive_requests 1000000000; keepalive_timeout 600;
                server {{
                    listen 127.0.0.1:{self.port} backlog=4096;
                    location / {{ default_type text/plain; return 200 "hello\\n"; }}
                    location /logged {{ access_log {folder}/logs/access.log; default_type text/plain; return 200 "hello\\n"; }}
                    location /big {{ alias {big_file}; }}
                    location /page {{ alias {self.page_file}; }}
                }}
            }}""")

    def start(self):
        begin = time.perf_counter()
        self.process = subprocess.Popen(["nginx", "-p", str(self.folder), "-c", str(self.config)])
        self.ready_seconds = wait_for(self.port, self.process) - begin
        return self

    def small(self):
        return f"http://127.0.0.1:{self.port}/"

    def logged(self):
        """The small reply, with a line of the access log for each."""
        return f"http://127.0.0.1:{self.port}/logged"

    def big(self):
        return f"http://127.0.0.1:{self.port}/big"

    def page(self):
        return f"http://127.0.0.1:{self.port}/page"

    def memory(self):
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return sum(private_memory(int(pid)) for pid in [self.process.pid, *children])

    def stop(self):
        stop_nginx(self.process)


def stop_nginx(process):
    """Ends it in order; a master that was asked right after its start may miss the signal, and is asked again."""
    for number in (signal.SIGQUIT, signal.SIGQUIT, signal.SIGTERM, signal.SIGKILL):
        process.send_signal(number)
        try:
            process.wait(5)
            return
        except subprocess.TimeoutExpired:
            continue


class RunningNginx:
    """A started nginx of any configuration."""

    def __init__(self, configured):
        self.port, self.process = configured.port, configured.start()
        self.pid = self.process.pid
        wait_for(self.port, self.process)

    def stop(self):
        stop_nginx(self.process)


class Proctor:
    name = "proctor"

    def __init__(self, binary, fixtures, threads=1, scenario="bench/small", journal=None, authority=None, checks_first=True):
        self.authority = authority
        # What is measured is not to share the processor with the reading of fixtures.
        self.checks_first = checks_first
        self.binary, self.fixtures, self.threads, self.scenario = binary, fixtures, threads, scenario
        self.journal = journal

    def start(self):
        command = [self.binary, "serve", self.fixtures, "--port", "0", "--threads", str(self.threads)]
        if self.checks_first:
            command += ["--check-first"]
        if self.journal:
            command += ["--journal", self.journal]
        if self.authority:
            # The profiles of this source tree, wherever the binary lies.
            command += ["--ca-dir", str(self.authority), "--tls-port", "0", "--certs", str(CERTIFICATES)]
        begin = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        self.ready_seconds = time.perf_counter() - begin
        if not line:
            sys.exit(f"proctor did not start: run {' '.join(map(str, command))}")
        self.base = json.loads(line)["base"]
        self.port = json.loads(line)["port"]
        self.pid = self.process.pid
        if self.authority:
            self.tls_port = int(json.loads(line)["tls"].rsplit(":", 1)[1])
        return self

    def small(self):
        return f"{self.base}/{self.scenario}/hello"

    def big(self):
        return f"{self.base}/bench/big/file"

    def memory(self):
        return private_memory(self.process.pid)

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


def write_fixtures(folder, count, big_file=None):
    folder = pathlib.Path(folder)
    for index in range(count):
        target = folder / f"family-{index // 100}" / f"scenario-{index}.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"""summary: Number {index} of many
exchanges:
  - request: GET /hello
    reply: {{ status: 200, headers: {{ Content-Type: text/plain }}, body: "hello\\n" }}
  - request: GET /other
    reply: {{ status: 302, headers: {{ Location: "{{{{base}}}}/hello" }} }}
cases:
  get:
    client: {{ url: /hello }}
    wire: request(GET /hello)
    task: response(200) data+ complete(ok)
""")
    bench = folder / "bench"
    bench.mkdir(parents=True, exist_ok=True)
    (bench / "small.yaml").write_text("""summary: The small reply of the benchmark
exchanges:
  - request: GET /hello
    reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" }
cases:
  get: { client: { url: /hello }, wire: request(GET /hello) }
""")
    if big_file:
        os.link(big_file, bench / "big.bin")
        (bench / "big.yaml").write_text("""summary: One GiB from a file, and one GiB from a pattern
exchanges:
  - request: GET /file
    reply: { status: 200, body: { file: big.bin } }
  - request: GET /pattern
    reply: { status: 200, body: { pattern: offset, bytes: 1073741824 } }
cases:
  get: { client: { url: /file }, wire: request(GET /file) }
""")
