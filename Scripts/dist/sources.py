"""proctor-VERSION.tar.gz, the sources of the commit, and the formula of Homebrew that builds from them."""

import gzip
import hashlib
import os
import pathlib
import subprocess

import shipped

TEMPLATE = pathlib.Path(__file__).with_name("formula.rb.in")


def write(folder: pathlib.Path, version: str) -> list[pathlib.Path]:
    """Nothing outside of a checkout of git."""
    name = f"proctor-{version}"
    made = subprocess.run(
        ["git", "-C", shipped.ROOT, "archive", f"--prefix={name}/", "--format=tar", "HEAD"], capture_output=True, check=False
    )
    if made.returncode != 0:
        return []
    target, formula = folder / f"{name}.tar.gz", folder / "proctor.rb"
    target.write_bytes(gzip.compress(made.stdout, 6, mtime=0))
    homepage = os.environ.get("PROCTOR_HOMEPAGE") or "https://example.org/proctor"
    text = TEMPLATE.read_text().replace("@HOMEPAGE@", homepage).replace("@VERSION@", version)
    formula.write_text(text.replace("@SHA256@", hashlib.sha256(target.read_bytes()).hexdigest()))
    return [target, formula]
