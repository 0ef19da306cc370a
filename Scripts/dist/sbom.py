"""proctor-VERSION-ARCH.spdx.json: what the program is made of, as SPDX 2.3 says it."""

import datetime
import hashlib
import json
import pathlib
import urllib.parse
import uuid

import licences
import program


def write(folder: pathlib.Path, built: program.Program) -> list[pathlib.Path]:
    packages = [_package("proctor", built.version, "NOASSERTION", checksum=hashlib.sha256(built.content).hexdigest())]
    toolchain, _ = licences.swift()
    packages.append(_package("Swift", toolchain.split("Swift version ")[1].split()[0], licences.SWIFT))
    for library in licences.libraries():
        version = urllib.parse.quote(library.version, safe="-.~")
        address = f"pkg:deb/debian/{library.package}@{version}"
        packages.append(_package(library.name, library.version, library.licence, address=address))
    created = datetime.datetime.fromtimestamp(built.time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    first, *others = (package["SPDXID"] for package in packages)
    prefix = f"proctor-{built.version}-{built.system.machine}"
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": prefix,
        "documentNamespace": f"https://spdx.org/spdxdocs/{prefix}-{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(packages))}",
        "creationInfo": {"created": created, "creators": ["Tool: make dist"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": first},
            *({"spdxElementId": first, "relationshipType": "STATIC_LINK", "relatedSpdxElement": other} for other in others),
        ],
    }
    return [program.write(folder, f"{prefix}.spdx.json", (json.dumps(document, indent=1) + "\n").encode())]


def _package(name: str, version: str, licence: str, checksum: str = "", address: str = "") -> dict:
    key = "".join(letter if letter.isalnum() else "-" for letter in name)
    package = {
        "SPDXID": f"SPDXRef-{key}",
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }
    if checksum:
        package["checksums"] = [{"algorithm": "SHA256", "checksumValue": checksum}]
    if address:
        reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": address}
        package["externalRefs"] = [reference]
    return package
