"""The program that the packages of the languages hold, and what each of them calls its system."""

import functools
import gzip
import hashlib
import pathlib
from typing import NamedTuple

import licences
import links
import shipped
import zips


class System(NamedTuple):
    """Names of an architecture of Linux; the program is static, so that each holds with any libc."""

    machine: str
    npm: str
    go: str
    maven: str
    swift: str

    @property
    def wheel(self) -> str:
        return f"manylinux_2_17_{self.machine}.manylinux2014_{self.machine}.musllinux_1_1_{self.machine}"


SYSTEMS = {
    "x86_64": System("x86_64", "linux-x64", "linux-amd64", "linux-x86_64", "x86_64-unknown-linux-gnu"),
    "aarch64": System("aarch64", "linux-arm64", "linux-arm64", "linux-aarch_64", "aarch64-unknown-linux-gnu"),
}


class Program:
    def __init__(self, content: bytes, version: str, machine: str, time: int) -> None:
        self.content, self.version, self.time, self.system = content, version, time, SYSTEMS[machine]

    @functools.cached_property
    def packed(self) -> bytes:
        return gzip.compress(self.content, 6, mtime=0)

    @property
    def name(self) -> str:
        """What no other program is called, for folders of caches."""
        return f"{self.version}-{hashlib.sha256(self.content).hexdigest()[:12]}"

    def licences(self, folder: str) -> list[zips.Entry]:
        return [zips.Entry(f"{folder}/{name}", text) for name, text in sorted(licences.texts().items())]


def helper(folder: str) -> dict[str, bytes]:
    """Files of a helper without its example, by their paths in its folder; a page has no link that leads out of it."""
    root = shipped.ROOT / folder
    paths = [path for path in shipped.files(folder) if path.relative_to(root).parts[0] != "example"]
    names = {str(path.relative_to(shipped.ROOT)) for path in paths}
    return {
        str(path.relative_to(root)): links.closed(path.read_text(), str(path.relative_to(shipped.ROOT)), names).encode()
        if path.suffix == ".md" else path.read_bytes()
        for path in paths
    }


def write(folder: pathlib.Path, name: str, content: bytes) -> pathlib.Path:
    path = folder / name
    path.write_bytes(content)
    return path
