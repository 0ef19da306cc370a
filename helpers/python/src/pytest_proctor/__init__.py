"""Tests of HTTP clients, judged by a Proctor server."""

from .expect import on
from .run import Proctor, Run, Verdict
from .server import ProctorError, Server

__all__ = ["Proctor", "ProctorError", "Run", "Server", "Verdict", "on"]
