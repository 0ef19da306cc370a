import gzip
import socket
import struct
import threading
import urllib.parse
import urllib.request

import pytest
from pytest_proctor import ProctorError, on


def test_threads_share_the_stubs(proctor):
    proctor.on("GET /items").reply(200, json=[]).times(5)
    asked = []

    def ask():
        asked.append(proctor.url("/items"))
        urllib.request.urlopen(asked[-1]).read()

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(asked) == 5 and len(set(asked)) == 1


@pytest.mark.parametrize("value, told", [
    ({"a": object()}, "json /a is <object object at "), ([1, {"b/c": b"x"}], "json /1/b~1c is b'x', for which JSON has no form"),
    ({"a": float("nan")}, "json /a is nan"), ({("a",): 1}, "json has the name ('a',); names in JSON are text"),
])
def test_what_json_has_no_form_for(value, told):
    with pytest.raises(ProctorError) as raised:
        on("GET /items").reply(200, json=value)
    assert told in str(raised.value)


def test_a_list_that_contains_itself():
    value = []
    value.append(value)
    with pytest.raises(ProctorError, match="json is nested deeper than 200 values, or contains itself"):
        on("GET /items").reply(200, json=value)


def test_content_that_came_coded(proctor):
    items = proctor.on("POST /items").having(json={"name": "desk"}).reply(201)
    coded = gzip.compress(b'{"name":"desk"}')
    urllib.request.urlopen(urllib.request.Request(proctor.url("/items"), coded, {"Content-Encoding": "gzip"})).read()
    [request] = items.requests
    assert (request.body, request.json, request.coded_body) == (b'{"name":"desk"}', {"name": "desk"}, coded)


@pytest.mark.parametrize("end", ["read", "left", "reset"])
def test_how_a_request_ended(proctor, end):
    items = proctor.on("GET /items").reply(200, body="long", effects=[{"at": f"body {4 if end == 'read' else 2}", "do": "wait 1ms" if end == "read" else "stall"}])
    place = urllib.parse.urlsplit(proctor.url("/items"))
    client = socket.create_connection((place.hostname, place.port))
    client.sendall(f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
    heard = b""
    while not heard.endswith(b"long" if end == "read" else b"lo"):
        heard += client.recv(1000)
    if end == "reset":
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()
    while items.requests[0].end is None:
        pass
    assert items.requests[0].end == end
