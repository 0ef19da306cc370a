import Testing

/// A fixture that was found somewhere must not be able to write to the terminal of who checks it.
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
                + "body.length, wire.count, connections, tunnels, tls.handshakes, tls.failures, auth.attempts, auth.failures, "
                + "auth.challenges, auth.scheme, auth.user, auth.nc, auth.faults, auth[GUARD].…, wire[N].…, "
                + "connection[N].…, tls[N].…, step[N].…"),
        Row(
            #"facts: { "wire[\r]": 1 }"#, #"expected wire[N].NAME with N from 0 to 999999, found "wire[\r]""#),
        Row(
            #"facts: { "connection[0].\x9b2J": 1 }"#,
            #"unknown fact "connection[0].\x9b2J"; known after connection[0].: requests, closedBy, end"#),
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
