"""The committed table of counts: reading, comparing, writing."""
import dataclasses
import os
import platform
import re
import subprocess

HEADER = (
    "# Written by `make bench-check SAVE=1`, which writes lower counts alone; a higher one needs BOUGHT=\"what for\", which\n"
    "# stands in its row. The tolerance, by what share a count may differ, is kept.\n"
)
WITH = "# Counted with "
COLUMNS = "of\twhat\tcount\ttolerance\tbought\n"
USUAL = 0.03
# Rows that are there only where something was built from nothing.
BUILDS = ("build", "module")


@dataclasses.dataclass
class Row:
    of: str
    what: str
    count: float
    tolerance: float = USUAL
    # What a higher count than before was for.
    bought: str = ""

    @property
    def key(self):
        return self.of, self.what


def system():
    """What a count depends on besides our code, as one line."""
    def version(*command):
        try:
            text = subprocess.run(command, capture_output=True, text=True).stdout
        except OSError:
            return "none"
        found = re.search(r"\d+(\.\d+)+", text)
        return found.group() if found else "none"

    libc = os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in os.confstr_names else "libc"
    return (f"{platform.machine()}, {libc}, swift {version('swift', '--version')}, "
            f"openssl {version('pkg-config', '--modversion', 'openssl')}, valgrind {version('valgrind', '--version')}")


def system_of(path):
    """What the table was counted with; None where it does not say."""
    if path.exists():
        for line in path.read_text().splitlines():
            if line.startswith(WITH):
                return line.removeprefix(WITH)
    return None


def room(row):
    """How far a count may lie from the table's; half a call is nothing."""
    return max(row.count * row.tolerance, 0.5)


def read(path):
    if not path.exists():
        return {}
    rows = {}
    for line in path.read_text().splitlines():
        if line.startswith("#") or line + "\n" == COLUMNS:
            continue
        of, what, count, tolerance, bought = line.split("\t")
        row = Row(of, what, float(count), float(tolerance.rstrip("%")) / 100, bought)
        rows[row.key] = row
    return rows


def merged(rows, old, bought=""):
    """The rows of the next table: of each count the lower one, or the higher one with what it bought."""
    table = []
    for row in rows:
        before = old.get(row.key)
        if before is None:
            table.append(row)
        elif row.count <= before.count:
            # What was once bought for more stays written while the count stands above what it was before.
            table.append(dataclasses.replace(row, tolerance=before.tolerance, bought=before.bought))
        elif bought and row.count > before.count + room(before):
            table.append(dataclasses.replace(row, tolerance=before.tolerance, bought=bought))
        else:
            table.append(before)
    counted = {row.key for row in rows}
    return table + [row for row in old.values() if row.of in BUILDS and row.key not in counted]


def write(path, rows):
    lines = [HEADER, f"{WITH}{system()}\n", COLUMNS]
    for row in rows:
        count = f"{row.count:.0f}" if row.count >= 1000 else f"{round(row.count, 1):g}"
        lines.append(f"{row.of}\t{row.what}\t{count}\t{row.tolerance * 100:g}%\t{row.bought}\n")
    path.write_text("".join(lines))


def shown(count):
    return f"{count:,.0f}" if count >= 1000 else f"{round(count, 1):g}"


def compare(rows, old):
    """Rows that grew, rows that fell, and rows that the table does not have, or that nothing counts any more."""
    grown, fallen = [], []
    for row in rows:
        before = old.get(row.key)
        if before is None:
            continue
        if row.count > before.count + room(before):
            grown.append((row, before))
        elif row.count < before.count - room(before):
            fallen.append((row, before))
    new = [row for row in rows if row.key not in old]
    # A build counts only where it was made from nothing.
    gone = [row for key, row in old.items() if key not in {row.key for row in rows} and row.of not in BUILDS]
    return grown, fallen, new, gone


def change(row, before):
    share = f"{(row.count / before.count - 1) * 100:+.1f} %" if before.count else "new"
    return (f"{row.of}: {row.what} was {shown(before.count)}, is {shown(row.count)} "
            f"({share}; {before.tolerance * 100:g} % is allowed)")
