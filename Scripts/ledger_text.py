"""What scripts read of clients' ledgers (Docs/clients/ledgers.md), and how they write it into pages."""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def table(head, rows, right=()):
    rule = "|" + "|".join("--:" if name in right else "---" for name in head) + "|"
    return "\n".join(["| " + " | ".join(head) + " |", rule] + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def between(page, begin, end):
    """The text of a page between two comments, of which `begin` and `end` are the words."""
    found = re.search(rf"<!-- {begin} -->\n(.*?)<!-- {end} -->", page, re.S)
    if not found:
        sys.exit(f"the page {page.splitlines()[0][2:]!r} lacks <!-- {begin} --> or <!-- {end} -->")
    return found[1]


def filled(page, begin, end, text):
    """The page with another text between its two comments."""
    place = f"<!-- {begin} -->\n", f"<!-- {end} -->"
    return page.replace(between(page, begin, end).join(place), text.join(place), 1)


def unquoted(text):
    """A scalar of a ledger: plain, or in double quotes."""
    text = text.strip()
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') else text


def escaped(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def entries(text, head):
    """The entries of a mapping of a ledger: each with the text of its lines."""
    part = re.search(rf"^{head}:\n((?:  .*\n|\n)+)", text, re.M)
    found = re.findall(r"^  (\"(?:[^\"\\]|\\.)*\"|[^\s#][^\n]*?):\n((?:    .*\n)+)", part[1], re.M) if part else []
    return [(unquoted(name), dict(re.findall(r"^    (\w+): (.*)$", body, re.M)) | {"also": re.findall(r"^      - (\S+)$", body, re.M)})
        for name, body in found]


def deviations(client):
    """The cases of a client's ledger, each with the text of its entry's lines."""
    return [(case, body) for name, body in entries(ledger(client), "deviations") for case in [name, *body["also"]]]


@functools.cache
def ledger(client):
    """The text of a client's ledger; empty where it has none."""
    path = ROOT / f"clients/{client}.yaml"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def thread(issue):
    """A link to a thread of a project: its repository and number."""
    return f"[{'/'.join(issue.rstrip('/').split('/')[-4:]).replace('/issues/', '#').replace('/pull/', '#')}]({issue})"


def because(client):
    """By case, the reason that a client's ledger has for it."""
    return {case: unquoted(body["because"]) for case, body in deviations(client) if "because" in body}


def keep(pages, is_checked, script):
    """Writes the pages, by path, that say otherwise now; the exit code. With `is_checked` they are only named, as those that `script` writes."""
    wrong = [path for path, text in sorted(pages.items()) if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in [] if is_checked else wrong:
        path.write_text(pages[path], encoding="utf-8")
    if is_checked and wrong:
        print(f"{script} writes these pages anew: {', '.join(path.name for path in wrong)}")
        return 1
    return 0
