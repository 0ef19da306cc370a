#!/usr/bin/env python3
"""Writes kinds-3.0.md and kinds-3.1.md: every kind of schema at every place of text, with right and wrong texts."""

import pathlib

AROUND = '''openapi: %s
paths:
  /q: { get: { parameters: [{ name: p, in: query, schema: { $ref: "#/components/schemas/S" } }], responses: {} } }
  /many: { get: { parameters: [{ name: p, in: query, schema: { $ref: "#/components/schemas/List" } }], responses: {} } }
  /joined: { get: { parameters: [{ name: p, in: query, explode: false, schema: { $ref: "#/components/schemas/List" } }], responses: {} } }
  /spread: { get: { parameters: [{ name: p, in: query, schema: { $ref: "#/components/schemas/Object" } }], responses: {} } }
  /others: { get: { parameters: [{ name: p, in: query, schema: { $ref: "#/components/schemas/Others" } }], responses: {} } }
  /flat: { get: { parameters: [{ name: p, in: query, explode: false, schema: { $ref: "#/components/schemas/Object" } }], responses: {} } }
  /deep: { get: { parameters: [{ name: p, in: query, style: deepObject, schema: { $ref: "#/components/schemas/Object" } }], responses: {} } }
  /path/{p}: { get: { parameters: [{ name: p, in: path, required: true, schema: { $ref: "#/components/schemas/S" } }], responses: {} } }
  /list/{p}: { get: { parameters: [{ name: p, in: path, required: true, schema: { $ref: "#/components/schemas/List" } }], responses: {} } }
  /matrix/{p}: { get: { parameters: [{ name: p, in: path, required: true, style: matrix, schema: { $ref: "#/components/schemas/S" } }], responses: {} } }
  /label/{p}: { get: { parameters: [{ name: p, in: path, required: true, style: label, schema: { $ref: "#/components/schemas/S" } }], responses: {} } }
  /field: { get: { parameters: [{ name: p, in: header, schema: { $ref: "#/components/schemas/S" } }], responses: {} } }
  /cookie: { get: { parameters: [{ name: p, in: cookie, schema: { $ref: "#/components/schemas/S" } }], responses: {} } }
  /body:
    post:
      requestBody:
        content:
          application/x-www-form-urlencoded: { schema: { $ref: "#/components/schemas/Object" } }
          multipart/form-data: { schema: { $ref: "#/components/schemas/Object" } }
          text/plain: { schema: { $ref: "#/components/schemas/S" } }
      responses: {}
components:
  schemas:
    S: $(schema)
    Int: { type: integer%s }
    List: { allOf: [{ description: x }, { type: array, items: { $ref: "#/components/schemas/S" } }] }
    Object:
      allOf:
        - { type: object }
        - { properties: { a: { $ref: "#/components/schemas/S" }, l: { $ref: "#/components/schemas/List" } } }
    Others: { type: object, additionalProperties: { $ref: "#/components/schemas/S" } }
---
$(given)'''

# A schema with texts that are right and texts that are wrong by JSON Schema.
BOTH = [
    ("A type", "{ type: integer }", ["5", "-5"], ["x", "1.5"]),
    ("A reference", '{ $ref: "#/components/schemas/Int" }', ["5"], ["x"]),
    ("The first of allOf", "{ allOf: [{ type: integer }, { minimum: 2 }] }", ["5"], ["x", "1"]),
    ("A later one of allOf", '{ allOf: [{ minimum: 2 }, { $ref: "#/components/schemas/Int" }] }', ["5"], ["x", "1"]),
    ("allOf in allOf", "{ allOf: [{ allOf: [{ title: x }] }, { allOf: [{}, { type: integer }] }] }", ["5"], ["x"]),
    ("allOf beside anyOf", "{ anyOf: [{ maximum: 9 }], allOf: [{ type: integer }] }", ["5"], ["x", "10"]),
    ("A later one of anyOf", "{ anyOf: [{ type: boolean }, { type: integer }] }", ["5", "true"], ["x"]),
    ("A later one of oneOf", "{ oneOf: [{ type: string, pattern: \"^a\" }, { type: integer }] }", ["5", "ab"], ["x"]),
    ("A text that only looks like a number", "{ allOf: [{ minLength: 1 }, { type: string }] }", ["5", "true", "x"], []),
    ("A number or a text", "{ oneOf: [{ type: integer, maximum: 3 }, { type: string, minLength: 2 }] }", ["3", "10", "xx"], ["x", "5"]),
    ("A number of an enum", "{ enum: [5, 6] }", ["5"], ["x", "7"]),
    ("An enum of numbers and texts", '{ enum: ["5", 6, true] }', ["5", "6", "true"], ["x", "7"]),
        ("Nothing is said", "{ description: x }", ["5", "x"], []),
]
NEW = [
    ("Several types", "{ type: [integer, 'null'] }", ["5", "null"], ["x"]),
    ("Anything but a text", "{ not: { type: [string, array, object] } }", ["5", "true"], ["x"]),
    ("A constant", "{ const: 5 }", ["5"], ["x", "6"]),
    ("A type beside a reference", '{ $ref: "#/components/schemas/Int", minimum: 2 }', ["5"], ["x", "1"]),
    ("A dynamic reference", '{ $dynamicRef: "#int" }', ["5"], ["x"]),
    ("A condition", "{ if: { minimum: 3 }, then: { type: integer }, else: { type: boolean } }", ["5"], ["x", "1"]),
]
OLD = [
    ("nullable beside a type", "{ type: integer, nullable: true }", ["5", "null"], ["x"]),
    ("nullable beside allOf", '{ nullable: true, allOf: [{ $ref: "#/components/schemas/Int" }] }', ["5", "null"], ["x"]),
    ("nullable beside oneOf", "{ oneOf: [{ type: integer }, { type: boolean }], nullable: true }", ["5", "true", "null"], ["x"]),
]


def messages(text):
    part = '--b\\r\\nContent-Disposition: form-data; name="%s"\\r\\n\\r\\n' + text + "\\r\\n"
    form = "POST /body | Content-Type: application/x-www-form-urlencoded | body "
    return [
        (f"GET /q?p={text}", "query parameter p"),
        (f"GET /many?p={text}&p={text}", "query parameter p /0"),
        (f"GET /many?p={text}", "query parameter p /0"),
        (f"GET /joined?p={text},{text}", "query parameter p /0"),
        (f"GET /spread?a={text}", "query parameter p /a"),
        (f"GET /spread?l={text}", "query parameter p /l/0"),
        (f"GET /others?any={text}", "query parameter p /any"),
        (f"GET /flat?p=a,{text}", "query parameter p /a"),
        (f"GET /deep?p[a]={text}", "query parameter p /a"),
        (f"GET /deep?p%5Bl%5D={text}&p[l]={text}", "query parameter p /l/0"),
        (f"GET /path/{text}", "path parameter p"),
        (f"GET /list/{text},{text}", "path parameter p /0"),
        (f"GET /matrix/;p={text}", "path parameter p"),
        (f"GET /label/.{text}", "path parameter p"),
        (f"GET /field | p: {text}", "field p"),
        (f"GET /cookie | Cookie: p={text}", "cookie parameter p"),
        (f"{form}a={text}", "body /a"),
        (f"{form}l={text}&l={text}", "body /l/0"),
        (f"POST /body | Content-Type: multipart/form-data; boundary=b | body {part % 'a'}{part % 'l'}--b--\\r\\n", "body /a"),
        (f"POST /body | Content-Type: text/plain | body {text}", "body"),
    ]


def page(version, anchor, kinds):
    yield f"# A text is read by its whole schema, wherever what says its type stands, in OpenAPI {version[:3]}\n"
    yield "`make-kinds.py` beside this page makes it: right texts fit at every place of a message, wrong ones at none.\n"
    yield "```around\n" + AROUND % (version, anchor) + "\n```\n"
    for name, schema, right, wrong in kinds:
        yield f"## {name}\n"
        yield "```slow\nThere are twenty places, each with a description around it.\n```"
        yield "```cases described"
        for text in right:
            for message, _ in messages(text):
                yield f"{schema} <- {message} => fits"
        for text in wrong:
            for message, part in messages(text):
                faults = [part]
                if "multipart" in message:
                    faults.append("body /l/0")
                elif "&p" in message or f"{text},{text}" in message or "&l" in message:
                    faults.append(part[:-1] + "1")
                yield f"{schema} <- {message} => " + "; ".join(f"{fault}: wanted …" for fault in faults)
        yield "```\n"


for version, anchor, kinds in (("3.1.0", ", $dynamicAnchor: int", BOTH + NEW), ("3.0.3", "", BOTH[:6] + OLD)):
    path = pathlib.Path(__file__).with_name(f"kinds-{version[:3]}.md")
    path.write_text("\n".join(page(version, anchor, kinds)).rstrip("\n") + "\n")
