import ProctorHTTP
import ProctorWebSocket
import Testing

@Suite struct OpeningReplyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var status = "101 Switching Protocols"
        var upgrade: String? = "Upgrade: websocket"
        var connection: String? = "Connection: Upgrade"
        var accept: String? = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        var more: [String] = []
        /// Elements of Sec-WebSocket-Extensions that were offered.
        var offers: [String] = []
        /// `kind` and the bytes that stand at its place; of what is missing the kind alone.
        var expected: [String] = []

        var testDescription: String { name }

        var head: [UInt8] {
            let lines = ["HTTP/1.1 \(status)"] + [upgrade, connection, accept].compactMap(\.self) + more
            return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        }

        private func parsedHead() throws -> ReplyHead {
            // The reader of replies refuses 101 without Upgrade.
            guard upgrade == nil else { return try ReplyHead(parsing: head) }
            let fields = [connection, accept].compactMap(\.self).map { line in
                let name = line.prefix { $0 != ":" }
                return (name: Array(name.utf8), value: Array(line.dropFirst(name.count + 2).utf8))
            }
            return ReplyHead(status: 101, fields: fields, contentLength: nil, hasNoContent: true)
        }

        func reply() throws -> OpeningReply {
            let value = offers.joined(separator: ", ")
            let text = "GET / HTTP/1.1\r\nHost: a\r\nSec-WebSocket-Extensions: \(value)\r\n\r\n"
            let extensions =
                offers.isEmpty
                ? [] : OpeningRequest(judging: try RequestHead(parsing: Array(text.utf8))).offer.extensions
            let offer = OpeningOffer(
                key: Array("dGhlIHNhbXBsZSBub25jZQ==".utf8), protocols: ["chat", "mqtt"], extensions: extensions)
            return OpeningReply(judging: try parsedHead(), to: offer)
        }
    }

    private static func deflate(
        _ reply: String, to offers: String..., expected: String...
    ) -> Row {
        Row(
            name: "\(reply) to \(offers)", more: ["Sec-WebSocket-Extensions: \(reply)"], offers: offers,
            expected: expected)
    }

    static let rows: [Row] = [
        Row(name: "the example of the specification"),
        Row(name: "letter case", upgrade: "upgrade: WebSocket", connection: "Connection: keep-alive, UPGRADE"),
        Row(name: "another status", status: "200 OK", expected: ["status-not-101 HTTP/1.1 200"]),
        Row(
            name: "a reply of HTTP alone", status: "401 Unauthorized", connection: "Connection: close", accept: nil,
            expected: ["status-not-101 HTTP/1.1 401"]),
        Row(name: "no Upgrade", upgrade: nil, expected: ["upgrade-not-websocket"]),
        Row(
            name: "a list of Upgrade", upgrade: "Upgrade: websocket, h2c",
            expected: ["upgrade-not-websocket websocket,"]),
        Row(name: "another Upgrade", upgrade: "Upgrade: h2c", expected: ["upgrade-not-websocket h2c"]),
        Row(name: "no Connection", connection: nil, expected: ["connection-missing"]),
        Row(name: "another Connection", connection: "Connection: close", expected: ["connection-missing close"]),
        Row(name: "no Accept", accept: nil, expected: ["accept-missing"]),
        Row(
            name: "a wrong Accept", accept: "Sec-WebSocket-Accept: S3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            expected: ["accept-wrong S3pP"]),
        Row(name: "an empty Accept", accept: "Sec-WebSocket-Accept:", expected: ["accept-wrong"]),
        Row(
            name: "Accept twice", more: ["Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="],
            expected: ["accept-twice s3pP"]),
        Row(name: "a protocol", more: ["Sec-WebSocket-Protocol: mqtt"]),
        Row(name: "another protocol", more: ["Sec-WebSocket-Protocol: wamp"], expected: ["protocol-not-offered wamp"]),
        Row(
            name: "a protocol in other letters", more: ["Sec-WebSocket-Protocol: MQTT"],
            expected: ["protocol-not-offered MQTT"]),
        Row(name: "two protocols", more: ["Sec-WebSocket-Protocol: mqtt, chat"], expected: ["several-protocols chat"]),
        Row(
            name: "two lines of protocols", more: ["Sec-WebSocket-Protocol: mqtt", "Sec-WebSocket-Protocol: chat"],
            expected: ["several-protocols chat"]),
        Row(name: "no protocol", more: ["Sec-WebSocket-Protocol:"], expected: ["empty-list"]),
        Row(
            name: "an extension of its own", more: ["Sec-WebSocket-Extensions: a"],
            expected: ["extension-not-offered a"]),
        Row(name: "an offered extension", more: ["Sec-WebSocket-Extensions: a; b"], offers: ["a"]),
        Row(
            name: "an extension more often than offered", more: ["Sec-WebSocket-Extensions: a, a"], offers: ["a"],
            expected: ["extension-not-offered a"]),
        Row(
            name: "compression twice", more: ["Sec-WebSocket-Extensions: permessage-deflate, permessage-deflate"],
            offers: ["permessage-deflate", "permessage-deflate"], expected: ["extension-not-offered permessage-deflate"]
        ),
        Row(
            name: "a malformed extension", more: ["Sec-WebSocket-Extensions: a; ="], offers: ["a"],
            expected: ["extension-malformed ="]),
        deflate("permessage-deflate", to: "permessage-deflate; client_max_window_bits"),
        deflate("permessage-deflate; server_no_context_takeover; client_no_context_takeover", to: "permessage-deflate"),
        deflate("permessage-deflate; server_max_window_bits=10", to: "permessage-deflate"),
        deflate("permessage-deflate; client_max_window_bits=10", to: "permessage-deflate; client_max_window_bits"),
        deflate("permessage-deflate", to: "permessage-deflate; client_no_context_takeover"),
        deflate(
            "permessage-deflate", to: "permessage-deflate; server_no_context_takeover",
            expected: "deflate-server-context-kept permessage"),
        deflate(
            "permessage-deflate", to: "permessage-deflate; server_max_window_bits=15",
            expected: "deflate-server-window-wider permessage"),
        deflate(
            "permessage-deflate; server_max_window_bits=12", to: "permessage-deflate; server_max_window_bits=11",
            expected: "deflate-server-window-wider permessage"),
        deflate(
            "permessage-deflate; server_max_window_bits=\"10\"", to: "permessage-deflate; server_max_window_bits=11"),
        deflate(
            "permessage-deflate; client_max_window_bits=15", to: "permessage-deflate",
            expected: "deflate-client-window-not-offered permessage"),
        deflate(
            "permessage-deflate; client_max_window_bits=12", to: "permessage-deflate; client_max_window_bits=11",
            expected: "deflate-client-window-wider permessage"),
        deflate(
            "permessage-deflate; client_max_window_bits", to: "permessage-deflate; client_max_window_bits",
            expected: "deflate-bad-value client_max_window_bits"),
        deflate(
            "permessage-deflate; server_max_window_bits=7", to: "permessage-deflate",
            expected: "deflate-bad-value server_max"),
        deflate(
            "permessage-deflate; server_max_window_bits=16", to: "permessage-deflate",
            expected: "deflate-bad-value server_max"),
        deflate(
            "permessage-deflate; server_max_window_bits=08", to: "permessage-deflate",
            expected: "deflate-bad-value server_max"),
        deflate(
            "permessage-deflate; server_no_context_takeover=1", to: "permessage-deflate",
            expected: "deflate-bad-value server_no"),
        deflate("permessage-deflate", to: "permessage-deflate; server_no_context_takeover", "permessage-deflate"),
    ]

    @Test(arguments: rows) func `a reply has its violations and no others`(_ row: Row) throws {
        let reply = try row.reply()
        #expect(reply.violations.map(\.kind.rawValue) == row.expected.map { String($0.prefix { $0 != " " }) })
        for (violation, line) in zip(reply.violations, row.expected) {
            let shown = line.drop { $0 != " " }.dropFirst()
            #expect(row.head[violation.offset...].starts(with: shown.utf8), "\(violation)")
            #expect(violation.section.hasPrefix("RFC ") && violation.description.contains("\(violation.offset)"))
        }
    }

    @Test func `every kind is in the rows of requests or replies`() throws {
        var kinds: Set<HandshakeViolation.Kind> = [
            .methodNotGET, .versionBelowHTTP11, .hostMissing, .methodNotCONNECT, .protocolPseudoFieldOther,
            .upgradeOnStream, .statusNot2xx,
        ]
        for row in Self.rows { kinds.formUnion(try row.reply().violations.map(\.kind)) }
        for row in OpeningRequestTests.rows {
            let request = OpeningRequest(judging: try RequestHead(parsing: Array(row.head.utf8)))
            kinds.formUnion(request.violations.map(\.kind))
        }
        #expect(Set(HandshakeViolation.Kind.allCases).subtracting(kinds).map(\.rawValue) == [])
    }

    @Test func `a reply says what was agreed on`() throws {
        var row = Row(name: "", offers: ["permessage-deflate; client_max_window_bits"])
        row.more = [
            "Sec-WebSocket-Protocol: mqtt",
            "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_max_window_bits=10",
        ]
        let reply = try row.reply()
        #expect(reply.violations.isEmpty && reply.protocolName == "mqtt")
        #expect(reply.compression?.direction(from: .server) == DeflateDirection(takesContextOver: false))
        #expect(reply.compression?.direction(from: .client) == DeflateDirection(windowBits: 10))
    }

    @Test func `a reply on a stream has 2xx and neither Accept nor Upgrade`() {
        func kinds(_ status: Int, _ fields: [(String, String)] = []) -> [HandshakeViolation.Kind] {
            let head = ReplyHead(
                status: status, fields: fields.map { (Array($0.0.utf8), Array($0.1.utf8)) }, contentLength: nil,
                hasNoContent: false)
            let offer = OpeningOffer(key: nil, protocols: ["chat"], isStream: true)
            return OpeningReply(judging: head, to: offer).violations.map(\.kind)
        }
        #expect(kinds(200) == [] && kinds(201, [("sec-websocket-protocol", "chat")]) == [])
        #expect(kinds(101) == [.statusNot2xx] && kinds(200, [("upgrade", "websocket")]) == [.upgradeOnStream])
        #expect(kinds(200, [("sec-websocket-protocol", "x")]) == [.protocolNotOffered])
    }
}
