"""proctor-http-VERSION.tgz, the helper for Node, and the package of one system with the program, as `npm pack` writes them."""

import json
import pathlib
import tarfile

import program
import shipped

FOLDER = "helpers/node"


def write(folder: pathlib.Path, built: program.Program) -> list[pathlib.Path]:
    files = program.helper(FOLDER)
    manifest = json.loads(files.pop("package.json"))
    name = manifest["name"]
    # It depends on no package by name, since npm would ask a registry for it, where the name may be another's.
    del manifest["scripts"]
    main = {"package.json": _json({**manifest, "version": built.version}), **files}
    system, cpu = built.system.npm.split("-")
    one = {
        "package.json": _json({
            "name": f"{name}-{built.system.npm}",
            "version": built.version,
            "description": f"The program of {name} for {system} on {cpu}",
            "os": [system],
            "cpu": [cpu],
            "preferUnplugged": True,
        }),
        "bin/proctor": built.content,
        **{entry.name: entry.content for entry in built.licences("licences")},
    }
    return [
        program.write(folder, f"{name}-{built.version}.tgz", _packed(main, built.time)),
        program.write(folder, f"{name}-{built.system.npm}-{built.version}.tgz", _packed(one, built.time)),
    ]


def _json(value: dict) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def _packed(files: dict[str, bytes], time: int) -> bytes:
    def fill(archive: tarfile.TarFile) -> None:
        for name, content in files.items():
            shipped.add(archive, f"package/{name}", content, time, executable=name.startswith("bin/"))

    return shipped.packed(fill, time)
