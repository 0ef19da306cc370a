#!/usr/bin/env python3
"""Checks the book: its contents, the size and the beginning of each page, and every link of every Markdown file of the tree.

    Scripts/check-docs.py            prints each fault as `file:line: sentence`, and exits with 1 where there is one

Docs/README.md lists every page under the title that the page has, or a README of the page's own folder lists it. A page has
25,000 bytes at most, the README of the project 12,000. A relative link leads to a file, and an anchor to a heading, by the rules of GitHub.
A name like Docs/start/install.md in any other file of the tree leads to a page too; the change log tells of pages that were.
A name like redirect/302-post-becomes-get, in a page or in the program's help, is the id of a shipped scenario or a folder of some.
Each row of the table of the fixture language belongs to a key of Sources.
In the pages about the inside and about changes, and in CONTRIBUTING.md, each path in code leads to a file or a folder, each name in code that is written
as a type's is a word of the sources, and a suite's is one that is declared. A count of reports is the folder's.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONTENTS = "Docs/README.md"
PAGE_BYTES, README_BYTES = 25_000, 12_000
LINK = re.compile(r"`[^`\n]+`|!?\[(?P<words>[^\]\n]*)\]\((?P<target>[^()\s]+)(?: \"[^\"]*\")?\)")
NAMED = re.compile(r"\bDocs/(?:[a-z0-9-]+/)*(?:[a-z0-9-]+|README)\.md(?:#[\w-]+)?")
HISTORY = "CHANGELOG.md"
LANGUAGE = "Sources/Ground/CFiles/Tables/language.tsv"
PROGRAM = ("Sources/Command/", "Sources/Ground/CFiles/Help/", "Sources/Ground/CFiles/Tables/flags.tsv")
# Names below a family that are no ids: media types, and scenarios that an example makes or mistypes.
NO_IDS = {"multipart/" + name for name in ("form-data", "mixed", "byteranges", "x-mixed-replace")} | {"redirect/my-case", "plain/gett"}


class Page:
    """A Markdown file: its lines outside of code, its anchors and its links."""

    def __init__(self, name):
        self.name = name
        self.bytes = (ROOT / name).read_bytes()
        self.lines = list(self._lines(self.bytes.decode()))
        self.anchors = set(self._anchors())
        self.links = [
            (number, match["words"], match["target"]) for number, line in self.lines for match in LINK.finditer(line) if match["target"]]

    @staticmethod
    def _lines(text):
        """Numbers and texts of the lines that stand in no block of code."""
        is_code = False
        for number, line in enumerate(text.split("\n"), 1):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            elif not is_code and not line.startswith("    "):
                yield number, line

    def _anchors(self):
        """As GitHub makes them of headings: letters, digits, hyphens and underscores, a number behind the second of a name."""
        seen = collections.Counter()
        for _, line in self.lines:
            yield from re.findall(r'<a (?:id|name)="([^"]+)"', line)
            if heading := re.match(r"#{1,6} +(.*?)[ #]*$", line):
                words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
                anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
                yield f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor
                seen[anchor] += 1

    @property
    def title(self):
        first = self.lines[0] if self.lines else (1, "")
        return first[1][2:] if first[0] == 1 and first[1].startswith("# ") else None

    def place(self, target):
        """The path of a relative link in the tree, and its anchor; None for another site."""
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            return None
        path, _, anchor = target.partition("#")
        whole = (ROOT / self.name).parent / path if path else ROOT / self.name
        whole = pathlib.Path(*_parts(whole))
        return (str(whole.relative_to(ROOT)) if whole.is_relative_to(ROOT) else None), anchor


def _parts(path):
    """The parts of a path without `.` and `..`; links of the system are left alone."""
    parts = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return parts


def tracked():
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if (ROOT / name).is_file()]


def faults_of_page(page, folders):
    """Size and beginning of a page of the book; `folders` are below which pages are results, each by its own index."""
    if len(page.bytes) > PAGE_BYTES:
        yield 1, f"{len(page.bytes):,} bytes; a page has {PAGE_BYTES:,} at most: cut it, or make two of it"
    if not page.title:
        yield 1, "a page begins with `# Title`"
        return
    paragraph = next((line for line in page.bytes.decode().split("\n")[1:] if line.strip()), "")
    if not re.match(r"[\w`\"*\[(]", paragraph) or re.match(r"\* |\d+\. |```", paragraph):
        yield 1, "behind the title stands a paragraph that says what the page is for"
    if len(pathlib.PurePath(page.name).parts) > 3 and not page.name.startswith(folders):
        yield 1, "the book has one level of folders"


def faults_of_links(page, pages):
    for number, words, target in page.links:
        place = page.place(target)
        if place is None:
            continue
        path, anchor = place
        if path is None or not (ROOT / path).exists():
            yield number, f"[{words}] leads to {target}, which is not there"
        elif anchor and path in pages and anchor not in pages[path].anchors:
            yield number, f"[{words}] leads to {target}, and {path} has no such heading"


def faults_of_contents(contents, book, pages):
    """Every page is listed once, under its own title, or by the README of its folder."""
    listed = collections.Counter()
    for number, words, target in contents.links:
        path = (contents.place(target) or (None, ""))[0]
        listed[path] += 1
        if listed[path] > 1:
            yield contents.name, number, f"{target} is listed twice"
        if path in book and path != contents.name and pages[path].title != words:
            yield contents.name, number, f"{target} has the title \"{pages[path].title}\", and is listed as \"{words}\""
    for name in book:
        index = str(pathlib.PurePath(name).parent / "README.md")
        own = {page for _, _, target in pages[index].links if (page := (pages[index].place(target) or (None,))[0])} if index in pages else set()
        if name != contents.name and name not in listed and not (index in listed and name in own):
            yield name, 1, f"neither {CONTENTS} nor {index} lists this page"


def faults_of_names(names, pages):
    for name in names:
        if name == HISTORY or name.endswith((".png", ".zst")) or name.startswith("Docs/matrix/"):
            continue
        try:
            text = (ROOT / name).read_text()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            for match in NAMED.finditer(line):
                path, _, anchor = match[0].partition("#")
                if path not in pages:
                    yield name, number, f"{path} is not there"
                elif anchor and anchor not in pages[path].anchors:
                    yield name, number, f"{path} has no heading #{anchor}"


def faults_of_ids(names):
    """Ids of the shipped scenarios that pages and the help of the program name, by the names of their families."""
    files = [pathlib.PurePath(name).relative_to("fixtures") for name in names if re.match(r"fixtures/[^_].*\.yaml$", name)]
    ids = {str(file.with_suffix("")) for file in files} | {str(folder) for file in files for folder in file.parents}
    families = "|".join(sorted({re.escape(file.parts[0]) for file in files if len(file.parts) > 1}))
    # A name with a wildcard, an ending or a further part is a pattern, a file or a place within one.
    named = re.compile(rf"(?<![\w/.{{}}-])(?:{families})/[a-z0-9][a-z0-9/-]*(?<![/-])(?![\w/.?{{*…-]|\.\w)")
    for name in names:
        if (name.endswith(".md") and not name.startswith(("Tests/", "helpers/")) and name != HISTORY) or name.startswith(PROGRAM):
            for number, line in enumerate((ROOT / name).read_text().split("\n"), 1):
                for match in named.finditer(line):
                    if match[0] not in ids and match[0] not in NO_IDS:
                        yield name, number, f"{match[0]} is no shipped scenario"


def faults_of_language(names):
    """Rows of the table of the fixture language that no struct of keys has, or, of forms, no reader; the compiled program misses
    those that it lacks."""
    sources = {name: (ROOT / name).read_text() for name in names if name.startswith("Sources/") and name.endswith(".swift")}
    files = collections.defaultdict(str)
    for text in sources.values():
        for keys in set(re.findall(r"\b(?:struct|enum) (\w+)", text)):
            files[keys] += text
    files["Form"] = "".join(sources.values())
    for table in [LANGUAGE, *(name for name in names if re.fullmatch(r"Sources/\w+/\w+/Language/[\w-]+\.tsv", name))]:
        # A module registers a scheme, which is no key of a struct.
        module = table.rsplit("/", 2)[0] + "/"
        own = "" if table == LANGUAGE else "".join(text for name, text in sources.items() if name.startswith(module))
        for number, line in enumerate((ROOT / table).read_text().split("\n")[1:-1], 2):
            keys, key = line.split("\t")[:2]
            # Exchanges and cases have the same key, which a function makes.
            if f'"{key}"' not in files[keys] + own and key not in ("each", "verbatim"):
                yield table, number, f"{keys} has no key '{key}'"


def faults_of_code(names):
    """Paths and names of types that the pages about the inside write as code, and that the tree does not have."""
    files, folders, words, suites, modules = set(names), set(), set(), set(), {}
    for name in names:
        parents = [str(parent) for parent in pathlib.PurePath(name).parents]
        folders.update(parents)
        if re.match(r"Sources/\w+/[\w-]+/", name):
            modules[name.split("/")[2]] = "/".join(name.split("/")[:2])
        words.add(pathlib.PurePath(name).name.split(".")[0])
        if re.search(r"\.(swift|py|tsv|yaml|sh|lua|js|txt|h|go|java|rb)$|^Makefile$", name) and not name.startswith(("fixtures/", "Docs/")):
            text = (ROOT / name).read_text(errors="replace")
            words.update(re.findall(r"[A-Za-z_]\w+", text))
            suites.update(re.findall(r"^ *(?:[\w@().: ,]+ )?(?:struct|class|enum|extension) (\w+Tests)\b", text, re.MULTILINE))
    tops = {name.split("/")[0] for name in names if "/" in name}
    for name in names:
        if not re.match(r"CONTRIBUTING\.md$|Docs/(?:inside|changes)/.*\.md$", name):
            continue
        is_code = False
        for number, line in enumerate((ROOT / name).read_text().split("\n"), 1):
            is_code ^= line.lstrip().startswith("```")
            for code in () if is_code or line.startswith("    ") else re.findall(r"`([^`]+)`", line):
                if re.fullmatch(r"[\w.+-]+(/[\w.+*-]+)+/?", code) and (code.split("/")[0] in tops or code.split("/")[0] in modules):
                    first = code.split("/")[0]
                    path = (f"{modules[first]}/{code}" if first in modules else code).rstrip("/")
                    # A word in capitals stands for any name.
                    pattern = re.compile(re.sub(r"\b[A-Z]{2,}(?=[a-z]|\b)", r"[^/]+", re.escape(path).replace(r"\*", ".*")) + r"(\.\w+)?$")
                    if not any(map(pattern.match, files)) and not any(map(pattern.match, folders)):
                        yield name, number, f"there is no {code}"
                elif re.fullmatch(r"[A-Z][a-z]+\w*[A-Z]\w*", code) and code not in (suites if code.endswith("Tests") else words):
                    yield name, number, f"no source has a {code}"


def faults_of_counts(pages):
    """A link `[65 reports](…/README.md)` says how many pages its folder has beside the README."""
    for name, page in pages.items():
        for number, words, target in page.links:
            if (counted := re.fullmatch(r"([\d,]+) reports", words)) and (path := (page.place(target) or (None,))[0]):
                folder = str(pathlib.PurePath(path).parent) + "/"
                count = sum(one.startswith(folder) for one in pages) - 1
                if int(counted[1].replace(",", "")) != count:
                    yield name, number, f"{folder} has {count} reports, not {counted[1]}"


def main():
    names = tracked()
    pages = {name: Page(name) for name in names if name.endswith(".md")}
    book = [name for name in pages if name.startswith("Docs/")]
    found = []
    for name in book:
        found += [(name, number, text) for number, text in faults_of_page(pages[name], ("Docs/matrix/",))]
    for name, page in pages.items():
        found += [(name, number, text) for number, text in faults_of_links(page, pages)]
    found += faults_of_contents(pages[CONTENTS], book, pages)
    found += faults_of_names(names, pages)
    found += faults_of_ids(names)
    found += faults_of_language(names)
    found += faults_of_code(names)
    found += faults_of_counts(pages)
    if len(pages["README.md"].bytes) > README_BYTES:
        found.append(("README.md", 1, f"{len(pages['README.md'].bytes):,} bytes; {README_BYTES:,} at most"))
    for name, number, text in found:
        print(f"{name}:{number}: {text}")
    print(f"{len(book)} pages, {sum(len(pages[name].bytes) for name in book):,} bytes, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
