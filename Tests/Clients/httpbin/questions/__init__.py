"""All questions, by subject."""

from questions import (
    auth,
    bodies,
    caching,
    connections,
    contents,
    cookies,
    digest,
    dynamic,
    fields,
    methods,
    redirects,
    secured as over_tls,
)

SUBJECTS = (methods, bodies, fields, auth, digest, redirects, cookies, contents, dynamic, caching, connections)


def plain():
    return unique(question for subject in SUBJECTS for question in subject.questions())


def secured():
    return unique(over_tls.questions())


def unique(questions):
    """The questions as a list, each once. Two of one name are a mistake: an entry of meant.tsv would mean both."""
    found = {}
    for question in questions:
        known = found.setdefault(question.name, question)
        if known is not question and (known.request is None or known.request != question.request):
            raise SystemExit(f"two questions are named {question.name}")
    return list(found.values())
