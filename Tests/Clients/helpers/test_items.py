import threading
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
