"""Tests of HTTP clients, judged by a Proctor server."""

from .plugin import Proctor
from .run import Run, Verdict
from .server import ProctorError, Server
from .sitting import Load, exam
from .stub import Request, Stub, on

__all__ = ["Load", "Proctor", "ProctorError", "Request", "Run", "Server", "Stub", "Verdict", "exam", "on"]
