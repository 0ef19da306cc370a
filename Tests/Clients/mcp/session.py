#!/usr/bin/env python3
"""A session with `proctor mcp` by the Python SDK of the Model Context Protocol, as a coding agent holds it.

    session.py MODE FOLDER COMMAND …    MODE is auto (the newest protocol) or legacy (with a handshake); COMMAND starts the server,
                                        which writes scenarios into FOLDER; exits 1 and says which step went otherwise
"""
import asyncio
import pathlib
import re
import sys
import time

import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

SCENARIO = """summary: A page with a name
exchanges: [{ request: GET /name, reply: { status: 200, body: "Ann\\n" } }]
cases: { name: { client: { url: /name }, wire: request(GET /name), facts: { body: "Ann\\n" } } }
"""
LOAD = "import sys, urllib.request as u; sys.stdout.buffer.write(u.urlopen(sys.argv[1]).read())"
VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}

faults = []


def expect(what, is_so, seen):
    if not is_so:
        faults.append(f"{what}\n    {str(seen)[:1500]}")


def text(result):
    return "\n".join(block.text for block in result.content)


async def tools(client, mode):
    expect("the version is the newest of the mode", client.protocol_version == VERSIONS[mode], client.protocol_version)
    expect("the server tells its name", client.server_info.name == "proctor", client.server_info)
    listed = (await client.list_tools()).tools
    names = {tool.name for tool in listed}
    expect("the tools are there", {"search_scenarios", "run_command", "judge_run", "explain"} <= names, names)
    expect("each has a schema of an object", all(tool.input_schema["type"] == "object" for tool in listed), listed)

    found = await client.call_tool("search_scenarios", {"words": "302 POST becomes GET"})
    expect("a scenario is found", "redirect/302-post-becomes-get" in text(found), text(found))
    read = await client.call_tool("read_scenario", {"id": "redirect/302-post-becomes-get"})
    expect("its YAML is read", "exchanges:" in text(read) and "case follow" in text(read), text(read))
    families = await client.call_tool("list_scenarios")
    expect("families are counted", re.search(r"^redirect: \d+ scenarios$", text(families), re.M), text(families))

    wrong = await client.call_tool("check_scenario", {"text": "sumary: A"})
    expect("a mistake has its line", "did you mean \"summary\"" in text(wrong), text(wrong))
    refused = await client.call_tool("read_scenario", {"id": "redirect/302-post-becomes-gett"})
    expect("an unknown id is an error of the tool", refused.is_error and "did you mean" in text(refused), refused)
    unknown = await client.call_tool("read_scenario", {"idd": "a"})
    expect("an unknown argument too", unknown.is_error and "did you mean 'id'?" in text(unknown), unknown)
    try:
        await client.call_tool("read_scenarios", {})
        expect("an unknown tool is an error of the protocol", False, "no error came")
    except MCPError as error:
        expect("an unknown tool is an error of the protocol", error.code == types.INVALID_PARAMS, error)


async def runs(client, folder):
    put = await client.call_tool("put_scenario", {"id": "mine/name", "text": SCENARIO})
    expect("a scenario is served and written", not put.is_error and "written to" in text(put), text(put))
    expect("its file has its text", (folder / "mine/name.yaml").read_text() == SCENARIO, put)
    again = await client.call_tool("put_scenario", {"id": "mine/name", "text": SCENARIO.replace("Ann", "Eve")})
    expect("it is replaced", not again.is_error and "Eve" in (folder / "mine/name.yaml").read_text(), text(again))
    taken = await client.call_tool("put_scenario", {"id": "kept/name", "text": SCENARIO})
    expect("a file that was there stays", taken.is_error and (folder / "kept/name.yaml").read_text() == "mine\n", text(taken))

    good = await client.call_tool(
        "run_command", {"command": [sys.executable, "-c", LOAD, "{{url}}"], "id": "mine/name", "case": "name"})
    expect("a command passes", text(good).startswith("pass") and "GET /name" in text(good), text(good))
    bad = await client.call_tool(
        "run_command", {"command": [sys.executable, "-c", LOAD, "{{base}}/nome"], "text": SCENARIO})
    expect("one that asks for something else fails", "\nfail: " in text(bad) and "/nome" in text(bad), text(bad))
    none = await client.call_tool("run_command", {"command": ["no-such-program", "{{base}}"], "id": "mine/name"})
    expect("a program that is not there is told", none.is_error and "no-such-program" in text(none), text(none))

    made = await client.call_tool("make_run", {"id": "mine/name"})
    run = re.search(r"^run (r\d+) of mine/name$", text(made), re.M)
    base = re.search(r"the client asks GET (http://\S+)", text(made))
    expect("a run says what to ask", run and base, text(made))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", LOAD, base.group(1), stdout=asyncio.subprocess.PIPE)
    body = (await process.communicate())[0].decode()
    judged = await client.call_tool(
        "judge_run", {"run": run.group(1), "case": "name", "status": 200, "body": body})
    expect("what the client made of the reply is judged", text(judged).startswith("pass"), text(judged))
    false = await client.call_tool("judge_run", {"run": run.group(1), "case": "name", "status": 200, "body": "Bob\n"})
    expect("another body is a failure", "\nfail: mine/name#name" in text(false), text(false))
    journal = await client.call_tool("read_journal", {"run": run.group(1), "limit": 3})
    expect("the journal has lines of JSON", '"ev":"requestHead"' in text(journal), text(journal))


async def documents(client):
    rule = await client.call_tool("explain", {"subject": "R12"})
    expect("a rule is explained", text(rule).startswith("R12"), text(rule))
    case = await client.call_tool("explain", {"subject": "redirect/302-post-becomes-get#follow"})
    expect("a case tells its section", "RFC 9110" in text(case), text(case))
    words = await client.call_tool("explain", {"subject": "time-out of a client"})
    expect("words are found in the book", "page " in text(words), text(words))
    listed = (await client.list_resources()).resources
    page = "proctor://book/format/effects"
    expect("the pages of the book are listed", page in [item.uri for item in listed], [item.uri for item in listed])
    document = await client.read_resource(page)
    expect("a page is Markdown", document.contents[0].text.startswith("# "), document)
    templates = (await client.list_resource_templates()).resource_templates
    expect("scenarios have a template", templates[0].uri_template == "proctor://scenario/{+id}", templates)
    scenario = await client.read_resource("proctor://scenario/redirect/302-post-becomes-get")
    expect("a scenario is a document", "exchanges:" in scenario.contents[0].text, scenario)
    try:
        await client.read_resource("proctor://book/no/such/page")
        expect("an unknown page is an error", False, "no error came")
    except MCPError as error:
        expect("an unknown page is an error", "no resource" in str(error), error)


async def main(mode, folder, command):
    (folder / "kept").mkdir(parents=True)
    (folder / "kept/name.yaml").write_text("mine\n")
    server = StdioServerParameters(command=command[0], args=[*command[1:], "--write", str(folder)])
    async with Client(stdio_client(server), mode=mode) as client:
        await tools(client, mode)
        await runs(client, folder)
        await documents(client)
        began = time.monotonic()
    # The SDK waits 2 s for an end before it sends a signal.
    expect("the server ends with its input", time.monotonic() - began < 2, time.monotonic() - began)


asyncio.run(main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]))
print(f"{len(faults)} steps went otherwise")
print("\n".join(faults))
sys.exit(bool(faults))
