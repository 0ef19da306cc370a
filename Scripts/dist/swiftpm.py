"""proctor-VERSION-ARCH.artifactbundle.zip, for a binaryTarget with a URL, and proctor-VERSION-ARCH.swift.tar: the package of the
command plugin with the same bundle inside (SE-0305, SE-0332)."""

import io
import json
import pathlib
import tarfile

import program
import shipped
import zips

FOLDER, BUNDLE = "helpers/swift", "proctor.artifactbundle"


def write(folder: pathlib.Path, built: program.Program) -> list[pathlib.Path]:
    prefix = f"proctor-{built.version}-{built.system.machine}"
    place = f"{built.system.swift}/proctor"
    info = {
        "schemaVersion": "1.0",
        "artifacts": {
            "proctor": {
                "type": "executable",
                "version": built.version,
                "variants": [{"path": place, "supportedTriples": [built.system.swift]}],
            }
        },
    }
    entries = [
        zips.Entry(f"{BUNDLE}/info.json", json.dumps(info, indent=2).encode()),
        zips.Entry(f"{BUNDLE}/{place}", built.content, zips.EXECUTABLE),
        *built.licences(f"{BUNDLE}/licences"),
    ]
    bundle = zips.archive(entries, built.time)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, content in [*sorted(program.helper(FOLDER).items()), (f"{BUNDLE}.zip", bundle)]:
            shipped.add(archive, f"proctor-swift/{path}", content, built.time)
    return [
        program.write(folder, f"{prefix}.artifactbundle.zip", bundle),
        program.write(folder, f"{prefix}.swift.tar", buffer.getvalue()),
    ]
