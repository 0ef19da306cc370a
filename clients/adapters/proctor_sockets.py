"""Names on Unix sockets, of which most clients can be told before a load alone."""

import urllib.parse

from proctor_kit import Unimplemented, place

UNIX = "unix:"


def socket_paths(assignment):
    """For each step the path of the Unix socket at which the host of its URL listens; None where that has an address."""
    addresses = [step.get("address", "") for step in assignment["steps"]]
    has_proxy = "proxy" in assignment["session"]
    return [address.removeprefix(UNIX) if address.startswith(UNIX) and not has_proxy else None for address in addresses]


def addresses(session, host, port):
    """All addresses of a name that has several, in the order in which they are to be tried; else an empty list."""
    key = (host.lower().removesuffix("."), port)
    return next((one.get("addresses") for one in session.get("names", []) if (one["name"], one["port"]) == key), None) or []


def split(text):
    """`127.0.0.1:4711` and `[::1]:4711` as host and port."""
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


class Names:
    """The names of an assignment for a client that looks them up; no others are found."""

    def __init__(self, session):
        # `missed` is a name on a Unix socket that was looked up in vain; None: there was none.
        self.session, self.missed = session, None

    def resolve(self, host, port):
        """`("127.0.0.1", 4711)`; None for a name that is not in the list, and for one on a Unix socket."""
        found = place(self.session, host, port) or ""
        if found.startswith(UNIX):
            self.missed = host
        address, _, number = found.rpartition(":")
        return (address.strip("[]"), int(number)) if found and not found.startswith(UNIX) else None

    def resolve_all(self, host, port):
        """All addresses of a name, in the order in which they are to be tried; empty where ``resolve`` gives None."""
        texts = [self.resolve(host, port)] if port is not None else []
        listed = addresses(self.session, host, port)
        return [split(text) for text in listed] if listed else [found for found in texts if found]

    def check(self, index, path, urls, shortfall, start=None):
        """Raises where a load that began at the socket `path`, or without one, was led away from there by a redirect, or could
        not begin at the socket of its own host.

        A client is told of a Unix socket before a call, and then sends everything there; `shortfall` says so of this one.
        `urls` are those that the load came by; `start` is that of the step, where the client reaches no socket.
        """
        if "proxy" in self.session:
            return
        led = [host for host, found in map(self.socket, urls) if host and found != path]
        host = next(iter(led), None if path else self.missed)
        if host and start and host == self.socket(start)[0]:
            raise Unimplemented(f"steps[{index}].url: {host} stands on a Unix socket, and {shortfall}", index)
        if host:
            where = "is not on the socket of the step" if path else "stands on a Unix socket"
            reason = f"a redirect leads to {host}, which {where}, and {shortfall}; with --names-proxy it gets there"
            raise Unimplemented(f"steps[{index}].url: {reason}", index)

    def socket(self, url):
        """The host of a URL of HTTP and the path of its Unix socket, each None where there is none."""
        try:
            parts = urllib.parse.urlsplit(url)
            host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            return None, None
        found = place(self.session, host, port) or ""
        path = found.removeprefix(UNIX) if found.startswith(UNIX) else None
        return host if parts.scheme in ("http", "https") else None, path
