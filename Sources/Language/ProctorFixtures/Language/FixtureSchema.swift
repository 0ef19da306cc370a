import ProctorDocument
import ProctorScenario

/// The JSON Schema of fixtures, generated from the tables of the language.
package enum FixtureSchema {
    /// The content of fixtures/scenario.schema.json.
    package static var text: String { root.text() + "\n" }

    private static var root: Schema {
        let head: Schema = [
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$id": "https://proctor.invalid/scenario.schema.json",
            "title": "Proctor scenario",
            "description": """
            One fixture file: what a server sends, what a client is told to do, and what must be seen. \
            The pages in Docs/format explain it by example.
            """,
        ]
        return head.adding(ScenarioReader.table.schema)
            .adding(["definitions": .object(definitions.map { (key: $0.0, value: $0.1) })])
    }

    /// The definitions that other parts of the schema refer to.
    private static var definitions: [(String, Schema)] {
        scalars + exchanges + fields + ScenarioReader.webSocket.definitions + bodies
            + ScenarioReader.eventStream.definitions + codings + guards + cases
    }

    private static let scalars: [(String, Schema)] = [
        ("text", Schema.scalar([:]).described("Text; what looks like a number or a boolean is text here too.")),
        ("nonEmptyText", .scalar(["minLength": 1])),
        ("identifier", ["pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$"]),
        (
            "hostName",
            [
                "description": """
                A reserved name: example.org, example.com or example.net, or anything below them or below \
                .test, .example, .invalid or .localhost.
                """,
                "type": "string", "maxLength": 253,
                "pattern": """
                ^(([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)*[Ee][Xx][Aa][Mm][Pp][Ll][Ee]\\.([Oo][Rr][Gg]|\
                [Cc][Oo][Mm]|[Nn][Ee][Tt])|\
                ([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+([Tt][Ee][Ss][Tt]|\
                [Ee][Xx][Aa][Mm][Pp][Ll][Ee]|[Ii][Nn][Vv][Aa][Ll][Ii][Dd]|\
                [Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]))$
                """,
            ]
        ),
        ("delay", ["type": "string", "pattern": .text("^\(DurationText.pattern)$")]),
        ("headText", headText.described("Text that stands in a field of a head.")),
        (
            "token68",
            Schema.scalar([
                "pattern": "^[A-Za-z0-9._~+/-]+=*$", "maxLength": .integer(ScenarioReader.guardTextByteCount),
            ]).described("Letters, digits and -._~+/, with = at its end only.")
        ),
        (
            "reportedEvent",
            Schema.words(ScenarioReader.reportedEvents)
                .described("An event that the client reports, in the words of the expressions.")
        ),
    ]

    private static let headText = Schema.line.adding(["maxLength": .integer(ScenarioReader.guardTextByteCount)])

    private static let exchanges: [(String, Schema)] = [
        ("origin", ScenarioReader.originTable.schema(type: ["object", "null"])),
        ("tls", ScenarioReader.tlsTable.schema),
        ("exchange", RowTables.schema(or: ScenarioReader.exchangeTable.schema)),
        ("request", ScenarioReader.requestSchema),
        ("reply", ["anyOf": [.number(Bounds.status), ownReply(or: ["choose", "script"], not: ["weight"])]]),
        ("chosenReply", ["anyOf": [.number(Bounds.status), ownReply(or: ["script"], not: ["choose"])]]),
        ("anyReply", ScenarioReader.replyTable.schema),
        ("do", ScenarioReader.doSchema),
        (
            "inlineEffect",
            ScenarioReader.inlineEffectTable.schema.described("An effect that stands where it is played.")
        ),
    ]

    /// A reply of an exchange, with at least one of the keys that are enough for a reply.
    private static func ownReply(or more: [String], not forbidden: [String]) -> Schema {
        [
            "allOf": [.ref("anyReply")],
            "anyOf": .list(
                (["status", "events", "websocket", "raw", "socks", "effects", "forward"] + more).map {
                    ["required": [.text($0)]]
                }),
            "not": ["anyOf": .list(forbidden.map { ["required": [.text($0)]] })],
            "dependencies": Schema.object(
                ofMessages.map { (key: $0, value: ["anyOf": .requiring("status", "events", "websocket")]) }
            ).adding([
                "honours": ["required": ["status"], "properties": ["status": ["const": 200]]],
                "slice": ["anyOf": .requiring("status", "events", "websocket", "raw", "socks")],
                "unsatisfiable": ["status"],
                "opaque": [
                    "anyOf": [
                        [
                            "required": ["status"],
                            "properties": [
                                "status": ["anyOf": [["const": 101], ["minimum": 200, "maximum": 299]]]
                            ], "not": ["required": ["tunnel"]],
                        ], ["required": ["raw"]],
                    ]
                ],
            ]),
        ]
    }

    /// Keys that stand beside `status`, or beside `events`, which has one by itself.
    private static let ofMessages = [
        "reason", "version", "headers", "body", "trailers", "interim", "framing", "coding", "pace",
    ]

    private static let fields: [(String, Schema)] = [
        (
            "fields",
            [
                "oneOf": [
                    [
                        "type": "object", "propertyNames": ["pattern": "^[^\\r\\n]+$"], "maxProperties": 1000,
                        "additionalProperties": .ref("fieldValue"),
                    ],
                    [
                        "type": "array", "maxItems": 1000,
                        "items": [
                            "type": "object", "minProperties": 1, "maxProperties": 1,
                            "propertyNames": ["pattern": "^[^\\r\\n]+$"], "additionalProperties": .ref("fieldValue"),
                        ],
                    ],
                ]
            ]
        ),
        ("fieldValue", ["oneOf": [.ref("fieldLine"), ["type": "array", "items": .ref("fieldLine"), "minItems": 1]]]),
        (
            "fieldLine",
            [
                "description":
                    "Text, or bytes in another form, made when the file is loaded: { repeat: a, bytes: 40960 }.",
                "allOf": [.ref("bytes")],
            ]
        ),
    ]

    private static let bodies: [(String, Schema)] = [
        ("bytes", ScenarioReader.bytesSchema),
        ("condition", ScenarioReader.conditionSchema),
        ("requestConditions", ScenarioReader.requestConditionTable.schema),
        (
            "pieces",
            [
                "anyOf": [
                    .ref("bytes"),
                    .items(
                        ["oneOf": [.ref("bytes"), .ref("inlineEffect")]],
                        ["maxItems": .integer(Bounds.chunks), "minItems": 1]),
                ]
            ]
        ),
        ("multipart", ScenarioReader.multipartTable.schema),
        ("madeBody", ScenarioReader.madeBodySchema),
    ]

    private static let codings: [(String, Schema)] = [
        ("slice", ScenarioReader.sliceSchema),
        ("coding", ScenarioReader.codingSchema),
        ("codingSteps", ScenarioReader.codingStepsSchema),
        ("codingStep", ScenarioReader.codingStepSchema),
        ("gzipOptions", ScenarioReader.gzipTable.schema(type: ["object", "null"])),
    ]

    private static let guards: [(String, Schema)] = [
        (
            "auth",
            [
                "oneOf": [
                    [
                        "description": "The name of a guard, or none.", "type": ["string", "boolean"],
                        "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
                    ], .ref("guard"),
                    [
                        "type": "array", "minItems": 1, "maxItems": 64,
                        "items": [
                            "oneOf": [
                                [
                                    "type": ["string", "boolean"], "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
                                    "not": ["const": "none"],
                                ], .ref("guard"),
                            ]
                        ],
                    ],
                ]
            ]
        ),
        ("guard", ScenarioReader.guardTable.schema),
        ("guardToken", ["oneOf": [.ref("token68"), ScenarioReader.tokenTable.schema]]),
        ("guardScheme", ScenarioReader.schemeSchema),
        (
            "scopes",
            Schema.oneOrMore(
                .scalar(["pattern": "^[!#-\\[\\]-~]+( [!#-\\[\\]-~]+)*$"]),
                ["maxItems": .integer(ScenarioReader.scopeBound)]
            ).described("Scopes of RFC 6750: one text with spaces between them, or a list.")
        ),
        (
            "refusal",
            [
                "description": "A reply of a guard; its status is 401, or 407 for a proxy, when left out.",
                "allOf": [.ref("anyReply")],
                "not": ["anyOf": .requiring("raw", "socks", "forward", "tunnel", "sets", "choose", "weight", "script")],
                "dependencies": ["honours": ["required": ["status"], "properties": ["status": ["const": 200]]]],
            ]
        ),
        (
            "lastReply",
            [
                "description": "A reply of a guard that asks no more; its status is 403 when left out.",
                "allOf": [.ref("anyReply")],
                "not": ["anyOf": .requiring("socks", "forward", "tunnel", "sets", "choose", "weight", "script")],
                "dependencies": ["honours": ["required": ["status"], "properties": ["status": ["const": 200]]]],
            ]
        ),
    ]

    private static let cases: [(String, Schema)] = [
        ("case", RowTables.schema(or: ScenarioReader.caseTable.schema)),
        ("facts", ScenarioReader.factsSchema),
        ("client", ScenarioReader.clientTable.schema),
        ("url", ScenarioReader.urlSchema),
        ("redirectAnswer", ScenarioReader.redirectAnswerSchema),
        ("willCacheAnswer", ScenarioReader.willCacheAnswerSchema),
        ("actByHand", ScenarioReader.actByHandSchema),
        ("challengeAnswer", ScenarioReader.challengeAnswerSchema),
        ("credential", ScenarioReader.credentialSchema),
        ("eventMoment", MomentReader.schema),
        ("protocolCall", ScenarioReader.protocolCallSchema),
        ("conversationAct", ScenarioReader.conversationActSchema),
        ("schedule", ScenarioReader.scheduleTable.schema),
        ("fetchOptions", ScenarioReader.fetchOptionsTable.schema),
        ("sessionSetup", ScenarioReader.sessionTable.schema),
        ("protocolClass", ScenarioReader.protocolClassTable.schema),
    ]
}
