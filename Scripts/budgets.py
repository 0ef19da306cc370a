#!/usr/bin/env python3
"""budgets.py [--list NAME] [--root FOLDER]

Counts what CONTRIBUTING ("Budgets") bounds in Sources, and names offenders of each budget that does not hold.
--list names every offender of one budget. Reads the sources itself, in about three seconds; nothing is built.

Exits 0 when each budget holds, 1 when one does not, 2 for a wrong command line.
"""
import argparse
import bisect
import collections
import pathlib
import re
import sys

# name, what holds now, the goal. A figure above its goal is lowered as soon as the sources allow; raising one is a commit
# that says why. `each` budgets bound every item (lines); the others bound how many items there are.
BUDGETS = [
    ("public", 1100, 1100),
    ("effect-files", 4, 4),
    ("key-files", 3, 4),
    ("wire-files", 63, 20),
    ("wire-members", 27, 20),
    ("file-lines", 500, 500),
    ("long-functions", 0, 0),
    ("overloads", 12, 12),
    ("vague-names", 0, 0),
    ("double-names", 4, 0),
    ("bare-abstracts", 0, 0),
]
FUNCTION_LINES = 80
# What stands for the next one of its kind: as many files name it as a new one would touch. The effect is one that the
# connection has; of the keys of client programs the one that most files name counts, without the acts of each client; a wire's own
# modules are left out.
SAMPLES = {
    "effect-files": [r"(?<!\w)\.halfClose\b(?!\()|case halfClose\b"],
    "key-files": [rf"\b{key}\b" for key in "answerAfter onWillCache connectionsPerHost resourceTimeout suspendAt".split()],
    "wire-files": [r"HTTP2|\.h2\b"],
}
OWN_PLACES = {"wire-files": {"ProctorHTTP2", "ProctorHTTP2Serving"}, "key-files": {"Clients"}}
# What it says of a conversation behind HTTP is a protocol of its own, of which extensions of Wire have a part.
WIRES = {f"Sources/Serving/ProctorServing/Connection/{name}.swift": name for name in ("Wire", "ConversationWire")}
# How many offenders of a budget are named where it does not hold.
SHOWN = 20
VAGUE_FUNCTIONS = set(
    "take end note begin of tell keep put look give hold leave made say meet go answer play".split())
VAGUE_TYPES = {"Found", "Told", "Held", "Asked", "Whole"}
# What each program of clients has, and the two ends of one protocol, which no file sees both of.
SAME_BY_DESIGN = {"Adapter", "Main", "HTTP2Connection", "HTTP3Connection", "WebSocketConversation"}
# Names that come from outside: method, and the type that has it. This one makes a request with the method PUT.
OUTSIDE = {("put", "ExpectedRequest")}
# Overloads that a protocol from outside, or Swift's dispatch on static types, asks for.
MANY_BY_DESIGN = {"urlSession", "visit", "encode", "decode"}

# An abstract is read without the declaration, in lists and in help at the cursor: one that begins so does not say what the thing is.
BARE_ABSTRACT = re.compile(r"/// (?:That|Those|Of|It|By|The same)\b")

TYPES = {"class", "struct", "enum", "actor", "protocol", "extension"}
TOKEN = re.compile(r"[A-Za-z_]\w*|`[^`\n]+`|->|==|[-{}()\[\]<>,:;.=&?!@#+*/%|^~]|\n|\S")


def blank(text: str) -> str:
    """The text with comments and the content of string literals as spaces; lines stay where they are."""
    out = list(text)
    length = len(text)

    def erase(start: int, end: int) -> None:
        for index in range(start, end):
            if out[index] != "\n":
                out[index] = " "

    def literal(start: int) -> int:
        """Where the literal that begins at `start` ends."""
        index = start
        while text[index] == "#":
            index += 1
        hashes = index - start
        quotes = 3 if text.startswith('"""', index) else 1
        closing = '"' * quotes + "#" * hashes
        escape = "\\" + "#" * hashes
        index += quotes
        while index < length:
            if text.startswith(closing, index):
                return index + len(closing)
            if text.startswith(escape, index):
                index += len(escape)
                if index < length and text[index] == "(":
                    depth = 0
                    while index < length:
                        if text[index] == "(":
                            depth += 1
                        elif text[index] == ")":
                            depth -= 1
                            if depth == 0:
                                break
                        elif text[index] == '"' or (text[index] == "#" and re.match(r'#+"', text[index:index + 8])):
                            index = literal(index) - 1
                        index += 1
                index += 1
            elif text[index] == "\n" and quotes == 1:
                return index
            else:
                index += 1
        return length

    index = 0
    while index < length:
        character = text[index]
        if character == "/" and text.startswith("//", index):
            end = text.find("\n", index)
            end = length if end < 0 else end
            erase(index, end)
            index = end
        elif character == "/" and text.startswith("/*", index):
            depth, end = 1, index + 2
            while end < length and depth:
                if text.startswith("/*", end):
                    depth, end = depth + 1, end + 2
                elif text.startswith("*/", end):
                    depth, end = depth - 1, end + 2
                else:
                    end += 1
            erase(index, end)
            index = end
        elif character == '"' or (character == "#" and re.match(r'#+"', text[index:index + 8])):
            end = literal(index)
            erase(index, end)
            index = end
        else:
            index += 1
    return "".join(out)


class Declaration:
    """A function or a type: where it stands, and what the budgets ask of it."""

    def __init__(self, file, kind, name, owner, line, column, labels=(), types=(), in_protocol=False, scope=""):
        self.file, self.kind, self.name, self.owner = file, kind, name, owner
        self.line, self.column, self.end_line = line, column, line
        self.labels, self.types, self.in_protocol, self.scope = labels, types, in_protocol, scope

    @property
    def signature(self) -> str:
        return self.name + "(" + "".join(f"{label}:" for label in self.labels) + ")"

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


def parameters(tokens: list[str]) -> tuple[list[str], list[str]]:
    """The labels and the types of a parameter list, without its parentheses."""
    parts, part, depth = [], [], 0
    for token in tokens:
        if token in "([<{" and token:
            depth += 1
        elif token in (")", "]", ">", "}"):
            depth -= 1
        if token == "," and depth == 0:
            parts.append(part)
            part = []
        elif token != "\n":
            part.append(token)
    if part:
        parts.append(part)
    labels, types = [], []
    for part in parts:
        while part and part[0] == "@":
            part = part[2:]
        colon = part.index(":") if ":" in part else len(part)
        labels.append(part[0] if part else "_")
        kind = part[colon + 1:]
        if "=" in kind:
            kind = kind[:kind.index("=")]
        types.append(" ".join(kind))
    return labels, types


def declarations(path: pathlib.Path, root: pathlib.Path) -> list[Declaration]:
    """The functions and types of one file, in order."""
    text = blank(path.read_text(encoding="utf-8"))
    starts = [0] + [match.end() for match in re.finditer("\n", text)]
    tokens = [(match.group(), match.start()) for match in TOKEN.finditer(text)]
    file = str(path.relative_to(root))
    found: list[Declaration] = []
    # What each open brace belongs to: (kind, name of a type, declaration), with the depth of parentheses around it.
    scopes: list[tuple[str, str, Declaration | None]] = []
    pending: tuple[str, str, Declaration | None] | None = None

    def position(offset: int) -> tuple[int, int]:
        line = bisect.bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def owner() -> str:
        return ".".join(name for kind, name, _ in scopes if kind in TYPES)

    index = 0
    while index < len(tokens):
        token, offset = tokens[index]
        before = tokens[index - 1][0] if index else ""
        following = tokens[index + 1][0] if index + 1 < len(tokens) else ""
        if token in TYPES and before not in (".", "`", ":") and re.match(r"[A-Z_a-z`]", following) and following not in (
            "func", "var", "let", "subscript", "override", "final", "private", "package", "public", "init"):
            name = following
            cursor = index + 2
            while token == "extension" and cursor + 1 < len(tokens) and tokens[cursor][0] == ".":
                name += "." + tokens[cursor + 1][0]
                cursor += 2
            line, column = position(tokens[index + 1][1])
            entry = Declaration(file, token, name, owner(), line, column)
            if token != "extension":
                found.append(entry)
            pending = (token, name, entry)
            index = cursor
            continue
        if token in ("func", "init", "subscript", "deinit") and before not in (".", "`") and (
            token == "func" or (following in ("(", "<", "?", "{") or token == "deinit")) and (
            token == "func" or (scopes and scopes[-1][0] in TYPES)):
            line, column = position(tokens[index + 1][1] if token == "func" else offset)
            name = following if token == "func" else token
            cursor = index + (2 if token == "func" else 1)
            while cursor < len(tokens) and tokens[cursor][0] not in ("(", "{"):
                cursor += 1
            labels, types = [], []
            if cursor < len(tokens) and tokens[cursor][0] == "(" and token != "deinit":
                depth, start = 0, cursor + 1
                while cursor < len(tokens):
                    if tokens[cursor][0] == "(":
                        depth += 1
                    elif tokens[cursor][0] == ")":
                        depth -= 1
                        if depth == 0:
                            break
                    cursor += 1
                labels, types = parameters([value for value, _ in tokens[start:cursor]])
                cursor += 1
            in_protocol = bool(scopes) and scopes[-1][0] == "protocol"
            scope = scopes[-1][0] if scopes else ""
            entry = Declaration(file, token, name.strip("`"), owner(), line, column, labels, types, in_protocol, scope)
            entry.line = position(offset)[0]
            found.append(entry)
            if not in_protocol:
                pending = ("body", "", entry)
                # The result's type and a `where` may stand before the body.
                while cursor < len(tokens) and tokens[cursor][0] != "{":
                    cursor += 1
            index = cursor
            continue
        if token == "{":
            scopes.append(pending or ("block", "", None))
            pending = None
        elif token == "}":
            if scopes:
                _, _, entry = scopes.pop()
                if entry:
                    entry.end_line = position(offset)[0]
        index += 1
    return found


def members(code: str, file: str, protocol: str) -> list[tuple[int, str]]:
    """The requirements of a protocol, of which each begins a line."""
    body = code[re.search(rf"\bprotocol {protocol}\b[^{{]*{{", code).end():]
    found, depth = [], 1
    for line in body.split("\n"):
        if depth == 1 and re.match(r"\s*(?:static |mutating |@\w+ )*(?:func|var|init|subscript|associatedtype)\b", line):
            found.append((1, f"{file}: {line.strip()}"))
        depth += line.count("{") - line.count("}")
        if depth <= 0:
            break
    return found


def measure(root: pathlib.Path) -> dict[str, list[tuple[int, str]]]:
    """The items of each budget: a figure and a text that names the item."""
    items: dict[str, list[tuple[int, str]]] = {name: [] for name, _, _ in BUDGETS}
    naming: dict[tuple[str, str], list[tuple[int, str]]] = collections.defaultdict(list)
    named: dict[tuple[str, str, str], list[Declaration]] = collections.defaultdict(list)
    provided: set[str] = set()
    homes: dict[str, dict[str, str]] = collections.defaultdict(dict)
    for path in sorted((root / "Sources").rglob("*.swift")):
        file = str(path.relative_to(root))
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        # Sources/FOLDER/TARGET/…
        folder, target = path.relative_to(root).parts[1:3]
        items["file-lines"].append((lines, file))
        previous = ""
        for number, line in enumerate(map(str.strip, text.split("\n")), 1):
            if BARE_ABSTRACT.match(line) and not previous.startswith("///"):
                items["bare-abstracts"].append((1, f"{file}:{number}: {line}"))
            previous = line
        code = blank(text)
        for name, patterns in SAMPLES.items():
            if OWN_PLACES.get(name, set()).isdisjoint((folder, target)):
                for pattern in patterns:
                    if re.search(pattern, code):
                        naming[name, pattern].append((1, file))
        if file in WIRES:
            items["wire-members"] += members(code, file, WIRES[file])
            provided |= {name for body in re.findall(r"^extension Wire {\n(.*?)^}", code, re.M | re.S)
                         for name in re.findall(r"^    (?:package )?(?:func|var) (\w+)", body, re.M)}
        for number, line in enumerate(code.split("\n"), 1):
            if re.search(r"\bpublic\b", line) and not re.match(r"\s*public import\b", line):
                items["public"].append((1, f"{file}:{number}: {line.strip()}"))
        for entry in declarations(path, root):
            if entry.kind in TYPES:
                if not entry.owner:
                    homes[entry.name].setdefault(target, entry.place)
                if entry.name in VAGUE_TYPES:
                    items["vague-names"].append((1, f"{entry.place}: type {entry.name}"))
                continue
            count = entry.end_line - entry.line + 1
            if count > FUNCTION_LINES:
                items["long-functions"].append((1, f"{entry.place}: {entry.owner}.{entry.name}, {count} lines"))
            if entry.kind != "func":
                continue
            if entry.name in VAGUE_FUNCTIONS and (entry.name, entry.owner) not in OUTSIDE:
                items["vague-names"].append((1, f"{entry.place}: {entry.owner}.{entry.signature}"))
            if entry.scope in TYPES and entry.name not in MANY_BY_DESIGN:
                named[target, entry.owner, entry.name].append(entry)
    for name, patterns in SAMPLES.items():
        items[name] = max((naming[name, pattern] for pattern in patterns), key=len)
    items["wire-members"] = [item for item in items["wire-members"] if "/Wire.swift: " in item[1]
                             or re.search(r"(?:func|var) (\w+)", item[1])[1] not in provided]
    for name, places in sorted(homes.items()):
        if len(places) > 1 and name not in SAME_BY_DESIGN:
            items["double-names"].append((1, f"{name}: {', '.join(places.values())}"))
    for (_, owner, name), entries in sorted(named.items()):
        if len(entries) > 2:
            places = ", ".join(entry.place for entry in entries)
            items["overloads"].append((1, f"{owner}.{name}, {len(entries)} times: {places}"))
    return items


def main() -> int:
    parser = argparse.ArgumentParser(description="Holds the budgets of the sources.")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--list", choices=[name for name, _, _ in BUDGETS])
    arguments = parser.parse_args()
    items = measure(arguments.root)
    if arguments.list:
        for figure, text in sorted(items[arguments.list], key=lambda item: (-item[0], item[1])):
            print(f"{figure:6} {text}" if arguments.list.endswith("-lines") else text)
        return 0
    failed = False
    for name, budget, goal in BUDGETS:
        each = name.endswith("-lines")
        figures = [figure for figure, _ in items[name]]
        figure = max(figures, default=0) if each else len(figures)
        remark = "" if budget <= goal else f" (goal: {goal})"
        if figure <= budget:
            print(f"budgets: {name}: {figure} of {budget}{remark}")
            continue
        failed = True
        print(f"budgets: {name}: {figure}, and {budget} are allowed{remark}", file=sys.stderr)
        over = [item for item in items[name] if not each or item[0] > budget]
        for value, text in sorted(over, key=lambda item: (-item[0], item[1]))[:SHOWN]:
            print(f"  {value} {text}" if each else f"  {text}", file=sys.stderr)
        if len(over) > SHOWN:
            print(f"  and {len(over) - SHOWN} more: Scripts/budgets.py --list {name}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
