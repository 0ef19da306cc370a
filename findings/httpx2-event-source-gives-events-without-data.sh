#!/usr/bin/env bash
# httpx2 2.16.2 (PyPI), EventSource: blocks without data, a byte order mark, and `retry` (WHATWG HTML §9.2.5 and §9.2.6).
#
# Guess, before its source was read: what bears the name of the standard's EventSource reads as the standard says: a block without `data` makes
# no event but sets the last event ID, a byte order mark at the start is passed over, a `retry` that is not all ASCII digits is ignored.
# Seen: a block with an `id` alone, and one with an `event` alone, are handed over as events with empty data; the mark is a part of the first
# field's name, so that the first line is lost; "retry: 1_000" is 1000, since it is read by Python's int().
#
# Installs the packages into a temporary environment; no server is needed. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check httpx2==2.16.2 httpcore2==2.16.2 h11==0.16.0
cat >"$folder/try.py" <<'END'
import httpx2

STREAMS = {
    "id alone": b"id: 7\n\ndata: one\n\n",
    "event alone": b"event: note\n\ndata: one\n\n",
    "mark first": b"\xef\xbb\xbfid: 7\ndata: one\n\n",
    "retry": b"retry: 1_000\ndata: one\n\n",
}


def reply(request):
    return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, content=STREAMS[request.url.params["of"]])


with httpx2.Client(transport=httpx2.MockTransport(reply)) as client:
    for name in STREAMS:
        with client.stream("GET", "http://a.test/", params={"of": name}) as response:
            events = [(event.event, event.data, event.id, event.retry) for event in httpx2.EventSource(response)]
            print(f"{name}: {events}")
END
seen=$("$folder/python/bin/python3" "$folder/try.py")
echo "$seen"
wanted="id alone: [('message', '', '7', None), ('message', 'one', '7', None)]
event alone: [('note', '', '', None), ('message', 'one', '', None)]
mark first: [('message', 'one', '', None)]
retry: [('message', 'one', '', 1000)]"
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
