"""proctor-VERSION-ARCH.oci.tar: the image of Containerfile as an OCI archive (image-spec 1.1), written without a daemon."""

import gzip
import hashlib
import io
import json
import pathlib
import tarfile

import shipped

CONTAINERFILE = pathlib.Path(__file__).with_name("Containerfile")
FORMAT = "application/vnd.oci.image"


def write(target: pathlib.Path, root: pathlib.Path, architecture: str, version: str, time: int, created: str) -> None:
    """`root` is what the image holds."""
    layer = _layer(root, time)
    packed = gzip.compress(layer, 6, mtime=0)
    config = {
        "created": created,
        "architecture": architecture,
        "os": "linux",
        "config": _configuration(),
        "rootfs": {"type": "layers", "diff_ids": [_digest(layer)]},
        "history": [{"created": created, "created_by": "make dist"}],
    }
    blobs: dict[str, bytes] = {}

    def blob(content: bytes, kind: str) -> dict:
        digest = _digest(content)
        blobs[digest] = content
        return {"mediaType": f"{FORMAT}.{kind}", "digest": digest, "size": len(content)}

    manifest = {
        "schemaVersion": 2,
        "mediaType": f"{FORMAT}.manifest.v1+json",
        "config": blob(_json(config), "config.v1+json"),
        "layers": [blob(packed, "layer.v1.tar+gzip")],
    }
    named = blob(_json(manifest), "manifest.v1+json")
    # Tools take the name of an image from different places.
    named["annotations"] = {
        "org.opencontainers.image.ref.name": version,
        "io.containerd.image.name": f"docker.io/library/proctor:{version}",
    }
    docker = {
        "Config": _path(manifest["config"]),
        "RepoTags": [f"proctor:{version}"],
        "Layers": [_path(layer) for layer in manifest["layers"]],
    }
    index = {"schemaVersion": 2, "mediaType": f"{FORMAT}.index.v1+json", "manifests": [named]}
    with tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as archive:
        shipped.add(archive, "oci-layout", _json({"imageLayoutVersion": "1.0.0"}), time)
        shipped.add(archive, "index.json", _json(index), time)
        # For Docker before 25, which does not read an index.
        shipped.add(archive, "manifest.json", json.dumps([docker], separators=(",", ":")).encode(), time)
        for digest, content in sorted(blobs.items()):
            shipped.add(archive, _path({"digest": digest}), content, time)


def _path(blob: dict) -> str:
    return "blobs/" + blob["digest"].replace(":", "/")


def _configuration() -> dict:
    """What Containerfile says of a process in the image."""
    said: dict = {"Env": []}
    for line in CONTAINERFILE.read_text().splitlines():
        word, _, rest = line.partition(" ")
        match word:
            case "ENV":
                said["Env"].append(rest)
            case "USER":
                said["User"] = rest
            case "WORKDIR":
                said["WorkingDir"] = rest
            case "EXPOSE":
                said["ExposedPorts"] = {f"{rest}/tcp": {}}
            case "ENTRYPOINT":
                said["Entrypoint"] = json.loads(rest)
            case "CMD":
                said["Cmd"] = json.loads(rest)
            case "FROM" | "COPY" | "" | "#":
                pass
            case _:
                raise SystemExit(f"{CONTAINERFILE}: dist does not know '{word}'")
    return said


def _layer(root: pathlib.Path, time: int) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(root.rglob("*")):
            name = str(path.relative_to(root))
            if path.is_dir():
                info = shipped.entry(name, 0, time, executable=True)
                info.type = tarfile.DIRTYPE
                info.mode = path.stat().st_mode & 0o7777
                archive.addfile(info)
            else:
                shipped.add(archive, name, path.read_bytes(), time, shipped.is_executable(path))
    return buffer.getvalue()


def _json(value: dict) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _digest(content: bytes) -> str:
    return "sha256:" + hashlib.sha256(content).hexdigest()
