"""httpbin under gunicorn, as a process of this one: on loopback, on a port that is free."""

import contextlib
import importlib.metadata
import importlib.util
import os
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

from wire import Request, WireError, ask

START = 30
NEEDED = ("httpbin", "gunicorn")
DECISIVE = ("httpbin", "flask", "werkzeug", "gunicorn")
REQUIREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")


def missing():
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def versions():
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in DECISIVE)


def unverified():
    """TLS to servers on loopback, whose certificates are not the matter here."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def answers(address, secured):
    try:
        return ask(address, Request("GET", "/status/200"), unverified() if secured else None).status == 200
    except (OSError, WireError):
        return False


def certificate(folder):
    """A key and a certificate of their own, which are gone with the folder."""
    key, leaf = os.path.join(folder, "key.pem"), os.path.join(folder, "leaf.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        + ["-subj", "/CN=localhost", "-keyout", key, "-out", leaf],
        check=True,
        capture_output=True,
        timeout=60,
    )
    return ["--keyfile", key, "--certfile", leaf]


def wait_for(process, address, secured, log):
    end = time.monotonic() + START
    while not answers(address, secured):
        if process.poll() is not None or time.monotonic() > end:
            state = "answers nothing" if process.poll() is None else f"ended with {process.returncode}"
            with open(log, errors="replace") as lines:
                text = lines.read()[-2000:]
            sys.exit(f"compare.py: gunicorn with httpbin {state} within {START} s:\n{text}")
        time.sleep(0.05)


@contextlib.contextmanager
def httpbin(secured=False):
    """The (host, port) of a running httpbin; it has ended when the block has."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        command = [sys.executable, "-m", "gunicorn", "--bind", f"fd://{listener.fileno()}", "--workers", "1"]
        command += ["--worker-class", "gthread", "--threads", "16", "--keep-alive", "30", "--log-level", "critical"]
        command += [*(certificate(folder) if secured else []), "httpbin:app"]
        # gunicorn reads this file of its folder by itself; versions without a control socket ignore the name.
        with open(os.path.join(folder, "gunicorn.conf.py"), "w", encoding="ascii") as settings:
            settings.write("control_socket_disable = True\n")
        log = os.path.join(folder, "log")
        with open(log, "wb") as errors:
            streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": errors}
            process = subprocess.Popen(command, cwd=folder, pass_fds=[listener.fileno()], **streams)
        address = listener.getsockname()
        try:
            wait_for(process, address, secured, log)
            yield address
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
