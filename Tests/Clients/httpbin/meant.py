"""The differences from httpbin that are meant: meant.tsv, one entry a line, and what each covers."""

import dataclasses
import fnmatch
import pathlib

PATH = pathlib.Path(__file__).with_name("meant.tsv")
COLUMNS = 5


@dataclasses.dataclass
class Entry:
    line: int
    # Patterns of the shell: the name of a question, an aspect without its step, what httpbin and what the pack say.
    question: str
    aspect: str
    there: str
    here: str
    reason: str
    uses: int = 0

    def covers(self, question, aspect, there, here):
        pairs = ((self.question, question), (self.aspect, aspect), (self.there, there), (self.here, here))
        return all(matches(pattern, text) for pattern, text in pairs)


def matches(pattern, text):
    return pattern == text or fnmatch.fnmatchcase(text, pattern)


def read(path=PATH):
    entries = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) != COLUMNS or not all(columns):
            raise SystemExit(
                f"{path}:{number}: {COLUMNS} columns are wanted, none of them empty, with a tab between two"
            )
        entries.append(Entry(number, *columns))
    return entries


def covers(entries, question, aspect, there, here):
    """Whether a difference is meant; the first entry that covers it counts one use."""
    if aspect.startswith("step "):
        aspect = aspect.split(" ", 2)[2]
    for entry in entries:
        if entry.covers(question, aspect, there, here):
            entry.uses += 1
            return True
    return False
