"""What the adapters of caches for Python's libraries share: the adapter of the library, to whose sessions they give a cache."""

import importlib.machinery
import importlib.metadata
import importlib.util
import os

HERE = os.path.dirname(os.path.realpath(__file__))


def adapter_of(name):
    """The adapter of that name as a module; it has no extension."""
    loader = importlib.machinery.SourceFileLoader(f"proctor_adapter_{name}", os.path.join(HERE, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Caching:
    """Stands before the `Library` of an adapter: its client is the cache `distribution` of PyPI over that library, and is asked about its cache alone.

    `make_cached` makes the session; the library's own answers to everything else are those of its own adapter.
    """

    distribution = ""

    def version(self):
        self.cache()
        return importlib.metadata.version(self.distribution)

    def cache(self):
        """The module of the cache; raises where there is none."""
        raise NotImplementedError

    def check(self, assignment):
        super().check(assignment)
        if "cache" not in assignment["session"]:
            self.cannot(0, "session", "is examined with its cache alone; everything else is the library's")
        for index, step in enumerate(assignment["steps"]):
            if step.get("cachePolicy", "protocol") != "protocol":
                self.cannot(index, "cachePolicy", "has no such policy")
