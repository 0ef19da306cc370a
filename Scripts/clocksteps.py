"""Sets the clock that people read while a server and an exam are under way, for Scripts/shortages.py (--only clock).

The clock goes forward and back by hours, by days, and to two seconds before midnight, after which the day ends by itself. What
waits takes as long as ever, since it waits by the clock that nobody can set; dates, cookies and certificates follow the clock.
"""

import calendar
import email.utils
import hashlib
import json
import re
import signal
import socket
import ssl
import subprocess
import threading
import time

HOUR, DAY = 3600, 86_400
WAIT = 1.5
SCENARIO = """summary: What hangs on a clock
exchanges:
  - request: GET /slow
    reply: { status: 200, body: [ "a", { do: wait 1500ms }, "b" ] }
  - request: GET /date
    reply: { status: 200, headers: { Date: "{{now}}", Expires: "{{now + 1h}}", Set-Cookie: "s=1; Max-Age=3600" }, body: d }
  - request: GET /digest
    auth: { users: { u: p }, schemes: [ { digest: { lifetime: 20s } } ] }
    reply: { status: 200, body: in }
cases:
  slow:
    client: { url: /slow }
    facts: { body: ab }
"""
# Seconds for which the clock is fast, one after the other; "midnight" is two seconds before the next one.
STEPS = [5 * HOUR, 0, -7 * HOUR, "midnight", 0, 26 * HOUR, -26 * HOUR, 400 * DAY, 0]


def check(bench):
    """Tells each mistake to `bench`."""
    folder = bench.work / "clock"
    folder.mkdir(exist_ok=True)
    (folder / "it.yaml").write_text(SCENARIO)
    server = Server(bench)
    try:
        for step in STEPS:
            server.step(step)
        server.stop()
    finally:
        bench.control.set_clock(0)
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()
    exam(bench)


class Server:
    def __init__(self, bench):
        self.bench = bench
        bench.control.set()
        self.journal = bench.folder / "clock.jsonl"
        self.process = subprocess.Popen(
            [str(bench.program), "serve", "clock", "--port", "0", "--tls-port", "0", "--ephemeral-ca", "--grace", "2",
             "--journal", str(self.journal)],
            cwd=bench.work, env=bench.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        ready = json.loads(self.process.stdout.readline())
        self.port, self.tls = ready["port"], int(ready["tls"].rsplit(":", 1)[1])
        self.idle = None
        self.fast = 0

    def step(self, step):
        if step == "midnight":
            now = time.time()
            step = int(now // DAY * DAY + DAY - 2 - now)
        what = f"clock, {step / HOUR:+.1f} h after {self.fast / HOUR:+.1f} h"
        results, threads = {}, []
        for name, work in {"slow": self.slow, "poll": self.poll}.items():
            threads.append(threading.Thread(target=lambda name=name, work=work: results.update({name: work()})))
            threads[-1].start()
        nonce = re.search(rb'nonce="([^"]*)"', self.ask("/it/digest"))[1].decode()
        self.idle = self.idle or self.connect()
        time.sleep(0.3)
        self.bench.control.set_clock(step)
        self.fast = step
        for thread in threads:
            thread.join(30)
        for name in ["slow", "poll"]:
            taken, got = results.get(name, (None, b"nothing within 30 s"))
            if taken is None or not WAIT - 0.1 <= taken <= WAIT + 3:
                self.bench.fail(what, f"a wait of {WAIT} s ({name}) takes {taken} s", got.decode(errors="replace"))
        self.wanted(what, "the idle connection", b"\r\n\r\nd", self.over(self.idle, "/it/date"))
        self.wanted(what, "a nonce that is a second old", b"\r\n\r\nin", self.ask("/it/digest", self.digest(nonce)))
        self.wanted(what, "a cookie", b"\r\n\r\nd", self.ask("/it/date", "Cookie: s=1"))
        self.dates(what)
        self.certificate(what)
        self.wanted(what, "health", b'"status":"ok"', health := self.ask("/__proctor/health"))
        self.wanted(what, "no negative number", True, re.search(rb":-\d", health) is None)

    def wanted(self, what, name, wanted, got):
        if (wanted not in got) if isinstance(wanted, bytes) else wanted != got:
            self.bench.fail(what, f"{name}: wanted {wanted!r}", str(got))

    # What is asked.

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def over(self, link, target):
        """One reply of one byte over a connection that stays open."""
        link.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        got = b""
        while b"\r\n\r\n" not in got or got.endswith(b"\r\n\r\n"):
            piece = link.recv(65536)
            if not piece:
                return got + b" (closed)"
            got += piece
        return got

    def ask(self, target, *fields):
        head = "".join(f"{field}\r\n" for field in fields)
        with self.connect() as link:
            link.sendall(
                f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{head}Connection: close\r\n\r\n".encode())
            return b"".join(iter(lambda: link.recv(65536), b""))

    def slow(self):
        begin = time.monotonic()
        got = self.ask("/it/slow")
        return time.monotonic() - begin, got

    def poll(self):
        """A journal that is waited for."""
        with self.connect() as link:
            link.sendall((f"POST /__proctor/runs HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: 17\r\n"
                          'Connection: close\r\n\r\n{"scenario":"it"}').encode())
            made = b"".join(iter(lambda: link.recv(65536), b""))
        run = json.loads(made.split(b"\r\n\r\n", 1)[1])["run"]
        begin = time.monotonic()
        got = self.ask(f"/__proctor/runs/{run}/journal?after=1000&wait={int(WAIT * 1000)}")
        return time.monotonic() - begin, got

    def digest(self, nonce):
        def md5(text):
            return hashlib.md5(text.encode()).hexdigest()
        realm = re.search(rb'realm="([^"]*)"', self.ask("/it/digest"))[1].decode()
        answer = md5(f"{md5(f'u:{realm}:p')}:{nonce}:00000001:c:auth:{md5('GET:/it/digest')}")
        return (f'Authorization: Digest username="u", realm="{realm}", nonce="{nonce}", uri="/it/digest", '
                f'nc=00000001, cnonce="c", qop=auth, response="{answer}", algorithm=MD5')

    # What hangs on the clock.

    def dates(self, what):
        got = self.ask("/it/date").decode()
        for field, more in [("Date", 0), ("Expires", HOUR)]:
            text = re.search(rf"{field}: (.*)\r", got)[1]
            off = email.utils.parsedate_to_datetime(text).timestamp() - (time.time() + self.fast + more)
            if abs(off) > 2:
                self.bench.fail(what, f"{field} is {off:.0f} s away from the clock", text)

    def certificate(self, what):
        """Of the day that the clock shows, as a profile's days are told from it: from the day before on."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with self.connect_tls(context) as link:
            der = link.getpeercert(binary_form=True)
        pem = self.bench.folder / "leaf.pem"
        pem.write_text(ssl.DER_cert_to_PEM_cert(der))
        text = subprocess.run(["openssl", "x509", "-in", pem, "-noout", "-startdate"], capture_output=True, text=True).stdout
        begin = calendar.timegm(time.strptime(text.strip(), "notBefore=%b %d %H:%M:%S %Y GMT"))
        age = time.time() + self.fast - begin
        if not DAY - 2 <= age <= 2 * DAY + 2:
            self.bench.fail(what, f"the certificate is valid since {age / HOUR:.0f} h, wanted 24 to 48 h", text)

    def connect_tls(self, context):
        return context.wrap_socket(socket.create_connection(("127.0.0.1", self.tls), timeout=20))

    def stop(self):
        """With a reply under way and a step in the midst of the grace."""
        link = self.connect()
        link.sendall(f"GET /it/slow HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        time.sleep(0.2)
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        self.bench.control.set_clock(-30 * HOUR)
        try:
            code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            code = "nothing within 20 s"
        if code != 0 or time.monotonic() - begin > 5:
            self.bench.fail("clock, stop", f"exits with {code} after {time.monotonic() - begin:.1f} s, wanted 0 within 5 s")
        lines = [json.loads(line) for line in self.journal.read_text().splitlines()]
        times = [line["ns"] for line in lines if "ns" in line]
        if times != sorted(times) or not times:
            self.bench.fail("clock, journal", "its times go back")


def exam(bench):
    """Deadlines of an exam while the clock goes forward and back five times a second."""
    begin = time.monotonic()
    bench.control.set()
    process = subprocess.Popen(
        [str(bench.program), "exam", "it", "--client", "curl", "--fixtures", "clock", "--fail-on", "should"],
        cwd=bench.work, env=bench.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    while process.poll() is None and time.monotonic() - begin < 30:
        for step in [5 * HOUR, -26 * HOUR]:
            bench.control.set_clock(step)
            time.sleep(0.1)
    bench.control.set_clock(0)
    if process.poll() is None:
        process.kill()
    said = process.communicate()[0]
    if process.returncode != 0:
        bench.fail("clock, exam of curl", f"exits with {process.returncode}", said.decode(errors="replace"))
