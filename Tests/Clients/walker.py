"""What the walkers share: programs come as lines of JSON, reports go out as lines of JSON.

A program is {"steps": [{method, url, headers, bodyFile, bodyForm, follow, user?, password?, proxy?, silence?,
limit, trust?, certificate?, key?}], "names": [{name, port, address}]}; a report has one entry for each step: {status, url, byteCount, body (base64, when it is short), error}.
"""

import base64
import http.client
import ipaddress
import json
import socket
import ssl
import sys

KEPT_BODY = 64 * 1024
PIECE = 256 * 1024
# A body that is announced to be longer is read in pieces, if there can be so much of it.
READ_AT_ONCE = 64 * 1024 * 1024
IMPOSSIBLE = 1 << 50

# Nothing of a test leaves the machine: a client that takes half a URL for a host name is not to ask for it. localhost
# is the loopback, whatever a file or a server says (RFC 6761 §6.3). Names of a program stand where it says.
system_getaddrinfo = socket.getaddrinfo
named = {}


def getaddrinfo(host, port, *arguments, **options):
    address = named.get((host.lower().removesuffix("."), port))
    if address:
        return system_getaddrinfo(*address, *arguments, **options)
    if host == "localhost":
        host = "127.0.0.1"
    try:
        ipaddress.ip_address(host)
    except ValueError:
        raise socket.gaierror(socket.EAI_NONAME, f"{host!r} is a name, and names are not looked up here") from None
    return system_getaddrinfo(host, port, *arguments, **options)


socket.getaddrinfo = getaddrinfo


def content(step):
    """The body in the form that the program asks for; None when there is none."""
    if step.get("bodyFile") is None:
        return None
    if step["bodyForm"] == "file":
        return open(step["bodyFile"], "rb")
    with open(step["bodyFile"], "rb") as file:
        data = file.read()
    return data if step["bodyForm"] == "data" else iter([data])


def silence(step):
    """Seconds that each call on a socket may take."""
    return step.get("silence") or step["limit"]


def tls(step):
    """The context that the manual recommends, which judges by one file where the program names one.

    The protocol is offered as http.client does by itself, where it is given no context.
    """
    context = ssl.create_default_context(cafile=step.get("trust"))
    context.set_alpn_protocols(["http/1.1"])
    if step.get("certificate"):
        context.load_cert_chain(step["certificate"], step["key"])
    return context


def report(status, url, message):
    """Reads the message to its end, and keeps its beginning.

    Only a read of all that is left tells of a body that breaks off.
    """
    kept, count, error = b"", 0, None
    try:
        size = PIECE if READ_AT_ONCE < (getattr(message, "length", None) or 0) < IMPOSSIBLE else None
        while piece := message.read(size):
            count += len(piece)
            kept += piece[: KEPT_BODY - len(kept)]
    except http.client.IncompleteRead as failure:
        count += len(failure.partial)
        kept += failure.partial[: KEPT_BODY - len(kept)]
        error = repr(failure)
    except Exception as failure:
        error = repr(failure)
    entry = {"status": status, "url": url, "byteCount": count, "error": error}
    if count == len(kept):
        entry["body"] = base64.b64encode(kept).decode()
    return entry


def serve(walk):
    """Hands each program to `walk`, until standard input ends."""
    for line in sys.stdin:
        program = json.loads(line)
        named.clear()
        for entry in program["names"]:
            host, _, port = entry["address"].rpartition(":")
            named[entry["name"], entry["port"]] = (host.strip("[]"), int(port))
        steps = walk(program["steps"])
        print(json.dumps({"steps": steps}), flush=True)
