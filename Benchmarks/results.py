"""The table of the figures."""
import sys


class Table:
    def __init__(self):
        self.rows = []

    def keep(self, text):
        """Takes the rows of a table from before that were not measured again, in their order."""
        measured = {row[0] for row in self.rows}
        kept = [tuple(cell.strip() for cell in line.strip("|\n ").split(" | ")) for line in text.splitlines()[2:]]
        self.rows = [row for row in kept if row[0] not in measured] + self.rows

    def add(self, what, ours, theirs, ratio):
        self.rows.append((what, ours, theirs, ratio))
        print(f"  {what}: proctor {ours}, {theirs}, {ratio}", file=sys.stderr)

    def text(self):
        lines = ["| what | proctor | beside it | ratio (lowest … highest) |", "|---|---|---|---|"]
        return "\n".join(lines + [f"| {a} | {b} | {c} | {d} |" for a, b, c, d in self.rows])
