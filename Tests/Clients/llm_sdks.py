#!/usr/bin/env python3
"""Has the SDKs of two language models, openai and anthropic of PyPI, hold whole conversations with the pack `llm`.

    llm_sdks.py PROGRAM FOLDER      PROGRAM is proctor; FOLDER keeps the packages, which are installed once

Exits 1 where an answer is not the one that is wanted.
"""
import json
import pathlib
import subprocess
import sys
import venv

PINNED = ["openai==3.57.0", "anthropic==2.14.0", "httpx2==2.16.2", "pydantic==2.14.4"]
TEXT = "Five words are said here"
TOOL = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def questions(base):
    """(name, what is asked, what is wanted); an error is its class and its status."""
    import anthropic
    import openai
    from pydantic import BaseModel

    class Inner(BaseModel):
        ok: bool
        kind: str | None

    class City(BaseModel):
        name: str
        days: int
        tags: list[str]
        inner: Inner

    city = City(name=TEXT, days=1, tags=[TEXT], inner=Inner(ok=True, kind=TEXT))
    first = openai.OpenAI(api_key="k", base_url=f"{base}/v1", max_retries=3)
    once = openai.OpenAI(api_key="k", base_url=f"{base}/v1", max_retries=0)
    second = anthropic.Anthropic(api_key="k", base_url=base, max_retries=3)
    hasty = anthropic.Anthropic(api_key="k", base_url=base, max_retries=0)
    asked = [{"role": "user", "content": TEXT}]
    chat, responses, messages = first.chat.completions, first.responses, second.messages

    def choices(**more):
        texts = {}
        for chunk in chat.create(model="echo", messages=asked, stream=True, stream_options={"include_usage": True}, **more):
            for choice in chunk.choices:
                texts[choice.index] = texts.get(choice.index, "") + (choice.delta.content or "")
            if chunk.usage:
                texts["usage"] = chunk.usage.completion_tokens
        return texts

    def call_of_chat():
        tools = [{"type": "function", "function": {"name": "weather", "parameters": TOOL}}]
        with chat.stream(model="tool", messages=asked, tools=tools) as stream:
            said = stream.until_done().get_final_completion().choices[0].message
        call = said.tool_calls[0]
        result = {"role": "tool", "tool_call_id": call.id, "content": "sunny"}
        whole = chat.create(model="tool", tools=tools, messages=[*asked, said.model_dump(exclude={"parsed"}), result])
        return call.function.name, json.loads(call.function.arguments), whole.choices[0].message.content

    def call_of_responses():
        tools = [{"type": "function", "name": "weather", "parameters": TOOL}]
        with responses.stream(model="tool", input=TEXT, tools=tools) as stream:
            call = stream.until_done().get_final_response().output[0]
        result = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}
        return call.name, json.loads(call.arguments), responses.create(model="tool", tools=tools, input=[*asked, call, result]).output_text

    def call_of_messages():
        tools = [{"name": "weather", "input_schema": TOOL}]
        with messages.stream(model="tool", max_tokens=99, messages=asked, tools=tools) as stream:
            said = stream.get_final_message()
        call = said.content[0]
        result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": "sunny"}]}
        last = messages.create(model="tool", max_tokens=99, tools=tools, messages=[*asked, {"role": "assistant", "content": said.content}, result])
        return call.name, call.input, last.content[0].text

    def streamed(**more):
        with messages.stream(model="echo", max_tokens=2000, messages=asked, **more) as stream:
            return [(block.type, block.text if block.type == "text" else block.thinking) for block in stream.get_final_message().content]

    def streamed_responses(model="echo"):
        with responses.stream(model=model, input=TEXT) as stream:
            return stream.until_done().get_final_response().output_text

    called = ("weather", {"city": TEXT}, "sunny")
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
    return [
        ("chat", lambda: chat.create(model="echo", messages=asked).choices[0].message.content, TEXT),
        ("chat, streamed, two answers", lambda: choices(n=2), {0: TEXT, 1: TEXT, "usage": 10}),
        ("chat, a tool", call_of_chat, called),
        ("chat, a model of pydantic", lambda: chat.parse(model="echo", messages=asked, response_format=City).choices[0].message.parsed, city),
        ("chat, fails twice", lambda: chat.create(model="flaky", messages=asked).choices[0].message.content, TEXT),
        ("completions", lambda: "".join(one.choices[0].text for one in first.completions.create(model="echo", prompt=TEXT, stream=True)), TEXT),
        ("responses", lambda: responses.create(model="echo", input=TEXT).output_text, TEXT),
        ("responses, streamed", streamed_responses, TEXT),
        ("responses, a tool", call_of_responses, called),
        ("responses, a model of pydantic", lambda: responses.parse(model="echo", input=TEXT, text_format=City).output_parsed, city),
        ("responses, fails twice", lambda: responses.create(model="flaky", input=TEXT).output_text, TEXT),
        ("responses, cut", lambda: responses.create(model="length", input=TEXT).incomplete_details.reason, "max_output_tokens"),
        ("models", lambda: "flaky" in [one.id for one in first.models.list()] and first.models.retrieve("gpt-x").id, "gpt-x"),
        ("no model", lambda: first.models.retrieve("none"), ("NotFoundError", 404)),
        ("embeddings", lambda: [len(one.embedding) for one in first.embeddings.create(model="e", input=[TEXT, "x"], dimensions=5).data], [5, 5]),
        ("a rate limit", lambda: once.responses.create(model="rate-limit", input=TEXT), ("RateLimitError", 429)),
        ("no end point", lambda: first.get("/nowhere", cast_to=object), ("NotFoundError", 404)),
        ("messages", lambda: messages.create(model="echo", max_tokens=99, messages=asked).content[0].text, TEXT),
        ("messages, thinking", lambda: [kind for kind, _ in streamed(**thinking)], ["thinking", "text"]),
        ("messages, streamed", streamed, [("text", TEXT)]),
        ("messages, a tool", call_of_messages, called),
        ("messages, a model of pydantic", lambda: messages.parse(model="echo", max_tokens=99, messages=asked, output_format=City).parsed_output, city),
        ("messages, fails twice", lambda: messages.create(model="flaky", max_tokens=99, messages=asked).content[0].text, TEXT),
        ("messages, counted", lambda: messages.count_tokens(model="echo", messages=asked).input_tokens, 5),
        ("models of messages", lambda: ("flaky" in [one.id for one in second.models.list()], second.models.retrieve("c").type), (True, "model")),
        ("no model of messages", lambda: second.models.retrieve("none"), ("NotFoundError", 404)),
        ("overloaded", lambda: hasty.messages.create(model="overloaded", max_tokens=9, messages=asked), ("OverloadedError", 529)),
        ("refused", lambda: messages.create(model="refuse", max_tokens=9, messages=asked).stop_reason, "refusal"),
    ]


def ask(base):
    wrong = 0
    asked = questions(base)
    for name, question, wanted in asked:
        try:
            came = question()
        except Exception as error:  # noqa: BLE001 -- an error is an answer
            came = (type(error).__name__, getattr(error, "status_code", str(error)))
        if came != wanted:
            wrong += 1
            print(f"{name}: wanted {wanted!r}, got {came!r}")
    print(f"{len(asked)} questions, {wrong} wrong answers")
    return 1 if wrong else 0


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--ask":
        return ask(sys.argv[2])
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    mark = folder / "-".join(PINNED).replace("==", "-")
    if not mark.exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([folder / "bin/pip", "install", "-q", "--disable-pip-version-check", *PINNED], check=True)
        mark.touch()
    server = subprocess.Popen([program, "serve", "--pack", "llm", "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        base = json.loads(server.stdout.readline())["base"]
        return subprocess.run([folder / "bin/python", __file__, "--ask", base], timeout=300, check=False).returncode
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    sys.exit(main())
