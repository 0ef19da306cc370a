import ProctorHTTP
import ProctorWebSocket
import Testing

@Suite struct OpeningRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// In the place of a line that begins with the same name; an empty value takes the line out.
        var lines: [String] = []
        var more: [String] = []
        /// `kind` and the bytes that stand at its place; of what is missing the kind alone.
        var expected: [String] = []

        var testDescription: String { name }

        var head: String {
            var text = [
                "GET /chat HTTP/1.1", "Host: a", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
            ]
            for line in lines {
                let name = line.prefix { $0 != ":" }
                let index = text.firstIndex { $0.hasPrefix("\(name):") } ?? 0
                text[index] = line.hasSuffix(":") ? "" : line
            }
            return (text.filter { !$0.isEmpty } + more).joined(separator: "\r\n") + "\r\n\r\n"
        }
    }

    static let rows: [Row] = [
        Row(name: "the example of the specification"),
        Row(name: "letter case and lists", lines: ["Upgrade: h2c, WebSocket", "Connection: keep-alive, upgrade"]),
        Row(name: "a higher version", more: ["Origin: http://a"]),
        Row(name: "no Upgrade", lines: ["Upgrade:"], expected: ["upgrade-missing"]),
        Row(name: "another Upgrade", lines: ["Upgrade: websockets"], expected: ["upgrade-missing websockets"]),
        Row(name: "no Connection", lines: ["Connection:"], expected: ["connection-missing"]),
        Row(name: "another Connection", lines: ["Connection: close"], expected: ["connection-missing close"]),
        Row(name: "no key", lines: ["Sec-WebSocket-Key:"], expected: ["key-missing"]),
        Row(name: "two keys", more: ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="], expected: ["key-twice AAAA"]),
        Row(
            name: "a key of 15 bytes", lines: ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAA"],
            expected: ["key-wrong-length AAAA"]),
        Row(
            name: "a key of 17 bytes", lines: ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAAA="],
            expected: ["key-wrong-length AAAA"]),
        Row(
            name: "a key without padding", lines: ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ"],
            expected: ["key-not-base64 dGhl"]),
        Row(
            name: "a key of other letters", lines: ["Sec-WebSocket-Key: dGhl_HNhbXBsZSBub25jZQ=="],
            expected: ["key-not-base64 dGhl_"]),
        Row(
            name: "a key with bits behind its end", lines: ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZR=="],
            expected: ["key-not-base64 dGhl"]),
        Row(name: "no version", lines: ["Sec-WebSocket-Version:"], expected: ["version-missing"]),
        Row(name: "another version", lines: ["Sec-WebSocket-Version: 8"], expected: ["version-not-13 8"]),
        Row(name: "a list of versions", lines: ["Sec-WebSocket-Version: 13, 8"], expected: ["version-not-13 13, 8"]),
        Row(name: "two versions", more: ["Sec-WebSocket-Version: 13"], expected: ["version-twice 13"]),
        Row(name: "Accept", more: ["Sec-WebSocket-Accept: a"], expected: ["accept-in-request a"]),
        Row(
            name: "two protocols in two lines",
            more: ["Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Protocol: mqtt, x"]),
        Row(
            name: "a protocol twice", more: ["Sec-WebSocket-Protocol: chat, mqtt, chat"],
            expected: ["protocol-repeated chat"]),
        Row(name: "no token", more: ["Sec-WebSocket-Protocol: a b"], expected: ["protocol-not-token a b"]),
        Row(name: "no protocol", more: ["Sec-WebSocket-Protocol: ,"], expected: ["empty-list ,"]),
        Row(name: "no extension", more: ["Sec-WebSocket-Extensions:"], expected: ["empty-list"]),
        Row(
            name: "extensions",
            more: ["Sec-WebSocket-Extensions: a; b=c; d=\"e\", permessage-deflate; client_max_window_bits"]),
        Row(
            name: "an extension without a name", more: ["Sec-WebSocket-Extensions: ;a"],
            expected: ["extension-malformed ;a"]),
        Row(
            name: "a parameter without a name", more: ["Sec-WebSocket-Extensions: a;"],
            expected: ["extension-malformed"]),
        Row(
            name: "a parameter without its value", more: ["Sec-WebSocket-Extensions: a; b="],
            expected: ["extension-malformed"]),
        Row(
            name: "a string without its end", more: ["Sec-WebSocket-Extensions: a; b=\"c"],
            expected: ["extension-malformed"]),
        Row(
            name: "a string that is no token", more: ["Sec-WebSocket-Extensions: a; b=\"c d\""],
            expected: ["extension-value-not-token \"c d\""]),
        Row(name: "a string with an escape", more: ["Sec-WebSocket-Extensions: a; b=\"\\c\""]),
        Row(name: "two names", more: ["Sec-WebSocket-Extensions: x, a b"], expected: ["extension-malformed b"]),
        Row(
            name: "an unknown parameter", more: ["Sec-WebSocket-Extensions: permessage-deflate; level=9"],
            expected: ["deflate-unknown-parameter level"]),
        Row(
            name: "a parameter twice",
            more: ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits; client_max_window_bits=9"],
            expected: ["deflate-parameter-twice client_max_window_bits=9"]),
    ]

    @Test(arguments: rows) func `a request has its violations and no others`(_ row: Row) throws {
        let bytes = Array(row.head.utf8)
        let head = try RequestHead(parsing: bytes)
        let request = OpeningRequest(judging: head)
        #expect(request.violations.map(\.kind.rawValue) == row.expected.map { String($0.prefix { $0 != " " }) })
        for (violation, line) in zip(request.violations, row.expected) {
            let shown = line.drop { $0 != " " }.dropFirst()
            #expect(bytes[violation.offset...].starts(with: shown.utf8), "\(violation)")
            #expect(violation.section.hasPrefix("RFC ") && !violation.sentence.isEmpty)
            #expect(violation.description.contains("at byte \(violation.offset)"))
        }
    }

    @Test func `a request says what its client offers`() throws {
        let row = Row(
            name: "",
            more: [
                "Origin: http://a", "Sec-WebSocket-Protocol: chat, mqtt",
                "Sec-WebSocket-Extensions: a; b=c; d=\"e\\f\"; g, permessage-deflate",
            ])
        let request = OpeningRequest(judging: try RequestHead(parsing: Array(row.head.utf8)))
        #expect(request.violations.isEmpty && request.origin == Array("http://a".utf8))
        #expect(request.version == Array("13".utf8) && !request.offer.isStream)
        #expect(request.offer.protocols == ["chat", "mqtt"])
        #expect(
            request.offer.extensions == [
                WebSocketExtension("a", [.init("b", "c"), .init("d", "ef"), .init("g")]),
                WebSocketExtension("permessage-deflate"),
            ])
        #expect(request.offer.extensions.map(\.description) == ["a; b=c; d=ef; g", "permessage-deflate"])
    }

    /// The example of RFC 6455 §1.3.
    @Test func `the reply's value is made of the key`() throws {
        #expect(OpeningKey.accept(for: "dGhlIHNhbXBsZSBub25jZQ==".utf8) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let request = OpeningRequest(judging: try RequestHead(parsing: Array(Row(name: "").head.utf8)))
        #expect(request.accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func `the method and the version of HTTP are judged`() throws {
        func kinds(_ line: String) throws -> [HandshakeViolation.Kind] {
            let text = line + Row(name: "").head.drop { $0 != "\r\n" }
            return OpeningRequest(judging: try RequestHead(parsing: Array(text.utf8))).violations.map(\.kind)
        }
        #expect(try kinds("POST /chat HTTP/1.1") == [.methodNotGET])
        #expect(try kinds("GET /chat HTTP/1.0") == [.versionBelowHTTP11])
        #expect(try kinds("GET /chat HTTP/1.2") == [])
        // With HTTP/1.1 the reader of requests refuses the head.
        let row = Row(name: "", lines: ["Host:"])
        let text = "GET / HTTP/1.0" + row.head.drop { $0 != "\r\n" }
        let request = OpeningRequest(judging: try RequestHead(parsing: Array(text.utf8)))
        #expect(request.violations.map(\.kind) == [.versionBelowHTTP11, .hostMissing])
    }

    private func stream(
        _ method: String = "CONNECT", protocolName: String? = "websocket", _ fields: [(String, String)] = []
    ) -> OpeningRequest {
        let control = RequestHead.ControlData(
            method: Array(method.utf8), path: Array("/chat".utf8), authority: Array("a".utf8),
            protocolName: protocolName.map { Array($0.utf8) }, endsStream: false, contentLength: nil)
        let all = [("sec-websocket-version", "13")] + fields
        return OpeningRequest(
            judging: RequestHead(control, fields: all.map { (Array($0.0.utf8), Array($0.1.utf8)) }))
    }

    @Test func `an extended CONNECT needs neither a key nor Upgrade`() {
        let request = stream("CONNECT", [("sec-websocket-protocol", "chat"), ("origin", "http://a")])
        #expect(request.violations.isEmpty && request.offer.isStream && request.offer.key == nil)
        #expect(
            request.offer.protocols == ["chat"] && request.accept == nil && request.origin == Array("http://a".utf8))
    }

    @Test func `an extended CONNECT is judged by what it has instead`() {
        #expect(stream("GET").violations.map(\.kind) == [.methodNotCONNECT])
        #expect(stream(protocolName: "connect-udp").violations.map(\.kind) == [.protocolPseudoFieldOther])
        #expect(stream(protocolName: nil).violations.map(\.section) == ["RFC 8441 §5"])
        #expect(stream("CONNECT", [("connection", "Upgrade")]).violations.map(\.kind) == [.upgradeOnStream])
        #expect(stream("CONNECT", [("sec-websocket-version", "8")]).violations.map(\.kind) == [.versionTwice])
    }
}
