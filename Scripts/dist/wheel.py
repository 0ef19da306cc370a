"""proctor_http-VERSION-py3-none-….whl: the program as a script, and the plugin of pytest (binary distribution format 1.0)."""

import base64
import hashlib
import pathlib
import tomllib

import program
import shipped
import zips

FOLDER = "helpers/python"


def write(folder: pathlib.Path, built: program.Program) -> list[pathlib.Path]:
    project = tomllib.loads((shipped.ROOT / FOLDER / "pyproject.toml").read_text())["project"]
    name = f"{project['name'].replace('-', '_')}-{built.version}"
    files = program.helper(FOLDER)
    sources = [zips.Entry(path.removeprefix("src/"), text) for path, text in files.items() if path.startswith("src/")]
    entries = [
        *sources,
        zips.Entry(f"{name}.data/scripts/proctor", built.content, zips.EXECUTABLE),
        *built.licences(f"{name}.dist-info/licenses"),
        zips.Entry(f"{name}.dist-info/METADATA", _metadata(project, files["README.md"].decode(), built.version)),
        zips.Entry(f"{name}.dist-info/WHEEL", _wheel(built)),
        zips.Entry(f"{name}.dist-info/entry_points.txt", _entry_points(project)),
    ]
    record = f"{name}.dist-info/RECORD"
    lines = [f"{entry.name},sha256={_digest(entry.content)},{len(entry.content)}" for entry in entries] + [f"{record},,"]
    entries.append(zips.Entry(record, "".join(f"{line}\n" for line in lines).encode()))
    return [program.write(folder, f"{name}-py3-none-{built.system.wheel}.whl", zips.archive(entries, built.time))]


def _metadata(project: dict, readme: str, version: str) -> bytes:
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}", f"Summary: {project['description']}"]
    lines += [f"Classifier: {classifier}" for classifier in project["classifiers"]]
    lines += ["Classifier: Operating System :: POSIX :: Linux", f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {needed}" for needed in project["dependencies"]]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme]).encode()


def _wheel(built: program.Program) -> bytes:
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in built.system.wheel.split("."))
    return f"Wheel-Version: 1.0\nGenerator: proctor {built.version}\nRoot-Is-Purelib: false\n{tags}".encode()


def _entry_points(project: dict) -> bytes:
    groups = (
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in points.items())
        for group, points in project["entry-points"].items()
    )
    return "\n".join(groups).encode()


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
