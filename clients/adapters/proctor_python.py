"""What the adapters of Python's libraries share: names without a resolver, loads, and names of errors."""

import contextlib
import functools
import http.client
import importlib
import importlib.metadata
import ipaddress
import os
import socket
import ssl
import sys
import tempfile
import threading

from proctor_facts import account, field_facts, mime, refuse_coded, tls_error
from proctor_kit import BODY_LIMIT, Adapter, Missing, Unimplemented, body_facts, content, is_streamed
from proctor_sockets import Names
from proctor_tool import is_adapter

PIECE = 64 << 10
system_getaddrinfo = socket.getaddrinfo
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ws_proxy", "wss_proxy")
# Files of authorities, of names and passwords, and of keys that libraries look for.
SETTINGS = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE", "NETRC")


def import_library(name, package):
    """The module of that name; raises where there is none, or none but the file of an adapter.

    `package` is its name in Debian, or the command that installs what Debian does not have.
    """
    command = package if " " in package else f"apt-get install {package}"
    try:
        library = importlib.import_module(name)
    except ImportError as error:
        raise Missing(f"{name} is not installed for {sys.executable} ({error}); {command}") from error
    file = getattr(library, "__file__", None)
    if file is None or is_adapter(file):
        found = f"what has that name is no library but {file or list(library.__path__)[0]}"
        raise Missing(f"{name} is not installed for {sys.executable} ({command}); {found}")
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
        found = names.resolve_all(host or "", port) if isinstance(port, int) else []
        if found:
            # Each by itself, in the order of the table; a library that speaks QUIC asks for datagrams.
            kind = options.get("type") or (arguments[1:2] or [0])[0] or socket.SOCK_STREAM
            return [entry for one in found for entry in system_getaddrinfo(*one, type=kind)]
        if host in ("localhost", "localhost."):
            host = "127.0.0.1"
        try:
            ipaddress.ip_address((host or "").partition("%")[0])
        except ValueError:
            reason = f"{host!r} at port {port} is not among the names of the assignment, and no other is looked up"
            raise socket.gaierror(socket.EAI_NONAME, reason) from None
        return system_getaddrinfo(host, port, *arguments, **options)

    socket.getaddrinfo = getaddrinfo


@contextlib.contextmanager
def netrc_of(session):
    """The path of a .netrc file with what the assignment says, to which the environment points as well; one without content where it says nothing."""
    if "netrc" not in session:
        os.environ["NETRC"] = os.devnull
        yield os.devnull
        return
    with tempfile.NamedTemporaryFile("w", prefix="proctor-netrc-", encoding="utf-8") as file:
        file.write(session["netrc"])
        file.flush()
        os.environ["NETRC"] = file.name
        yield file.name


class Library(Adapter):
    """An adapter of a library: `module` and `package` are its names for Python and for Debian."""

    module = package = ""
    # Its name among the installed packages, where the module does not say its version itself.
    distribution = ""
    # Neutral names of the errors that the library raises, by the names of their classes.
    errors = {}
    # Whether the library undoes content codings.
    decodes = True
    facts = (*Adapter.facts, "textEncodingName")

    def resume(self, trace, index):
        trace.say("resume", index)

    def library(self):
        return import_library(self.module, self.package)

    def version(self):
        library = self.library()
        if not self.distribution:
            return library.__version__
        try:
            return importlib.metadata.version(self.distribution)
        except importlib.metadata.PackageNotFoundError as error:
            raise Missing(f"{self.module} is there, but {sys.executable} knows no installed {self.distribution}, whose version it would tell") from error

    def run(self, assignment, trace):
        leave_surroundings()
        names = Names(assignment["session"])
        resolve_only(names)
        with netrc_of(assignment["session"]), self.session(assignment) as session:
            for group in together(assignment["steps"]):
                if len(group) == 1:
                    self.resume(trace, group[0])
                    self.finish(session, assignment, group[0], trace, names)
                else:
                    self.run_at_once(group, session, assignment, trace, names)

    def finish(self, session, assignment, index, trace, names):
        facts = self.load(session, assignment, index, trace).run()
        names.check(index, None, [], f"{self.client} reaches none", assignment["steps"][index]["url"])
        trace.say("result", index, facts=facts)

    def run_at_once(self, group, session, assignment, trace, names):
        """Steps that begin together, each on a thread of its own; the library has to say that its session permits it."""
        refusals = []

        def perform(index):
            try:
                self.finish(session, assignment, index, trace, names)
            except Unimplemented as error:
                refusals.append(error)

        threads = [threading.Thread(target=perform, args=[index], daemon=True) for index in group]
        for index, thread in zip(group, threads):
            self.resume(trace, index)
            thread.start()
        for thread in threads:
            thread.join()
        if refusals:
            raise refusals[0]


def together(steps):
    """The numbers of the steps, those that begin together in one list."""
    groups = []
    for index, step in enumerate(steps):
        if step.get("together") and groups:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def silence(assignment, index):
    """Seconds without activity after which the client is to give up by itself, or None."""
    idle = assignment["steps"][index].get("timeout") or assignment["session"].get("requestTimeout")
    return idle / 1000 if idle else None


class Cancelled(Exception):
    """The program has the adapter cancel the load."""


class Load:
    """One step of a library whose calls block. `facts` are of what the client has in the end."""

    def __init__(self, adapter, session, assignment, index, trace):
        self.adapter, self.session, self.index, self.trace = adapter, session, index, trace
        self.setup, self.step = assignment["session"], assignment["steps"][index]
        # Name and password that are given before the load, or None; whether a server should ask for them.
        self.account = account(self.step)
        self.is_asked = self.account is not None and self.step.get("challengeCount") != 0
        # Seconds of silence, or None.
        self.silence = silence(assignment, index)
        self.facts, self.body, self.byte_count, self.piece_count = {}, b"", 0, 0

    def perform(self):
        """Does the step; `head` and `take` note what comes."""
        raise NotImplementedError

    def run(self):
        try:
            self.perform()
        except Unimplemented:
            raise
        except Cancelled:
            self.facts.update(error="cancelled", domain=self.adapter.client)
        except Exception as error:  # whatever the library raises is a result
            self.facts.update(error_facts(error, self.adapter.errors, self.adapter.client))
        self.facts.update(body_facts(self.body[:BODY_LIMIT], self.byte_count))
        return self.facts

    def head(self, url, status, find, charset=None):
        """`find` looks a field up; `charset` is what the library names as that of the content."""
        if not self.adapter.decodes:
            refuse_coded(self.adapter.client, self.index, find("Content-Encoding"))
        self.facts = head_facts(url, status, find("Content-Type"), charset)
        self.facts.update(field_facts(self.step, find))

    def take(self, piece):
        self.byte_count += len(piece)
        self.piece_count += 1
        if len(self.body) <= BODY_LIMIT:
            self.body += piece

    def answer(self, number):
        """The one to the redirect of that number, from 0; the last one stays."""
        return self.step["onRedirect"][min(number, len(self.step["onRedirect"]) - 1)]

    def is_cancelled(self, *events, count=1):
        moment = self.step.get("cancelAt")
        return bool(moment) and moment["event"] in events and moment["count"] == count

    def cancel(self, close):
        self.trace.say("cancel", self.index)
        close()
        raise Cancelled


class EventStreamLoad(Load):
    """The events of one reply, by a library that hands them over one by one."""

    def event(self, kind, data, last_id):
        """Tells of an event; `last_id` is None where the library tells none."""
        size = len(data.encode(errors="replace"))
        facts = {"bytes": size, **({"data": data} if size <= BODY_LIMIT else {})}
        if last_id is not None:
            facts["lastEventId"] = last_id
        self.trace.say("esEvent", self.index, lane="task", family="ES", arg=kind, facts=facts)
        self.piece_count += 1
        if self.is_cancelled("esEvent", count=self.piece_count):
            self.trace.say("cancel", self.index, family="ES")
            raise Cancelled

    def run(self):
        facts = super().run()
        if "error" not in facts or facts["error"] != "cancelled":
            end = facts.get("error", "ok")
            self.trace.say("complete", self.index, lane="task", family="ES", arg=end)
        return {key: value for key, value in facts.items() if key not in ("bytes", "body", "bodyBase64")}


class EventStreamLibrary(Library):
    """A library that reads the events of one reply. It has no `open` and no `error`, and does not connect again."""

    lanes, moments = ("task", "harness"), ("esEvent",)
    facts = ("url", "status", "mime", "error", "message", "header", "textEncodingName")

    def check(self, assignment):
        super().check(assignment)
        for index, step in enumerate(assignment["steps"]):
            if step["task"] != "event-stream":
                self.cannot(index, "task", "reads the events of one reply")

    def resume(self, trace, index):
        trace.say("resume", index, family="ES", facts={"without": "esOpen esError"})


class Pieces:
    """A body that tells no length, and begins anew whenever it is asked for."""

    def __init__(self, data):
        self.data = data

    def __iter__(self):
        for start in range(0, len(self.data), PIECE):
            yield self.data[start:start + PIECE]


class Stream:
    """A body that tells no length; it can be read again."""

    def __init__(self, data):
        self.data, self.position = data, 0

    def __iter__(self):
        while piece := self.read(PIECE):
            yield piece

    def read(self, count=-1):
        end = len(self.data) if count is None or count < 0 else self.position + count
        piece = self.data[self.position:end]
        self.position += len(piece)
        return piece

    def tell(self):
        return self.position

    def seek(self, position, whence=os.SEEK_SET):
        if whence != os.SEEK_SET:
            raise OSError("nobody knows where this stream ends")
        self.position = position


def data_of(step):
    """What is handed over: pairs of a form, bytes, a stream, or None."""
    if "form" in step:
        return [tuple(pair) for pair in step["form"]]
    return Stream(content(step)) if is_streamed(step) else content(step)


def fields_of(step):
    """Values beyond ASCII as the bytes of UTF-8; as text they would be written in ISO-8859-1."""
    return [(name, value if value.isascii() else value.encode()) for name, value in step["headers"]]


@functools.lru_cache(maxsize=1)
def system_context():
    """Reads the authorities of the system, once for all assignments of a process."""
    return ssl.create_default_context()


def tls_context(setup):
    """What the manual of Python recommends, with the authority and the identity of the assignment where it has some."""
    if not setup.get("trust") and not setup.get("identity"):
        return system_context()
    context = ssl.create_default_context(cafile=setup.get("trust"))
    if setup.get("identity"):
        context.load_cert_chain(setup["identity"]["certificate"], setup["identity"]["key"])
    return context


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
    if any(isinstance(one, socket.gaierror) for one in chain):
        return "cannotFindHost"
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
    facts = {"status": status} if url is None else {"url": url, "status": status}
    if charset:
        facts["textEncodingName"] = charset
    if mime(content_type):
        facts["mime"] = mime(content_type)
    return facts
