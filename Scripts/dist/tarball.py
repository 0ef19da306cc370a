"""proctor-VERSION-ARCH.tar.gz: one file that runs, and what a person may want beside it."""

import pathlib
import tarfile

import extras
import licences
import links
import shipped


def write(target: pathlib.Path, name: str, program: pathlib.Path, whole: bytes, time: int) -> None:
    """`whole` is the one file; a program that has its files in a folder beside it passes its own bytes."""

    def fill(archive: tarfile.TarFile) -> None:
        shipped.add(archive, f"{name}/proctor", whole, time, executable=True)
        for document, text in links.documents().items():
            shipped.add(archive, f"{name}/{document}", text, time)
        for place, text in extras.texts(program).items():
            shipped.add(archive, f"{name}/{place}", text, time)
        for file, text in sorted(licences.texts().items()):
            shipped.add(archive, f"{name}/licences/{file}", text, time)

    target.write_bytes(shipped.packed(fill, time))
