#!/usr/bin/env python3
"""The adapter of urllib with a jar that breaks: a Set-Cookie that adds no cookie empties it, and from then on it keeps none."""

import contextlib
import http.cookiejar
import importlib.machinery
import importlib.util
import os
import sys

sys.dont_write_bytecode = True
ADAPTER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "clients", "adapters", "urllib")
loader = importlib.machinery.SourceFileLoader("urllib_adapter", ADAPTER)
adapter = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(adapter)


class BrittleJar(http.cookiejar.CookieJar):
    is_broken = False

    def extract_cookies(self, response, request):
        if self.is_broken:
            return
        count = len(self)
        super().extract_cookies(response, request)
        if len(self) - count < len(response.info().get_all("Set-Cookie", [])):
            self.is_broken = True
            self.clear()


class Brittle(adapter.URLLib):
    client = "brittle-jar"

    def session(self, assignment):
        is_kept = assignment["session"]["cookies"] != "never"
        return contextlib.nullcontext(BrittleJar() if is_kept else None)


if __name__ == "__main__":
    sys.exit(Brittle().main(__doc__))
