"""What the adapters of Python's libraries share: names without a resolver, limits of time, and names of errors."""

import http.client
import importlib
import ipaddress
import os
import socket
import ssl
import sys
import threading

from proctor_adapter import Missing, is_adapter, seconds_left, tls_error

system_getaddrinfo = socket.getaddrinfo
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ws_proxy", "wss_proxy")
# Files of authorities, of names and passwords, and of keys that libraries look for.
SETTINGS = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE", "NETRC")


def import_library(name, adapter):
    """The module of that name; raises where there is none, or none but the file of the adapter itself."""
    try:
        library = importlib.import_module(name)
    except ImportError as error:
        raise Missing(f"{name} is not installed for {sys.executable}: {error}") from error
    file = getattr(library, "__file__", None)
    if file is None or os.path.realpath(file) == os.path.realpath(adapter) or is_adapter(file):
        found = f"; what has that name is no library but {file or list(library.__path__)[0]}"
        raise Missing(f"{name} is not installed for {sys.executable}{found}")
    return library


def leave_surroundings():
    """Takes everything out of the environment that a library might read."""
    for name in PROXIES:
        os.environ.pop(name, None)
        os.environ.pop(name.upper(), None)
    for name in SETTINGS:
        os.environ.pop(name, None)


def resolve_only(names):
    """Has this process know the names of the table and numbers, and ask nobody for others.

    It stands where the system's resolver would, so that a library does all it ever does with a name. localhost is the
    loopback, whatever a file or a server says (RFC 6761 §6.3).
    """

    def getaddrinfo(host, port, *arguments, **options):
        if isinstance(host, bytes):
            host = host.decode("ascii")
        address = names.resolve(host or "", port) if isinstance(port, int) else None
        if address:
            return system_getaddrinfo(*address, type=socket.SOCK_STREAM)
        if host in ("localhost", "localhost."):
            host = "127.0.0.1"
        try:
            ipaddress.ip_address((host or "").partition("%")[0])
        except ValueError:
            reason = f"{host!r} at port {port} is not among the names of the assignment, and no other is looked up"
            raise socket.gaierror(socket.EAI_NONAME, reason) from None
        return system_getaddrinfo(host, port, *arguments, **options)

    socket.getaddrinfo = getaddrinfo


class Watch:
    """Tells a result and ends the process at the adapter's own deadline, for nothing else ends a call that blocks."""

    def __init__(self, trace, assignment):
        self.trace = trace
        self.timer = threading.Timer(seconds_left(assignment), self.end)
        self.timer.daemon = True
        self.timer.start()

    def end(self):
        self.trace.give_up()
        os._exit(0)

    def stop(self):
        self.timer.cancel()


def causes(error):
    """An error and all that it was made from, the outermost first."""
    found, waiting = [], [error]
    while waiting and len(found) < 50:
        one = waiting.pop(0)
        if not isinstance(one, BaseException) or any(one is other for other in found):
            continue
        found.append(one)
        waiting += [getattr(one, "reason", None), getattr(one, "os_error", None), one.__cause__, one.__context__]
        waiting += [part for part in one.args if isinstance(part, BaseException)]
    return found


def error_name(error, own):
    """The neutral name; `own` has those of the library's classes, the first of which counts that is in the chain."""
    chain = causes(error)
    untrusted = [one for one in chain if isinstance(one, ssl.SSLCertVerificationError)]
    if untrusted:
        # What a library wraps around it has no code.
        code = next((one.verify_code for one in untrusted if getattr(one, "verify_code", 0)), 0)
        return VERIFY_CODES.get(code, "serverCertificateUntrusted")
    for one in chain:
        if isinstance(one, ssl.SSLError) and not isinstance(one, TimeoutError):
            return tls_error(str(one)) or "secureConnectionFailed"
    for one in chain:
        for kind in type(one).__mro__:
            if kind.__name__ in own:
                return own[kind.__name__]
    for kinds, name in GENERAL:
        if any(isinstance(one, kinds) for one in chain):
            return name
    return "unknown"


# X509_V_ERR_CERT_HAS_EXPIRED and X509_V_ERR_CERT_NOT_YET_VALID of OpenSSL.
VERIFY_CODES = {10: "serverCertificateHasBadDate", 9: "serverCertificateNotYetValid"}

# In the order in which they are looked for: what stands above says more.
GENERAL = (
    ((socket.gaierror,), "cannotFindHost"),
    ((TimeoutError,), "timedOut"),
    ((ConnectionRefusedError,), "cannotConnect"),
    ((ConnectionError, http.client.IncompleteRead), "connectionLost"),
    ((http.client.HTTPException,), "badServerResponse"),
    ((UnicodeError,), "badURL"),
    ((OSError,), "cannotConnect"),
)


def error_facts(error, own, domain):
    text = str(error)
    return {
        "error": error_name(error, own), "domain": domain,
        "message": f"{type(error).__name__}: {text}"[:2000] if text else type(error).__name__,
    }


def head_facts(url, status, content_type, charset):
    """`charset` is what the library names as that of the content, or None."""
    facts = {"url": url, "status": status}
    if charset:
        facts["textEncodingName"] = charset
    if content_type:
        facts["mime"] = content_type.split(";")[0].strip().lower()
    return facts


__all__ = ["Watch", "error_facts", "head_facts", "import_library", "leave_surroundings", "resolve_only"]
