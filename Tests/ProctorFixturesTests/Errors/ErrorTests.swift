import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct ErrorTests {
    @Test(arguments: ErrorRow.all)
    func `each mistake is told with its place, what was expected and what to do`(row: ErrorRow) throws {
        let folder = try TestFolder()
        let found = messages(row.yaml, folder: folder.path).map {
            $0.replacing(folder.path, with: "$FOLDER")
        }
        #expect(found == row.messages)
    }

    @Test func `a file with fifty mistakes reports fifty`() {
        var yaml = "summary: s\nexchanges:\n"
        for index in 0..<50 { yaml += "  - { request: GET /\(index), reply: { status: 200, colour: red } }\n" }
        let found = messages(yaml)
        #expect(found.count == 50)
        for (index, message) in found.enumerated() {
            #expect(message.hasPrefix("\(index + 3):\(index < 10 ? 46 : 47) unknown key \"colour\" in a reply"))
        }
    }

    @Test func `reading stops after a hundred mistakes, and says so`() {
        var yaml = "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200, headers:\n"
        yaml += "[" + String(repeating: "a,", count: 1005) + "] } }]\n"
        let found = messages(yaml)
        #expect(found.count == 101)
        #expect(
            found.last
                == "reading stops after 100 mistakes, so the rest of the file was not looked at; mend these first")
    }

    @Test func `the errors of all files are reported at once, by file`() throws {
        let folder = try TestFolder()
        try folder.write("summary: [\n", to: "b/broken.yaml")
        try folder.write("summary: s\n", to: "a.yaml")
        try folder.write("summary: s\nexchanges: [{ request: GET /, reply: { status: 200 } }]\n", to: "good.yaml")
        try folder.write("", to: "empty.yml")
        let result = ScenarioLoader.load(paths: [folder.path])
        #expect(result.scenarios.map(\.id) == ["good"])
        #expect(!result.isClean)
        #expect(
            result.diagnostics.map { $0.description.replacing(folder.path + "/", with: "") } == [
                #"a.yaml:1:1: error: a scenario needs the key "exchanges""#,
                "b/broken.yaml:2:1: error: expected a value, found the end of the file; "
                    + "check the brackets, or quote the value",
                "empty.yml: error: the file is empty",
            ])
    }

    @Test func `a message prints as a compiler's does`() {
        let (_, diagnostics) = ScenarioLoader.parse("sumary: s\nexchanges: []\n".bytes, id: "a", file: "x/a.yaml")
        #expect(
            diagnostics.first?.description
                == #"x/a.yaml:1:1: error: unknown key "sumary" in a scenario; did you mean "summary"?"#)
    }
}

/// A scenario with mistakes, and every message that loading it must give, in order.
struct ErrorRow: CustomTestStringConvertible {
    let name: String
    let yaml: String
    /// `line:column sentence`, the folder written as `$FOLDER`.
    let messages: [String]

    init(_ name: String, yaml: String, messages: [String]) {
        self.name = name
        self.yaml = yaml
        self.messages = messages
    }

    var testDescription: String { name }

    static let all =
        scenarioRows + socksRows + requestRows + replyRows + bytesRows + effectRows + caseRows + clientRows + answerRows
        + momentRows + scriptRows + edgeRows + codingRows + deliveryRows + multipartRows + syncRows + guardRows
        + accountRows + schemeRows + digestRows + proxyRows + guardFactRows + guardHintRows
        + protocolRows + webSocketRows + tlsRows + tlsFactRows + nameRows + tunnelRows + cookieRows + suiteRows
        + stateRows
        + conditionRows + eventRows
}

/// Text of a fixture must not control the terminal of the user who checks it.
struct ControlCharacterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let lines: String
        let message: String
        var testDescription: String { lines }

        init(_ lines: String, _ message: String) {
            self.lines = lines
            self.message = message
        }
    }

    static let rows = [
        Row(
            #"facts: { "a\e[31m": 1 }"#,
            #"unknown fact "a\x1b[31m"; known facts: status, url, body, mime, suggestedName, expectedLength, error, "#
                + "body.length, textEncodingName, statusText, error.message, error.message.length, "
                + "willCache.storage, metrics.protocol, stored.cookies, file, fileExists, files, temporaryFileExists, resumeData, "
                + "messages, close.code, close.reason, protocol, events, events.count, retries, header.NAME, "
                + "redirect[N].NAME, events[N].NAME, stored.cookies.NAME, "
                + "stored.PROPERTY.NAME, cached.NAME, wire.count, connections, tunnels, tls.handshakes, tls.failures, "
                + "h2.connections, h2.streams, ws.count, auth.attempts, auth.failures, auth.challenges, auth.scheme, auth.user, auth.nc, "
                + "auth.faults, auth[GUARD].…, wire[N].…, connection[N].…, tls[N].…, stream[N].…, h2[N].…, ws[N].…, socks[N].…, dns[N].…, step[N].…"
        ),
        Row(
            #"facts: { "wire[\r]": 1 }"#, #"expected wire[N].NAME with N from 0 to 999999, found "wire[\r]""#),
        Row(
            #"facts: { "connection[0].\x9b2J": 1 }"#,
            #"unknown fact "connection[0].\x9b2J"; known after connection[0].: requests, closedBy, end, origin, protocol, streams"#
        ),
        Row(
            #"wire: "request(\x07)""#,
            #"'\x07' is not a method, one space and a target; "#
                + "write request(GET /a), and several in full: request(GET /a|HEAD /a)"),
        Row(#"task: "data \x01""#, #"the byte \x01"#),
    ]

    @Test(arguments: rows)
    func `control characters of a fixture are escaped in messages`(_ row: Row) {
        let yaml = """
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              a:
                client: { url: /a }
                \(row.lines)
            """
        let found = messages(yaml)
        #expect(found.contains { $0.contains(row.message) }, "\(found)")
        #expect(found.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) } })
    }
}
