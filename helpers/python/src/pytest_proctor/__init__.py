"""Tests of HTTP clients, judged by a Proctor server."""

from .expect import on
from .plugin import Proctor
from .run import Run, Verdict
from .server import ProctorError, Server
from .sitting import Load, exam

__all__ = ["Load", "Proctor", "ProctorError", "Run", "Server", "Verdict", "exam", "on"]
