"""The folder /usr of an installed Proctor: the program, and its files in share/proctor beside it."""

import os
import pathlib
import shutil

import extras
import licences
import links
import shipped


def fill(usr: pathlib.Path, program: pathlib.Path, time: int) -> None:
    write(usr / "bin/proctor", program.read_bytes(), executable=True)
    for folder in shipped.FOLDERS:
        for path in shipped.files(folder):
            target = usr / "share/proctor" / path.relative_to(shipped.ROOT)
            write(target, path.read_bytes(), shipped.is_executable(path))
    for file, text in licences.texts().items():
        write(usr / "share/doc/proctor/licences" / file, text)
    _settle(usr, time)


def add_documents(usr: pathlib.Path, program: pathlib.Path, time: int) -> None:
    """Manual page, completions and Docs, which a container does without."""
    for place, text in extras.texts(program).items():
        write(usr / place, text)
    for document, text in links.documents().items():
        write(usr / "share/doc/proctor" / document, text)
    _settle(usr, time)


def write(path: pathlib.Path, content: bytes, executable: bool = False) -> None:
    """A file whose mode does not depend on the umask, in folders that are made where they are missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755 if executable else 0o644)


def _settle(folder: pathlib.Path, time: int) -> None:
    """Gives every file the same time, and folders the usual mode whatever the umask is."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (time, time))


def fresh(folder: pathlib.Path) -> pathlib.Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    return folder
