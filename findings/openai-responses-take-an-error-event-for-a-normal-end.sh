#!/usr/bin/env bash
# openai 3.57.0 (PyPI) and an error in a stream behind a status 200: {"error": …} of chat completions, and the event `error` of responses.
#
# Guess before the run: both APIs raise openai.APIError with the message of the server, since both streams are read by one class.
# Seen: chat completions do. `responses.create(stream=True)` hands the event over as any other and ends without an error; the helper
# `responses.stream()` raises a RuntimeError, which is no openai.OpenAIError, that no `response.completed` came, and the server's message is lost.
#
# Installs the packages into a temporary environment; replies come from a transport in the process. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check openai==3.57.0 httpx2==2.16.2
cat >"$folder/try.py" <<'END'
import json
import httpx2
import openai

RESPONSE = {"id": "r", "object": "response", "created_at": 0, "status": "in_progress", "model": "m", "output": [], "tools": [],
            "parallel_tool_calls": True, "tool_choice": "auto"}


def reply(request):
    if request.url.path.endswith("completions"):
        events = [json.dumps({"error": {"message": "out of order", "type": "server_error", "code": None, "param": None}})]
        text = "".join(f"data: {event}\n\n" for event in events)
    else:
        events = [{"type": "response.created", "sequence_number": 0, "response": RESPONSE},
                  {"type": "error", "sequence_number": 1, "code": "server_error", "message": "out of order", "param": None}]
        text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, content=text)


client = openai.OpenAI(api_key="k", max_retries=0, http_client=httpx2.Client(transport=httpx2.MockTransport(reply)))


def helper():
    with client.responses.stream(model="m", input="a") as stream:
        return stream.until_done().get_final_response()


for name, ask in {
    "chat": lambda: list(client.chat.completions.create(model="m", messages=[{"role": "user", "content": "a"}], stream=True)),
    "responses": lambda: [event.type for event in client.responses.create(model="m", input="a", stream=True)],
    "helper": helper,
}.items():
    try:
        print(name, ask())
    except Exception as error:
        print(name, type(error).__name__, isinstance(error, openai.OpenAIError), "out of order" in str(error))
END
seen=$("$folder/python/bin/python3" "$folder/try.py")
echo "$seen"
[[ $seen == $'chat APIError True True\nresponses [\'response.created\', \'error\']\nhelper RuntimeError False False' ]] \
    || { echo "this is not what was seen before" >&2; exit 1; }
