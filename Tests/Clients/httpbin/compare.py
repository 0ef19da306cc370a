#!/usr/bin/env python3
"""Asks httpbin, which it starts, and a running pack the same questions, and prints what the replies differ in.

usage: compare.py BASE-URL [--https BASE-URL] [--only PATTERN] [--all-but PATTERN] [--list]

BASE-URL is that of a server with the pack at its root, such as http://127.0.0.1:8088. A line stands for each difference
that meant.tsv does not know: question, aspect, what httpbin and what the pack say. An entry of meant.tsv that no
question needs is an error too, where all were asked. PATTERN is one of the shell, or a part of a question's name.

Exit status: 0 no difference, 1 differences, 2 wrong usage, 69 httpbin or gunicorn cannot be imported.
"""

import argparse
import concurrent.futures
import contextlib
import fnmatch
import json
import sys
import urllib.parse

import differences
import meant
import questions
import reference
import wire

UNAVAILABLE = 69
SLOW_AT_ONCE = 8


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", nargs="?", metavar="BASE-URL", help="where the pack answers at its root")
    parser.add_argument(
        "--https", metavar="BASE-URL", help="the same over TLS; without it those questions are left out"
    )
    parser.add_argument("--only", metavar="PATTERN", help="only questions whose name matches, or contains it")
    parser.add_argument("--all-but", metavar="PATTERN", help="not the questions whose name matches, or contains it")
    parser.add_argument("--list", action="store_true", help="print the questions and end")
    chosen = parser.parse_args()
    if chosen.base is None and not chosen.list:
        parser.error("a BASE-URL is needed, such as http://127.0.0.1:8088")
    return parser, chosen


def address(parser, text, scheme):
    url = urllib.parse.urlsplit(text)
    if url.scheme != scheme or url.port is None or url.path not in ("", "/"):
        parser.error(f"{text} is no {scheme} URL with a port and no path, as {scheme}://127.0.0.1:8088 is")
    return url.hostname, url.port


def carried_out(question, server, context):
    """The replies of one server to the steps of a question; the last is a WireError where what came is no response."""
    replies = []
    steps = question.steps()
    connection = None
    try:
        request = next(steps)
        while True:
            if connection is None:
                connection = wire.Connection(server, context)
            replies.append(connection.ask(request))
            if not question.kept or replies[-1].closes:
                connection.close()
                connection = None
            request = steps.send(replies[-1])
    except StopIteration:
        pass
    except (wire.WireError, OSError) as error:
        replies.append(error)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        replies.append(wire.WireError(f"the next step can't be made of this reply: {error!r}"))
    finally:
        steps.close()
        if connection:
            connection.close()
    return replies


def asked(question, servers, context):
    """The differences of one question; those of later steps have the step's number."""
    there, here = (carried_out(question, server, context) for server in servers)
    found = []
    for step, (one, other) in enumerate(zip(there, here)):
        label = f"step {step + 1} " if max(len(there), len(here)) > 1 else ""
        if isinstance(one, wire.Reply) and isinstance(other, wire.Reply):
            found.extend((label + aspect, *values) for aspect, *values in differences.differences(one, other, question))
        else:
            # No question may stay without a reply of httpbin's, for nothing would be compared.
            found.append((label + "reply", *("a reply" if isinstance(r, wire.Reply) else str(r) for r in (one, other))))
    if len(there) != len(here):
        found.append(("steps", str(len(there)), str(len(here))))
    return len(there), found


def run(chosen, servers, context=None):
    """(question, count of steps, differences) for each question, in order; slow ones are asked beside the others."""
    with concurrent.futures.ThreadPoolExecutor(SLOW_AT_ONCE) as pool:
        slow = {q.name: pool.submit(asked, q, servers, context) for q in chosen if q.lasts}
        for question in chosen:
            result = slow[question.name].result() if question.lasts else asked(question, servers, context)
            yield (question, *result)


def selected(all_of_them, options):
    def matches(name, pattern):
        return fnmatch.fnmatchcase(name, pattern) or pattern in name

    return [
        question
        for question in all_of_them
        if (options.only is None or matches(question.name, options.only))
        and (options.all_but is None or not matches(question.name, options.all_but))
    ]


def main():
    parser, options = arguments()
    plain = selected(questions.plain(), options)
    secured = selected(questions.secured(), options)
    if options.list:
        print("\n".join(question.name for question in plain + secured))
        return 0
    if not plain + secured:
        parser.error("no question is left by --only and --all-but; --list without them prints all")
    pack = address(parser, options.base, "http")
    secured_pack = address(parser, options.https, "https") if options.https else None
    if absent := reference.missing():
        names = " and ".join(absent)
        print(f"compare.py: {sys.executable} cannot import {names}; it needs {reference.REQUIREMENTS}", file=sys.stderr)
        return UNAVAILABLE

    entries = meant.read()
    unmeant = count = requests = 0
    with contextlib.ExitStack() as stack:
        results = run(plain, (stack.enter_context(reference.httpbin()), pack))
        batches = [results]
        if secured_pack and secured:
            server = stack.enter_context(reference.httpbin(secured=True))
            batches.append(run(secured, (server, secured_pack), reference.unverified()))
        for batch in batches:
            for question, steps, found in batch:
                count += 1
                requests += steps
                for aspect, there, here in found:
                    if meant.covers(entries, question.name, aspect, there, here):
                        continue
                    unmeant += 1
                    sides = (json.dumps(side, ensure_ascii=False) for side in (there, here))
                    print("{}\t{}\thttpbin: {}\tpack: {}".format(question.name, aspect, *sides), flush=True)

    whole = options.only is None and options.all_but is None and secured_pack is not None
    stale = [entry for entry in entries if whole and not entry.uses]
    for entry in stale:
        print(f"meant.tsv:{entry.line}: no question shows this difference any more; remove the entry")
    known = sum(entry.uses for entry in entries)
    print(f"{reference.versions()}:", file=sys.stderr)
    print(
        f"{count} questions, {requests} requests to each: {unmeant} differences, and {known} that are meant",
        file=sys.stderr,
    )
    return 1 if unmeant or stale else 0


if __name__ == "__main__":
    sys.exit(main())
