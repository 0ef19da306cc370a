#!/usr/bin/env python3
"""cookbook.py check | write | run [--proctor PATH] [--language NAME] [--only RECIPE] [--show]

The recipes of Docs/cookbook: the pages are the only place of every text.

check  says what a recipe lacks, and what differs from the pages in Tests/ProctorUserTests/Cookbook: the fixtures and the tests in
       Swift, which are built with the other tests.
write  writes that folder anew.
run    runs the tests in Python, Node or Go against one server, each language in one process, and in Python each client that is
       wrong too: its verdict must be red, and say what the page shows. --show prints what it said.

A block of a page belongs to a recipe by the words behind its language: ```python recipe=NAME. One with `wrong` is the body of a
client that is wrong, with `run` at hand, and ```output is what its verdict says.

Exits 0 when all is well, 1 when it is not, 2 for a wrong command line.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOOK = ROOT / "Docs" / "cookbook"
SWIFT = ROOT / "Tests" / "ProctorUserTests" / "Cookbook"
LANGUAGES = {"python": "Python", "js": "Node", "go": "Go", "swift": "Swift"}
# What every recipe has, once each.
WANTED = ["yaml", *LANGUAGES, "python wrong", "output"]
PAGE_LIMIT = 25_000
FENCE = re.compile(r"^```(\w+) recipe=([\w-]+)( wrong)?\n(.*?)^```$", re.M | re.S)
GO_IMPORTS = """bytes compress/gzip context crypto/md5 crypto/tls encoding/json errors fmt io mime/multipart net
    net/http net/http/cookiejar net/textproto net/url os path/filepath runtime strconv strings sync testing time proctor.test/proctor""".split()


class Block(NamedTuple):
    page: str
    line: int
    kind: str
    recipe: str
    text: str


def anchor(title: str) -> str:
    """The fragment that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def pages() -> dict[str, str]:
    return {path.stem: path.read_text() for path in sorted(BOOK.glob("*.md"))}


def blocks(texts: dict[str, str]) -> list[Block]:
    """Every block of a recipe, and the heads of the README under the recipe `head`."""
    return [
        Block(page, text.count("\n", 0, match.start(4)) + 1, match[1] + (match[3] or ""), match[2], match[4])
        for page, text in texts.items() for match in FENCE.finditer(text)
    ]


def faults(texts: dict[str, str], found: list[Block]) -> list[str]:
    said = []
    kinds: dict[tuple[str, str], list[str]] = {}
    for block in found:
        kinds.setdefault((block.page, block.recipe), []).append(block.kind)
    for (page, recipe), given in kinds.items():
        if page == "README":
            continue
        said += [f"{page}.md: {recipe} has {given.count(kind)} blocks of {kind}; wanted one" for kind in WANTED
                 if given.count(kind) != 1]
    for page, text in texts.items():
        if len(text.encode()) >= PAGE_LIMIT:
            said.append(f"{page}.md has {len(text.encode())} bytes; wanted fewer than {PAGE_LIMIT}")
        if page == "README":
            continue
        titles = re.findall(r"^## (.+)$", text, re.M)
        recipes = {recipe for name, recipe in kinds if name == page}
        if len(titles) != len(recipes):
            said.append(f"{page}.md has {len(titles)} headings and {len(recipes)} recipes")
        said += [f"README.md does not list {page}.md#{anchor(title)}" for title in titles
                 if f"({page}.md#{anchor(title)})" not in texts["README"]]
    names = [recipe for page, recipe in kinds if page != "README"]
    if f"\n{len(names)} questions" not in texts["README"]:
        said.append(f"README.md does not say that there are {len(names)} questions")
    said += [f"two pages have a recipe {name}" for name in set(names) if names.count(name) > 1]
    return said


def swift_files(found: list[Block]) -> dict[str, str]:
    """What Tests/ProctorUserTests/Cookbook holds, by path."""
    head = next(block.text for block in found if block.recipe == "head" and block.kind == "swift")
    imports, _, helpers = head.partition("#endif\n")
    imports += "#endif\n"
    files = {"Head.swift": imports + helpers}
    for block in found:
        if block.kind == "yaml" and block.recipe != "head":
            files[f"fixtures/{block.recipe}.yaml"] = block.text
        if block.kind == "swift" and block.recipe != "head":
            name = f"{block.page.title().replace('-', '')}Recipes.swift"
            first = f"{imports}\n// Written by Scripts/cookbook.py from Docs/cookbook/{block.page}.md.\n"
            files[name] = f"{files.get(name, first)}\n{block.text}"
    return files


def differences(files: dict[str, str]) -> list[str]:
    there = {str(path.relative_to(SWIFT)) for path in SWIFT.rglob("*") if path.is_file()}
    wrong = [name for name, text in files.items() if name not in there or (SWIFT / name).read_text() != text]
    return [f"{SWIFT.relative_to(ROOT)}/{name} is not what the pages say; Scripts/cookbook.py write"
            for name in sorted([*wrong, *(there - files.keys())])]


def write(files: dict[str, str]) -> None:
    shutil.rmtree(SWIFT, ignore_errors=True)
    for name, text in files.items():
        (SWIFT / name).parent.mkdir(parents=True, exist_ok=True)
        (SWIFT / name).write_text(text)


def in_place(found: list[Block], first: str) -> str:
    """The blocks in the lines that they have in their page, so that an error names the line of the page."""
    lines = [first]
    for block in found:
        lines += [""] * (block.line - 1 - len(lines)) + block.text.rstrip("\n").split("\n")
    return "\n".join(lines) + "\n"


def spread(found: list[Block], language: str, folder: pathlib.Path) -> None:
    """Writes the tests of a language into a folder, a file for each page."""
    head = next(block.text for block in found if block.recipe == "head" and block.kind == language)
    for page in sorted({block.page for block in found} - {"README"}):
        own = [block for block in found if block.page == page and block.kind == language]
        if language == "python":
            (folder / f"test_{page}.py").write_text(in_place(own, "; ".join(head.strip().split("\n"))))
        elif language == "js":
            (folder / f"{page}.test.mjs").write_text(in_place(own, " ".join(head.strip().split("\n"))))
        elif own:
            (folder / f"{page}_test.go").write_text(in_place(own, go_head("".join(block.text for block in own))))
    if language == "python":
        wrong = [block for block in found if block.kind == "python wrong"]
        shown = {block.recipe: block.text for block in found if block.kind == "output"}
        rows = [(block.recipe, f"{block.page}.md", "\n" * (block.line - 1) + block.text, shown.get(block.recipe, ""))
                for block in wrong]
        (folder / "test_wrong.py").write_text(f"{head}\nROWS = {rows!r}\n{WRONG}")
    elif language == "js":
        files = sorted(path.name for path in folder.glob("*.test.mjs"))
        (folder / "all.mjs").write_text("".join(f"import './{name}';\n" for name in files))
        (folder / "node_modules").mkdir()
        (folder / "node_modules" / "proctor-http").symlink_to(ROOT / "helpers" / "node")
    else:
        (folder / "head_test.go").write_text(go_head(head) + "\n" + head)
        (folder / "go.mod").write_text("module cookbook.test/cookbook\n\ngo 1.19\n\nrequire proctor.test/proctor v0.0.0\n\n"
                                       f"replace proctor.test/proctor => {ROOT}/helpers/go\n")


def go_head(text: str) -> str:
    """The package and the imports that a text needs, in one line."""
    used = [f'"{path}"' for path in GO_IMPORTS if re.search(rf"\b{path.split('/')[-1]}\.[A-Z]", text)]
    return f"package cookbook; import ({'; '.join(used)})"


WRONG = '''
import os
import re


def comparable(text):
    """Lines without numbers, hashes and spaces, which differ from run to run."""
    return [" ".join(re.sub(r"[0-9a-f]{16,}|[0-9.]+", "0", line).split()) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("name, page, code, shown", ROWS, ids=[row[0] for row in ROWS])
def test_wrong(proctor, name, page, code, shown):
    scope = {**globals(), "proctor": proctor, "run": proctor.run(name)}
    try:
        exec(compile(code, page, "exec"), scope)
        verdict = scope["run"].judge()
        text, is_red = verdict.text, verdict.data["isFailure"]
    except AssertionError as error:
        text, is_red = str(error), True
    proctor.close()
    if os.environ.get("COOKBOOK_SHOW"):
        print(f"===== {name}: {'red' if is_red else 'green'}\\n{text}")
    assert is_red, f"a client that is wrong passes:\\n{text}"
    said = iter(comparable(text))
    missing = [line for line in comparable(shown) if line != "\u2026" and not any(line in other for other in said)]
    assert shown.strip() and not missing, f"the page shows {missing}, and the verdict says:\\n{text}"
'''


class Server:
    """One server of the fixtures, for all languages."""

    def __init__(self, proctor: str, fixtures: pathlib.Path) -> None:
        self.child = subprocess.Popen([proctor, "serve", str(fixtures), "--port", "0", "--ephemeral-ca", "--grace", "0"],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        for line in self.child.stdout or []:
            if '"proctor":"ready"' in line.replace(" ", ""):
                self.base = json.loads(line)["base"]
                return
        sys.exit(f"{proctor} serve ended before it was ready")

    def close(self) -> None:
        self.child.terminate()
        self.child.communicate()


def run(found: list[Block], options: argparse.Namespace) -> int:
    status = 0
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        fixtures = folder / "fixtures"
        fixtures.mkdir()
        for block in found:
            if block.kind == "yaml":
                (fixtures / f"{block.recipe}.yaml").write_text(block.text)
        status |= subprocess.run([options.proctor, "check", str(fixtures)]).returncode
        server = Server(options.proctor, fixtures)
        environment = {
            **os.environ, "PROCTOR_SERVER": server.base, "PROCTOR_TOKEN": "", "PYTHONPATH": f"{ROOT}/helpers/python/src",
            "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "COOKBOOK_SHOW": "1" if options.show else "",
        }
        commands = {
            "python": [options.python, "-s", "-B", "-m", "pytest", "-q", "--tb=short", "-W", "ignore::DeprecationWarning",
                       "-p", "pytest_proctor.plugin", "-p", "no:cacheprovider", *(["-rP"] if options.show else [])],
            "js": ["node", "--test-reporter", "spec", "all.mjs"],
            "go": ["go", "test", "-count=1", "."],
        }
        try:
            for language, command in commands.items():
                if options.language in (None, language):
                    place = folder / language
                    place.mkdir()
                    spread(found, language, place)
                    status |= subprocess.run(command, cwd=place, env=environment).returncode
            with urllib.request.urlopen(f"{server.base.rstrip('/')}/__proctor/unused") as reply:
                unused = json.load(reply)["unused"]
            if unused and options.only is None:
                print("\n".join(["exchanges that no test asked for:", *unused]))
                status = 1
        finally:
            server.close()
    return min(status, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["check", "write", "run"])
    parser.add_argument("--proctor", default="proctor", help="the program")
    parser.add_argument("--python", default=sys.executable, help="a Python that has pytest, requests and httpx")
    parser.add_argument("--language", choices=["python", "js", "go"])
    parser.add_argument("--only", help="the recipe, or page, that is run")
    parser.add_argument("--show", action="store_true", help="print what the verdicts on wrong clients say")
    options = parser.parse_args()
    texts = pages()
    found = blocks(texts)
    if options.verb == "run":
        chosen = [block for block in found if options.only in (None, block.recipe, block.page) or block.recipe == "head"]
        return run(chosen, options)
    said = faults(texts, found)
    if options.verb == "write":
        write(swift_files(found))
    else:
        said += differences(swift_files(found))
    print("\n".join(said) or f"{len({block.recipe for block in found}) - 1} recipes in order")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
