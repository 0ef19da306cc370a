"""proctor_VERSION_ARCH.deb, for Debian and Ubuntu; it depends on nothing."""

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
    # Debian wants these compressed, without a time of their own.
    for name, packed in (("CHANGELOG.md", documents / "changelog.gz"), ("proctor.1", usr / "share/man/man1/proctor.1.gz")):
        plain = documents / name if name == "CHANGELOG.md" else usr / "share/man/man1" / name
        packed.write_bytes(gzip.compress(plain.read_bytes(), 9, mtime=0))
        plain.unlink()
    (documents / "copyright").write_text(COPYRIGHT)
    size = sum(path.stat().st_size for path in usr.rglob("*") if path.is_file()) // 1024
    control = root / "DEBIAN/control"
    control.parent.mkdir()
    control.write_text(CONTROL.format(kilobytes=size, **facts))
    control.parent.chmod(0o755)
    subprocess.run(
        ["dpkg-deb", "--build", "--root-owner-group", root, target],
        check=True, stdout=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": str(time)},
    )
