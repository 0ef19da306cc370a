"""Whose code the program holds, with the licences as the packages of this machine state them."""

import functools
import pathlib
import shutil
import subprocess
from typing import NamedTuple

import shipped

# Where Scripts/static-libraries.sh links the archives that the program was linked with.
STATIC = shipped.ROOT / ".build/static-libraries"
SWIFT = "Apache-2.0 WITH Swift-exception"
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"
# By the Debian package that has an archive; that of GCC has the version of GCC in its name.
NAMES = {
    "libssl-dev": ("OpenSSL", "Apache-2.0"),
    "libuv1-dev": ("libuv", "MIT"),
    "libyaml-dev": ("libyaml", "MIT"),
    "libpcre2-dev": ("PCRE2", "BSD-3-Clause"),
    "liblua5.4-dev": ("Lua", "MIT"),
    "libcmark-gfm-dev": ("cmark-gfm", "BSD-2-Clause AND MIT"),
    "libcmark-gfm-extensions-dev": ("cmark-gfm extensions", "BSD-2-Clause AND MIT"),
    "zlib1g-dev": ("zlib", "Zlib"),
    "libbrotli-dev": ("brotli", "MIT"),
    "libzstd-dev": ("zstd", "BSD-3-Clause OR GPL-2.0-only"),
    "libnghttp2-dev": ("nghttp2", "MIT"),
    "libngtcp2-dev": ("ngtcp2", "MIT"),
    "libc6-dev": ("GNU C Library", "LGPL-2.1-or-later"),
    "libstdc++-dev": ("libstdc++", GCC),
    "libgcc-dev": ("libgcc", GCC),
}


class Library(NamedTuple):
    package: str
    version: str
    name: str
    licence: str


@functools.cache
def libraries() -> list[Library]:
    """What is linked in; nothing where no packages of Debian are. An archive of a package that has no name above ends the packing."""
    if shutil.which("dpkg-query") is None:
        return []
    packages = {"libc6-dev"} | {_owner(path) for path in sorted(STATIC.glob("*.a"))}
    found = []
    for package in sorted(packages):
        words = [word for word in package.split("-") if not word.isdigit()]
        if (known := NAMES.get("-".join(words))) is None:
            raise SystemExit(f"dist: {package} is linked in, and {pathlib.Path(__file__).name} does not name it")
        found.append(Library(package, _asked(["dpkg-query", "-W", "-f=${Version}", package]), *known))
    return found


def _owner(archive: pathlib.Path) -> str:
    """The package that has the archive, which dpkg may know below /usr or, as it was before, below /."""
    path = archive.resolve()
    for place in dict.fromkeys([path, archive.readlink(), pathlib.Path("/", *path.parts[2:])]):
        if said := _asked(["dpkg-query", "-S", str(place)]):
            return said.split(":")[0]
    raise SystemExit(f"dist: no package of this machine has {path}")


def _asked(words: list[str]) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


@functools.cache
def swift() -> tuple[str, bytes]:
    """The version of the toolchain, and its licence."""
    compiler = shutil.which("swiftc")
    if compiler is None:
        raise SystemExit("dist: there is no swiftc in PATH")
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
    licence = pathlib.Path(compiler).resolve().parents[1] / "share/swift/LICENSE.txt"
    if not licence.exists():
        raise SystemExit(f"dist: the licence of Swift is not at {licence}")
    return next(line for line in said if "Swift version" in line), licence.read_bytes()


@functools.cache
def texts() -> dict[str, bytes]:
    """Files by their names; README.txt lists what is linked in."""
    toolchain, licence = swift()
    found = {"swift.txt": licence}
    lines = [
        "The program holds code of these projects, linked in. Their licences stand beside this file.",
        "",
        f"  {toolchain} (standard library, concurrency, Dispatch), Apache 2.0 with the Runtime Library Exception: swift.txt",
    ]
    for library in libraries():
        found[f"{library.package}.txt"] = (pathlib.Path("/usr/share/doc") / library.package / "copyright").read_bytes()
        lines.append(f"  {library.name} (Debian {library.package} {library.version}): {library.package}.txt")
    lines += [
        "",
        "Debian keeps the sources of its packages at https://snapshot.debian.org/. To link the program with another build of",
        "one of these libraries, which the LGPL of the GNU C Library grants you, install that build and run `make dist` in",
        "Proctor's sources.",
        "",
    ]
    found["README.txt"] = "\n".join(lines).encode()
    return found
