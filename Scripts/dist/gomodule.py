"""proctor-VERSION-ARCH.goproxy.tar: the module of the helper and the one with the program, laid out as a proxy of modules has
them, which a file:// URL or any server of files can be (go.dev/ref/mod#goproxy-protocol)."""

import datetime
import io
import json
import pathlib
import tarfile

import program
import shipped
import zips

FOLDER, HOME = "helpers/go", "proctor.test"
VARIABLE = """\
// Package program has the program proctor for {system} in gzip.
package program

import _ "embed"

// Packed is the program in gzip, and Name what no other program has.
//
//go:embed proctor.gz
var Packed string

const Name = "{name}"
"""
# Beside program.go, where a program is built in for each system.
IMPORT = """\
package program

import built "{module}"

func init() {{ packed, name = built.Packed, built.Name }}
"""


def write(folder: pathlib.Path, built: program.Program) -> list[pathlib.Path]:
    files = program.helper(FOLDER)
    manifest = files["go.mod"].decode()
    needed = "".join(f"\t{HOME}/{system.go} v{built.version}\n" for system in program.SYSTEMS.values())
    files["go.mod"] = f"{manifest}\nrequire (\n{needed})\n".encode()
    for system in program.SYSTEMS.values():
        files[f"program/built_{system.go.replace('-', '_')}.go"] = IMPORT.format(module=f"{HOME}/{system.go}").encode()
    proxy = _module(manifest.split()[1], [zips.Entry(*file) for file in sorted(files.items())], built)
    for system in program.SYSTEMS.values():
        module = f"{HOME}/{system.go}"
        # Of another system only what the graph of modules asks for, so that parts of a release can be unpacked over one another.
        content = [zips.Entry("go.mod", f"module {module}\n\ngo 1.19\n".encode())]
        if system == built.system:
            content += [
                *built.licences("licences"),
                zips.Entry("proctor.gz", built.packed, is_packed=True),
                zips.Entry("program.go", VARIABLE.format(system=system.go, name=built.name).encode()),
            ]
        proxy |= _module(module, content, built, is_whole=system == built.system)

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, content in sorted(proxy.items()):
            shipped.add(archive, path, content, built.time)
    return [program.write(folder, f"proctor-{built.version}-{built.system.machine}.goproxy.tar", buffer.getvalue())]


def _module(path: str, entries: list[zips.Entry], built: program.Program, is_whole: bool = True) -> dict[str, bytes]:
    """What a proxy has of one version of a module, by paths."""
    version, folder = f"v{built.version}", f"{path}/@v"
    manifest = next(entry.content for entry in entries if entry.name == "go.mod")
    date = datetime.datetime.fromtimestamp(built.time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    files = {
        f"{folder}/list": f"{version}\n".encode(),
        f"{folder}/{version}.info": json.dumps({"Version": version, "Time": date}).encode(),
        f"{folder}/{version}.mod": manifest,
    }
    if is_whole:
        inside = [entry._replace(name=f"{path}@{version}/{entry.name}", mode=zips.PLAIN) for entry in entries]
        files[f"{folder}/{version}.zip"] = zips.archive(inside, built.time)
    return files
