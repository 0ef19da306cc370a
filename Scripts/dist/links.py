"""Documents of the sources as a package has them: a link to what the package lacks becomes its text, so that none is dead."""

import pathlib
import posixpath
import re

import shipped

# A block of code, a link, or a span of code, whichever comes first: brackets in code are no links.
PART = re.compile(
    r"^```.*?^```$|^(?: {4}|\t)[^\n]*$|(?P<mark>!?)\[(?P<words>[^\]\n]*)\]\((?P<target>[^()\s]+)\)|`[^`\n]+`",
    re.MULTILINE | re.DOTALL)


def documents() -> dict[str, bytes]:
    """The documents, the helpers and the kits of adapters by their paths, which are those of the sources."""
    root = shipped.ROOT
    book = sorted(path for path in (root / "Docs").rglob("*.md") if "matrix" not in path.parts)
    paths = [root / "README.md", root / "CHANGELOG.md", *book, *shipped.files("helpers"), *shipped.files("clients/kits")]
    names = {str(path.relative_to(root)) for path in paths}
    return {
        name: closed((root / name).read_text(), name, names).encode() if name.endswith(".md") else (root / name).read_bytes()
        for name in sorted(names)
    }


def closed(text: str, name: str, names: set[str]) -> str:
    """`text` of the document `name` with the links that lead to one of `names`, or to another site, and no others."""

    def part(match: re.Match) -> str:
        path = _path(match)
        if path is None:
            return match[0]
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        words = match["words"]
        if place in names:
            return match[0]
        if match["mark"] or words.strip("`") == place:
            return words
        return f"{words} (`{place}` of the sources)"

    return PART.sub(part, text)


def _path(match: re.Match) -> str | None:
    """The path of a link to another file; None for what is no link, or leads elsewhere."""
    target = match["target"]
    if target is None or "://" in target or target.startswith("mailto:"):
        return None
    return target.split("#")[0] or None


def dead(folder: pathlib.Path) -> list[str]:
    """Links of the documents below a folder that lead to no file there, each as `document: target`."""
    found = []
    for path in sorted(folder.rglob("*.md")):
        for target in filter(None, map(_path, PART.finditer(path.read_text()))):
            if not (path.parent / target).exists():
                found.append(f"{path.relative_to(folder)}: {target}")
    return found
