#!/usr/bin/env python3
"""Asks the pack `llm` as a program of a language model does, with Python's own HTTP client, and says what is wrong.

    llm.py BASE PAGE     all questions, and the commands of the page Docs/use/llm.md; exits 1 where an answer is wrong
    llm.py BASE --late   the scenario of that page: a rate limit, and then an answer whose second word is late
"""
import base64
import http.client
import json
import re
import socket
import subprocess
import sys
import time
import urllib.parse

TOOL = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city", "days"]}
TEXT = "Five words are said here"


class Reply:
    """The head of a reply, and its events one by one, with the seconds at which they came."""

    def __init__(self, base, path, body, fields=None, silence=20):
        address = urllib.parse.urlsplit(base)
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=silence)
        self.connection.request(
            "POST", address.path.rstrip("/") + path, json.dumps(body), {"Content-Type": "application/json", **(fields or {})})
        self.began = time.monotonic()
        self.reply = self.connection.getresponse()
        self.status, self.fields = self.reply.status, self.reply.headers

    def json(self):
        return json.loads(self.reply.read())

    def lines(self):
        """`readline` of http.client would take a stream that is cut for one that has ended."""
        rest = b""
        while piece := self.reply.read1(1 << 16):
            *whole, rest = (rest + piece).split(b"\n")
            yield from (line.decode() for line in whole)

    def events(self):
        """(name, data) of each event that an empty line ends; an error of the connection gets out."""
        name, data = "message", []
        for line in self.lines():
            if not line:
                if data:
                    yield name, "\n".join(data)
                name, data = "message", []
            elif line.startswith("data: "):
                data.append(line[6:])
            elif line.startswith("event: "):
                name = line[7:]
            else:
                raise AssertionError(f"a line that no model sends: {line!r}")


def chat(base, model="echo", text=TEXT, stream=True, fields=None, silence=20, **more):
    body = {"model": model, "stream": stream, "messages": [{"role": "user", "content": text}], **more}
    return Reply(base, "/v1/chat/completions", body, fields, silence)


def messages(base, model="echo", text=TEXT, stream=True, silence=20, **more):
    body = {"model": model, "stream": stream, "max_tokens": 99, "messages": [{"role": "user", "content": text}], **more}
    return Reply(base, "/v1/messages", body, None, silence)


def responses(base, model="echo", text=TEXT, stream=True, silence=20, **more):
    return Reply(base, "/v1/responses", {"model": model, "stream": stream, "input": text, **more}, None, silence)


def get(base, path, fields=None):
    """Status and JSON of a GET."""
    address = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=20)
    connection.request("GET", address.path.rstrip("/") + path, headers=fields or {})
    reply = connection.getresponse()
    return reply.status, json.loads(reply.read())


def chunks(reply):
    """The chunks of a stream of chat completions, which ends with [DONE]."""
    data = [data for _, data in reply.events()]
    assert data[-1] == "[DONE]", data[-1:]
    return [json.loads(one) for one in data[:-1]]


def broken(reply):
    """The events before the connection failed, and the name of the failure."""
    seen = []
    try:
        for event in reply.events():
            seen.append(event)
    except (http.client.HTTPException, OSError) as error:
        return seen, type(error).__name__
    return seen, None


# MARK: Questions; each is a test.

def words_come_one_by_one(base):
    reply = chat(base)
    assert reply.status == 200 and reply.fields["Content-Type"] == "text/event-stream", dict(reply.fields)
    deltas = [chunk["choices"][0] for chunk in chunks(reply)]
    assert [one["delta"].get("content") for one in deltas] == ["", "Five", " words", " are", " said", " here", None], deltas
    assert [one["finish_reason"] for one in deltas] == [None] * 6 + ["stop"], deltas


def without_a_stream_it_is_one_object(base):
    whole = chat(base, stream=False).json()
    assert whole["choices"][0]["message"]["content"] == TEXT and whole["usage"]["total_tokens"] == 10, whole
    whole = messages(base, stream=False).json()
    assert whole["content"] == [{"type": "text", "text": TEXT}] and whole["stop_reason"] == "end_turn", whole


def usage_comes_at_the_end(base):
    seen = chunks(chat(base, stream_options={"include_usage": True}))
    assert all(chunk["usage"] is None and chunk["choices"] for chunk in seen[:-1]), seen
    assert seen[-1]["choices"] == [] and seen[-1]["usage"]["completion_tokens"] == 5, seen[-1]
    assert all("usage" not in chunk for chunk in chunks(chat(base)))


def events_of_messages_have_names(base):
    seen = [(name, json.loads(data)) for name, data in messages(base).events()]
    assert all(name == event["type"] for name, event in seen), seen
    names = [name for name, _ in seen]
    assert names[:3] == ["message_start", "content_block_start", "ping"], names
    assert names[3:] == ["content_block_delta"] * 5 + ["content_block_stop", "message_delta", "message_stop"], names
    assert "".join(event["delta"]["text"] for name, event in seen if name == "content_block_delta") == TEXT
    assert seen[-2][1]["usage"]["output_tokens"] == 5


def arguments_of_a_tool_come_in_fragments(base):
    tools = [{"type": "function", "function": {"name": "weather", "parameters": TOOL}}]
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks(chat(base, "gpt-tool", tools=tools))]
    calls = [delta["tool_calls"][0] for delta in deltas if "tool_calls" in delta]
    assert calls[0]["function"]["name"] == "weather" and calls[0]["id"] and len(calls) > 3, calls
    pieces = [call["function"]["arguments"] for call in calls]
    assert json.loads("".join(pieces)) == {"city": TEXT, "days": 1}, pieces
    assert all(not is_json(piece) for piece in pieces), "no fragment is whole by itself"


def arguments_of_messages_come_in_fragments(base):
    tools = [{"name": "weather", "input_schema": TOOL}]
    seen = [json.loads(data) for _, data in messages(base, "claude-tool", tools=tools).events()]
    pieces = [one["delta"]["partial_json"] for one in seen if one["type"] == "content_block_delta"]
    assert len(pieces) > 2 and json.loads("".join(pieces)) == {"city": TEXT, "days": 1}, pieces
    assert seen[-2]["delta"]["stop_reason"] == "tool_use", seen[-2]


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def an_error_comes_behind_a_200(base):
    reply = chat(base, "gpt-error")
    seen = [json.loads(data) for _, data in reply.events()]
    assert reply.status == 200 and "choices" in seen[0] and seen[-1]["error"]["type"] == "server_error", seen
    reply = messages(base, "claude-error")
    seen = list(reply.events())
    assert reply.status == 200 and seen[0][0] == "message_start" and seen[-1][0] == "error", seen
    assert json.loads(seen[-1][1])["error"]["type"] == "overloaded_error"


def an_event_is_cut_in_its_middle(base):
    for ask in (chat, messages):
        seen, failure = broken(ask(base, "cut"))
        assert failure == "IncompleteRead", (failure, seen)
        assert seen and all(is_json(data) for _, data in seen), "what came before is whole"
        assert not any(data == "[DONE]" or name == "message_stop" for name, data in seen)


def a_connection_is_reset(base):
    seen, failure = broken(chat(base, "gpt-reset"))
    assert failure in ("ConnectionResetError", "IncompleteRead") and seen, (failure, seen)


def a_stream_stalls_between_words(base):
    reply = chat(base, "stall", silence=1)
    seen, failure = broken(reply)
    assert failure in ("TimeoutError", "timeout") and 0 < len(seen) < 6, (failure, len(seen))
    reply.connection.close()


def words_come_slowly(base):
    reply = chat(base, "slow")
    chunks(reply)
    assert time.monotonic() - reply.began >= 0.4, "five words have four pauses of 100 ms"


def a_rate_limit_says_when_to_come_again(base):
    for ask in (chat, messages):
        reply = ask(base, "rate-limit")
        assert reply.status == 429 and reply.fields["Retry-After"] == "1", (reply.status, dict(reply.fields))
        assert "error" in reply.json()
    assert chat(base, fields={"X-LLM-Act": "rate-limit"}).status == 429


def other_failures_have_the_form_of_the_api(base):
    assert chat(base, "overloaded").status == 503 and messages(base, "overloaded").status == 529
    reply = Reply(base, "/v1/messages", {"model": "echo", "messages": [{"role": "user", "content": "a"}]})
    assert reply.status == 400 and "max_tokens" in reply.json()["error"]["message"]
    assert chunks(chat(base, "gpt-length"))[-1]["choices"][0]["finish_reason"] == "length"
    assert chunks(chat(base, "refuse"))[1]["choices"][0]["delta"]["refusal"] == "I"


def events_of_responses_are_numbered(base):
    seen = [(name, json.loads(data)) for name, data in responses(base).events()]
    assert all(name == event["type"] for name, event in seen), seen
    assert [event["sequence_number"] for _, event in seen] == list(range(len(seen))), seen
    names = [name.removeprefix("response.") for name, _ in seen]
    assert names == ["created", "in_progress", "output_item.added", "content_part.added", *["output_text.delta"] * 5,
                     "output_text.done", "content_part.done", "output_item.done", "completed"], names
    assert "".join(event["delta"] for name, event in seen if name.endswith("text.delta")) == TEXT
    assert seen[0][1]["response"]["output"] == [] and seen[-1][1]["response"]["output"][0]["content"][0]["text"] == TEXT
    whole = responses(base, stream=False).json()
    assert whole["status"] == "completed" and whole["usage"]["total_tokens"] == 10, whole


def responses_call_tools_and_end_otherwise(base):
    tools = [{"type": "function", "name": "weather", "parameters": TOOL}]
    seen = [json.loads(data) for _, data in responses(base, "gpt-tool", tools=tools).events()]
    pieces = [event["delta"] for event in seen if event["type"] == "response.function_call_arguments.delta"]
    assert len(pieces) > 2 and json.loads("".join(pieces)) == {"city": TEXT, "days": 1}, pieces
    call = seen[-1]["response"]["output"][0]
    items = [{"role": "user", "content": TEXT}, call, {"type": "function_call_output", "call_id": call["call_id"], "output": "sunny"}]
    assert responses(base, "gpt-tool", items, stream=False, tools=tools).json()["output"][0]["content"][0]["text"] == "sunny"
    cut = responses(base, "gpt-length", stream=False).json()
    assert cut["status"] == "incomplete" and cut["incomplete_details"] == {"reason": "max_output_tokens"}, cut
    assert responses(base, "refuse", stream=False).json()["output"][0]["content"][0]["type"] == "refusal"
    assert [name for name, _ in responses(base, "error").events()][-1] == "error"
    assert responses(base, text=[]).status == 400


def json_that_is_asked_for_is_as_its_schema_says(base):
    schema = {"$defs": {"Inner": {"type": "object", "properties": {"ok": {"type": "boolean"}}}}, "type": "object",
              "properties": {"city": TOOL["properties"]["city"], "days": {"type": "integer", "minimum": 3}, "kind": {"enum": ["a", "b"]},
                             "inner": {"$ref": "#/$defs/Inner"}, "notes": {"type": "array", "items": {"type": ["string", "null"]}, "minItems": 2}}}
    wanted = {"city": TEXT, "days": 3, "kind": "a", "inner": {"ok": True}, "notes": [TEXT, TEXT]}
    form = {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}
    assert json.loads(chat(base, stream=False, response_format=form).json()["choices"][0]["message"]["content"]) == wanted
    body = {"model": "echo", "input": TEXT, "text": {"format": {"type": "json_schema", "name": "n", "schema": schema}}}
    assert json.loads(Reply(base, "/v1/responses", body).json()["output"][0]["content"][0]["text"]) == wanted
    config = {"format": {"type": "json_schema", "schema": schema}}
    assert json.loads(messages(base, stream=False, output_config=config).json()["content"][0]["text"]) == wanted
    assert json.loads(chat(base, stream=False, response_format={"type": "json_object"}).json()["choices"][0]["message"]["content"])


def several_answers_come_side_by_side(base):
    assert [one["index"] for one in chat(base, stream=False, n=2).json()["choices"]] == [0, 1]
    seen = chunks(chat(base, n=2))
    for index in (0, 1):
        own = [chunk["choices"][0] for chunk in seen if chunk["choices"][0]["index"] == index]
        assert "".join(one["delta"].get("content") or "" for one in own) == TEXT and own[-1]["finish_reason"] == "stop", own
    assert chat(base, n=17).status == 400


def a_question_fails_twice_and_is_then_answered(base):
    for ask, status in ((chat, 503), (messages, 529), (responses, 503)):
        replies = [ask(base, "flaky", text=f"{TEXT} by {ask.__name__}", stream=False) for _ in range(3)]
        assert [reply.status for reply in replies] == [status, status, 200], [reply.status for reply in replies]
        assert replies[0].fields["retry-after-ms"] == "10", dict(replies[0].fields)


def thinking_comes_before_the_answer(base):
    thinking = {"type": "enabled", "budget_tokens": 1024}
    blocks = messages(base, stream=False, thinking=thinking).json()["content"]
    assert [block["type"] for block in blocks] == ["thinking", "text"] and blocks[0]["signature"], blocks
    seen = [json.loads(data) for _, data in messages(base, thinking=thinking).events()]
    deltas = [(one["index"], one["delta"]["type"]) for one in seen if one["type"] == "content_block_delta"]
    assert deltas == [(0, "thinking_delta")] * 8 + [(0, "signature_delta")] + [(1, "text_delta")] * 5, deltas


def prompts_embeddings_models_and_counts(base):
    body = {"model": "echo", "prompt": TEXT}
    assert Reply(base, "/v1/completions", body).json()["choices"][0]["text"] == TEXT
    words = [chunk["choices"][0]["text"] for chunk in chunks(Reply(base, "/v1/completions", {**body, "stream": True}))]
    assert "".join(words) == TEXT, words
    data = Reply(base, "/v1/embeddings", {"model": "e", "input": [TEXT, "x"], "dimensions": 3}).json()["data"]
    assert [one["index"] for one in data] == [0, 1] and all(abs(sum(x * x for x in one["embedding"]) - 1) < 1e-9 for one in data), data
    assert Reply(base, "/v1/embeddings", {"model": "e", "input": TEXT, "dimensions": 3}).json()["data"][0] == data[0]
    packed = Reply(base, "/v1/embeddings", {"model": "e", "input": TEXT, "dimensions": 3, "encoding_format": "base64"}).json()
    assert len(base64.b64decode(packed["data"][0]["embedding"])) == 12, packed
    assert Reply(base, "/v1/embeddings", {"model": "e", "input": TEXT, "dimensions": 4097}).status == 400
    assert Reply(base, "/v1/messages/count_tokens", {"model": "echo", "messages": [{"role": "user", "content": TEXT}]}).json() == {"input_tokens": 5}
    version = {"anthropic-version": "2023-06-01"}
    assert get(base, "/v1/models/gpt-x")[1]["object"] == "model" and get(base, "/v1/models/claude-x", version)[1]["type"] == "model"
    assert get(base, "/v1/models/none")[0] == 404 and get(base, "/v1/models")[1]["object"] == "list"
    assert get(base, "/v1/models", version)[1]["has_more"] is False
    assert get(base, "/nowhere")[1]["error"]["code"] is None
    assert get(base, "/nowhere", version) == (404, get(base, "/nowhere", version)[1]) and get(base, "/nowhere", version)[1]["type"] == "error"


QUESTIONS = [
    words_come_one_by_one, without_a_stream_it_is_one_object, usage_comes_at_the_end, events_of_messages_have_names,
    arguments_of_a_tool_come_in_fragments, arguments_of_messages_come_in_fragments, an_error_comes_behind_a_200,
    an_event_is_cut_in_its_middle, a_connection_is_reset, a_stream_stalls_between_words, words_come_slowly,
    a_rate_limit_says_when_to_come_again, other_failures_have_the_form_of_the_api, events_of_responses_are_numbered,
    responses_call_tools_and_end_otherwise, json_that_is_asked_for_is_as_its_schema_says, several_answers_come_side_by_side,
    a_question_fails_twice_and_is_then_answered, thinking_comes_before_the_answer, prompts_embeddings_models_and_counts,
]


# MARK: The page

def commands_of_the_page(base, page):
    """The lines of curl on the page, at this server."""
    with open(page) as file:
        blocks = re.findall(r"```sh\n(.*?)```", file.read(), re.S)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("curl ")]
    assert len(lines) == 2, lines
    for line, end in zip(lines, ("data: [DONE]", 'data: {"type":"message_stop"}')):
        command = line.replace("http://127.0.0.1:8088", base.rstrip("/"))
        assert command != line, "the page has another address"
        out = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=60)
        assert out.returncode == 0 and out.stdout.strip().splitlines()[-1].replace(", ", ",").replace(": {", ": {") == end, (
            out.stdout[-300:], out.stderr)


def late_word_of_the_page(base):
    first = chat(base, "m")
    assert first.status == 429 and first.fields["Retry-After"] == "1"
    first.json()
    reply = chat(base, "m")
    times = []
    words = []
    for _, data in reply.events():
        times.append(time.monotonic())
        words.append(data if data == "[DONE]" else json.loads(data)["choices"][0]["delta"]["content"])
    assert words == ["Hello", " you", "[DONE]"], words
    assert times[1] - times[0] >= 1.9, times


def main():
    base, second = sys.argv[1:]
    tests = [late_word_of_the_page] if second == "--late" else [*QUESTIONS, commands_of_the_page]
    failures = 0
    for test in tests:
        try:
            test(*([base, second] if test is commands_of_the_page else [base]))
        except (AssertionError, OSError, ValueError, LookupError, http.client.HTTPException) as error:
            failures += 1
            print(f"{test.__name__}: {type(error).__name__}: {error}")
    print(f"{len(tests)} questions, {failures} wrong answers")
    return 1 if failures else 0


if __name__ == "__main__":
    socket.setdefaulttimeout(20)
    sys.exit(main())
