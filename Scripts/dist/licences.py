"""Whose code the program holds, with the licences as the packages of this machine state them."""

import pathlib
import shutil
import subprocess

# What is linked in, by the Debian package that has it.
PACKAGES = {
    "libssl-dev": "OpenSSL",
    "libuv1-dev": "libuv",
    "libyaml-dev": "libyaml",
    "libpcre2-dev": "PCRE2",
    "liblua5.4-dev": "Lua",
    "zlib1g-dev": "zlib",
    "libbrotli-dev": "brotli",
    "libzstd-dev": "zstd",
    "libnghttp2-dev": "nghttp2",
    "libc6-dev": "GNU C Library",
    "libstdc++-12-dev": "libstdc++ and libgcc",
}


def version(package: str) -> str:
    asked = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True, check=False)
    return asked.stdout.strip() if asked.returncode == 0 else ""


def copyright_of(package: str) -> bytes | None:
    path = pathlib.Path("/usr/share/doc") / package / "copyright"
    return path.read_bytes() if path.exists() else None


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


def texts() -> dict[str, bytes]:
    """Files by their names; README.txt lists what is linked in."""
    toolchain, licence = swift()
    found = {"swift.txt": licence}
    lines = [
        "The program holds code of these projects, linked in. Their licences stand beside this file.",
        "",
        f"  {toolchain} (standard library, concurrency, Dispatch), Apache 2.0 with the Runtime Library Exception: swift.txt",
    ]
    for package, name in PACKAGES.items():
        text = copyright_of(package)
        if text is None:
            # Another compiler's library, or a system that is no Debian.
            continue
        found[f"{package}.txt"] = text
        lines.append(f"  {name} (Debian {package} {version(package)}): {package}.txt")
    lines += [
        "",
        "Debian keeps the sources of its packages at https://snapshot.debian.org/. To link the program with another build of",
        "one of these libraries, which the LGPL of the GNU C Library grants you, install that build and run `make dist` in",
        "Proctor's sources.",
        "",
    ]
    found["README.txt"] = "\n".join(lines).encode()
    return found
