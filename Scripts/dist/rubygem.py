"""proctor-http-VERSION-ARCH-linux.gem, the helper for Ruby with the program, as `gem build` writes one."""

import gzip
import hashlib
import io
import json
import pathlib
import re
import tarfile
import time as clock

import program
import shipped

FOLDER = "helpers/ruby"
# `spec.KEY = "VALUE"` of the gemspec, and of a list its first value.
LINE = re.compile(r'^  spec\.(\w+) = \[?"(.*?)"', re.MULTILINE)


def write(folder: pathlib.Path, built: program.Program) -> list[pathlib.Path]:
    files = program.helper(FOLDER)
    specification = next(name for name in files if name.endswith(".gemspec"))
    facts = dict(LINE.findall(files.pop(specification).decode()))
    files["program/proctor"] = built.content
    files |= {entry.name: entry.content for entry in built.licences("licences")}
    platform = f"{built.system.machine}-linux"
    data = shipped.packed(lambda archive: _fill(archive, files, built.time), built.time)
    parts = {
        "metadata.gz": _zipped(_metadata(facts, sorted(files), built, platform), built.time),
        "data.tar.gz": data,
    }
    sums = "".join(f"  {name}: {hashlib.sha256(content).hexdigest()}\n" for name, content in parts.items())
    parts["checksums.yaml.gz"] = _zipped(f"---\nSHA256:\n{sums}", built.time)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in parts.items():
            shipped.add(archive, name, content, built.time)
    return [program.write(folder, f"{facts['name']}-{built.version}-{platform}.gem", buffer.getvalue())]


def _fill(archive: tarfile.TarFile, files: dict[str, bytes], time: int) -> None:
    for name, content in sorted(files.items()):
        shipped.add(archive, name, content, time, executable=name in ("program/proctor", "exe/proctor"))


def _zipped(text: str, time: int) -> bytes:
    return gzip.compress(text.encode(), 6, mtime=time)


def _metadata(facts: dict[str, str], files: list[str], built: program.Program, platform: str) -> str:
    """The specification in YAML, whose texts are written as JSON, which YAML contains."""
    day = clock.strftime("%Y-%m-%d", clock.gmtime(built.time))
    names = "".join(f"- {json.dumps(name)}\n" for name in files)

    def wanted(version: str) -> str:
        return (
            "!ruby/object:Gem::Requirement\n  requirements:\n  - - \">=\"\n    - !ruby/object:Gem::Version\n"
            f"      version: {json.dumps(version)}\n"
        )

    return f"""--- !ruby/object:Gem::Specification
name: {facts['name']}
version: !ruby/object:Gem::Version
  version: {built.version}
platform: {platform}
authors:
- {facts['authors']}
bindir: {facts['bindir']}
date: {day} 00:00:00.000000000 Z
dependencies: []
executables:
- {facts['executables']}
extensions: []
extra_rdoc_files: []
files:
{names}licenses: []
metadata: {{}}
rdoc_options: []
require_paths:
- lib
required_ruby_version: {wanted(facts['required_ruby_version'].removeprefix('>= '))}required_rubygems_version: {wanted('0')}requirements: []
rubygems_version: 3.3.0
specification_version: 4
summary: {json.dumps(facts['summary'])}
test_files: []
"""
