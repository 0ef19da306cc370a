#!/usr/bin/env bash
# niquests 3.21.2 (PyPI, with urllib3-future 2.25.904 and qh3 2.1.0) behind an Alt-Svc that names HTTP/3 at another port (RFC 7838 §2 and §2.1: a
# client uses an alternative as if it were the origin, and Host or :authority is derived from the origin and not from the alternative).
#
# Guess before the run: the second request goes to the alternative by HTTP/3, and its :authority is the host and port of the URL.
# Seen: it goes there, and its :authority has the port of the alternative. A server that tells its sites, its links or requests of other sites
# (Origin beside Host) by host and port takes the same page for one of another site, as soon as HTTP/3 is used. Where both ports are 443
# nothing of it is seen.
# No report of it was found among the threads of jawah/niquests and jawah/urllib3.future that were searched.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check niquests==3.21.2 urllib3-future==2.25.904 qh3==2.1.0 aioquic==1.7.2
cat >"$folder/try.py" <<'END'
import asyncio
import datetime
import http.server
import ssl
import sys
import threading

import niquests
from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

folder = sys.argv[1]


def make(names, issuer=None, signer=None):
    """A certificate and its key: an authority, or what it signs."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0])])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(issuer or name).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
    builder = builder.not_valid_after(now + datetime.timedelta(days=30))
    builder = builder.add_extension(x509.BasicConstraints(ca=signer is None, path_length=None), True)
    if signer:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(one) for one in names]), False)
    return builder.sign(signer or key, hashes.SHA256()), key


def keep(file, certificate, key):
    with open(f"{folder}/{file}.pem", "wb") as target:
        target.write(certificate.public_bytes(serialization.Encoding.PEM))
    with open(f"{folder}/{file}.key", "wb") as target:
        target.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))


authority, authority_key = make(["authority"])
keep("authority", authority, authority_key)
keep("certificate", *make(["localhost"], authority.subject, authority_key))
asked = []


class Alternative(QuicConnectionProtocol):
    http = None

    def quic_event_received(self, event):
        self.http = self.http or H3Connection(self._quic)
        for one in self.http.handle_event(event):
            if isinstance(one, HeadersReceived):
                asked.append(dict(one.headers)[b":authority"].decode())
                self.http.send_headers(one.stream_id, [(b":status", b"200"), (b"content-length", b"4")])
                self.http.send_data(one.stream_id, b"alt\n", end_stream=True)
                self.transmit()


class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Alt-Svc", f'h3=":{alternative}"; ma=600')
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"main\n")

    def log_message(self, *_):
        pass


ready = threading.Event()


def run():
    async def start():
        global alternative
        configuration = QuicConfiguration(is_client=False, alpn_protocols=["h3"])
        configuration.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/certificate.key")
        server = await serve("127.0.0.1", 0, configuration=configuration, create_protocol=Alternative)
        alternative = server._transport.get_extra_info("sockname")[1]
        ready.set()
        await asyncio.Event().wait()

    asyncio.run(start())


threading.Thread(target=run, daemon=True).start()
ready.wait()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/certificate.key")
origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
origin.socket = context.wrap_socket(origin.socket, server_side=True)
threading.Thread(target=origin.serve_forever, daemon=True).start()
url = f"https://localhost:{origin.server_port}/page"
with niquests.Session(resolver="system://") as session:
    session.verify, session.trust_env = f"{folder}/authority.pem", False
    replies = [session.get(url) for _ in range(3)]
ports = {str(origin.server_port): "ORIGIN", str(alternative): "ALTERNATIVE"}


def told(text):
    for number, word in ports.items():
        text = text.replace(number, word)
    return text


for reply in replies:
    print(f"asked for {told(url)}: {reply.text.strip()}, HTTP version {reply.http_version}, response.url {told(reply.url)}")
print("requests at the alternative had :authority", [told(one) for one in asked])
is_same = replies[-1].text == "alt\n" and asked and all(one.endswith(str(alternative)) for one in asked)
sys.exit(0 if is_same else "this is not what was seen before")
END
"$folder/python/bin/python" "$folder/try.py" "$folder"
