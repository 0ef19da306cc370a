"""The files that come with the program, and the archive of them that stands inside the one file."""

import gzip
import hashlib
import io
import pathlib
import stat
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("fixtures", "certs", "clients", "packs", "Docs")
# Sources/Command/proctor/Shipped/AppendedArchive.swift reads it.
SIGNATURE = b"\nproctor files 1\n".ljust(24, b"\0")


def files(folder: str) -> list[pathlib.Path]:
    """All regular files below a folder of the project, sorted, without what Python leaves behind; of the book its pages alone."""
    found = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path for path in found if folder != "Docs" or path.suffix == ".md")


def is_executable(path: pathlib.Path) -> bool:
    return bool(path.stat().st_mode & stat.S_IXUSR)


def entry(name: str, size: int, time: int, executable: bool) -> tarfile.TarInfo:
    """An entry whose owner is root, whoever packs it."""
    info = tarfile.TarInfo(name)
    info.size, info.mtime = size, time
    info.mode = 0o755 if executable else 0o644
    return info


def packed(write, time: int, level: int = 6) -> bytes:
    """A gzip of the tar that `write` fills; the same files give the same bytes. Level 9 takes twice as long for 1 % less."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=level, mtime=time) as coder:
        with tarfile.open(fileobj=coder, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            write(archive)
    return buffer.getvalue()


def add(archive: tarfile.TarFile, name: str, content: bytes, time: int, executable: bool = False) -> None:
    archive.addfile(entry(name, len(content), time, executable), io.BytesIO(content))


def archive(time: int) -> bytes:
    def write(target: tarfile.TarFile) -> None:
        for folder in FOLDERS:
            for path in files(folder):
                add(target, str(path.relative_to(ROOT)), path.read_bytes(), time, is_executable(path))

    return packed(write, time, level=9)


def one_file(program: bytes, time: int) -> bytes:
    """The program with its files behind it."""
    content = archive(time)
    trailer = SIGNATURE + len(content).to_bytes(8, "little") + hashlib.sha256(content).digest()
    return program + content + trailer
