"""What the adapters of command-line tools share: where the tool is, and what surrounds it."""

import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
from urllib.parse import quote

from proctor_kit import Adapter, Missing

# How the text at the head of each adapter begins.
MARK_OF_ADAPTERS = b"An adapter of Proctor for "


def is_adapter(path):
    """Whether a program is one of these scripts, under whatever name: none of them is a client."""
    try:
        with open(path, "rb") as file:
            return MARK_OF_ADAPTERS in file.read(400)
    except OSError:
        return False


def load_adapter(name):
    """The module of another adapter, whose file has no extension."""
    loader = importlib.machinery.SourceFileLoader(f"adapter_of_{name}", os.path.join(os.path.dirname(os.path.realpath(__file__)), name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def proxy_url(session):
    """The URL of the assignment's proxy, whose scheme says whether TLS or SOCKS is spoken to it."""
    spoken = session.get("proxyProtocol")
    return f"{spoken if spoken == 'https' or is_socks(session) else 'http'}://{session['proxy']}"


def socks_url(session):
    """The same with the user and the password for a proxy of SOCKS, where there are some."""
    if session.get("proxyUser") is None:
        return proxy_url(session)
    words = (session["proxyUser"], session.get("proxyPassword", ""))
    return proxy_url(session).replace("//", "//" + ":".join(quote(word, safe="") for word in words) + "@", 1)


# What a step says in place of the session.
WAYS = ("proxy", "httpsProxy", "proxyProtocol", "proxyUser", "proxyPassword", "noProxy", "baseURL", "trust", "identity")


def session_of(session, step):
    """The session as the step has it: with ways and trust of its own, where it says some."""
    if "session" not in step:
        return session
    return {key: value for key, value in session.items() if key not in WAYS} | step["session"]


def exceptions(session):
    """The hosts that need no proxy, as `no_proxy` of an environment lists them."""
    return ",".join(session.get("noProxy") or [])


def is_socks(session):
    """Whether SOCKS is spoken to the assignment's proxy."""
    return (session.get("proxyProtocol") or "").startswith("socks")


def path_of(tool, package):
    """The first program of that name in PATH that is not an adapter, which may stand there under the same name."""
    skipped = []
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = shutil.which(tool, path=folder or os.curdir)
        if path is None:
            continue
        if not is_adapter(path):
            return path
        skipped.append(path)
    if skipped:
        raise Missing(f"there is no {tool} to run: {skipped[0]} is this adapter, and PATH has no other {tool}")
    raise Missing(f"there is no {tool} to run: no folder of PATH has one; apt-get install {package}")


def first_words(path, *arguments):
    """The first words that it prints when it is asked for its version."""
    try:
        done = subprocess.run([path, *arguments], capture_output=True, check=False, env=environment(os.devnull))
    except OSError as error:
        raise Missing(f"there is no {os.path.basename(path)} to run: {error}") from error
    return done.stdout.decode(errors="replace")


def environment(home):
    """A path, a home without files, and a locale in which names beyond ASCII can be read."""
    locale = "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "LC_ALL": locale}


class Tool(Adapter):
    """An adapter of a tool; `process` is the one that runs now."""

    process = None

    def give_up(self, trace):
        """The end of the process is the end of the step; what is left of the adapter then cleans up after itself."""
        trace.give_up()
        if self.process:
            self.process.kill()

