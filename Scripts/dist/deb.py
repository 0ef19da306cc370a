"""proctor_VERSION_ARCH.deb, for Debian and Ubuntu; it depends on nothing."""

import email.utils
import gzip
import pathlib
import subprocess

import stage

CONTROL = """\
Package: proctor
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Section: net
Priority: optional
Suggests: curl, python3
Description: HTTP client conformance and test-fixture server
 Serves scripted scenarios (redirects, challenges, TLS, chunked and gzip
 content, cookies, ranges, faults) on loopback, watches what a client does on
 the wire and in its callbacks, and says whether both were right.
"""
CHANGES = """\
proctor ({version}) unstable; urgency=medium

  * /usr/share/doc/proctor/CHANGELOG.md says what is new.

 -- {maintainer}  {date}
"""
COPYRIGHT = """\
This package holds Proctor, and code of other projects that is linked into it.
Their licences stand in /usr/share/doc/proctor/licences.
"""


def write(target: pathlib.Path, folder: pathlib.Path, program: pathlib.Path, facts: dict[str, str], time: int) -> None:
    root = stage.fresh(folder)
    usr = root / "usr"
    stage.fill(usr, program, time)
    stage.add_documents(usr, program, time)
    documents = usr / "share/doc/proctor"
    page = usr / "share/man/man1/proctor.1"
    _pack(page, page.read_bytes())
    page.unlink()
    date = email.utils.formatdate(time)
    _pack(documents / "changelog", CHANGES.format(date=date, **facts).encode())
    stage.write(documents / "copyright", COPYRIGHT.encode())
    size = sum(path.stat().st_size for path in usr.rglob("*") if path.is_file()) // 1024
    stage.write(root / "DEBIAN/control", CONTROL.format(kilobytes=size, **facts).encode())
    (root / "DEBIAN").chmod(0o755)
    subprocess.run(
        ["dpkg-deb", "--build", "--root-owner-group", root, target],
        check=True, stdout=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": str(time)},
    )


def _pack(path: pathlib.Path, content: bytes) -> None:
    """Writes path.gz as Debian wants it, without a time of its own."""
    stage.write(path.with_name(f"{path.name}.gz"), gzip.compress(content, 9, mtime=0))
