import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// What of a request goes on the wire, byte for byte.
@Suite(.limit(minutes: 5))
struct RequestBytesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        var fields: [HTTPField] = []
        var body = RequestBody.none
        /// Behind the Host line.
        let rest: String
        var sent: String { "\(method) /a?b HTTP/1.1\r\nHost: HOST\r\n\(rest)" }

        static let all: [Row] = [
            Row(testDescription: "GET", rest: "\r\n"),
            Row(testDescription: "a method in its own case", method: "get", rest: "\r\n"),
            Row(testDescription: "DELETE without content", method: "DELETE", rest: "\r\n"),
            Row(testDescription: "POST without content", method: "POST", rest: "Content-Length: 0\r\n\r\n"),
            Row(testDescription: "PUT of no bytes", method: "PUT", body: .bytes([]), rest: "Content-Length: 0\r\n\r\n"),
            Row(
                testDescription: "fields in order",
                fields: [
                    HTTPField("B", "1"), HTTPField("a", "2"), HTTPField("B", ""), HTTPField(name: "c", bytes: [0xE4]),
                ],
                rest: "B: 1\r\na: 2\r\nB: \r\nc: \u{FFFD}\r\n\r\n"),
            Row(
                testDescription: "fields of the transport are not copied", method: "POST",
                fields: [
                    HTTPField("Host", "elsewhere"), HTTPField("content-length", "99"), HTTPField("X", "1"),
                    HTTPField("Transfer-Encoding", "chunked"), HTTPField("Keep-Alive", "timeout=5"),
                    HTTPField("Proxy-Connection", "keep-alive"), HTTPField("TE", "trailers"),
                    HTTPField("Upgrade", "h2c"), HTTPField("Connection", "Upgrade, TE, keep-alive"),
                ],
                body: .bytes(Array("ab".utf8)), rest: "X: 1\r\nContent-Length: 2\r\n\r\nab"),
            Row(
                testDescription: "what is for a proxy is told no origin (RFC 9110 §11.7.2)",
                fields: [
                    HTTPField("Proxy-Authorization", "Basic dTpw"), HTTPField("X", "1"),
                    HTTPField("proxy-authorization", "Basic dTpw"), HTTPField("Authorization", "Basic dTpw"),
                ],
                rest: "X: 1\r\nAuthorization: Basic dTpw\r\n\r\n"),
            Row(
                testDescription: "close is sent once",
                fields: [HTTPField("Connection", "TE, Close"), HTTPField("connection", "close"), HTTPField("X", "1")],
                rest: "X: 1\r\nConnection: close\r\n\r\n"),
            Row(
                testDescription: "no expectation without content",
                fields: [HTTPField("Expect", "100-continue")], rest: "\r\n"),
            Row(
                testDescription: "GET with content", body: .bytes(Array("ab".utf8)),
                rest: "Content-Length: 2\r\n\r\nab"),
            Row(
                testDescription: "a stream of known length", method: "PUT",
                body: .stream(BodyStream(Array("hello".utf8), pieceByteCount: 2, isLengthKnown: true)),
                rest: "Content-Length: 5\r\n\r\nhello"),
            Row(
                testDescription: "a stream of unknown length", method: "POST",
                body: .stream(BodyStream(Array("hello".utf8), pieceByteCount: 3)),
                rest: "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"),
            Row(
                testDescription: "an empty stream", method: "POST", body: .stream(BodyStream([])),
                rest: "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ]
    }

    @Test(arguments: Row.all)
    func `a request is written as a careful client writes it`(row: Row) async throws {
        try await TransportBench.run { peer in
            let count = row.sent.utf8.count - "HOST".utf8.count + "\(peer.socket.local)".utf8.count
            // The one row with a byte that is no UTF-8 shows it as three.
            let bytes = try await peer.bytes(row.sent.contains("\u{FFFD}") ? count - 2 : count)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text == row.sent.replacing("HOST", with: "\(peer.socket.local)"))
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Was: \(bytes.count)\r\n\r\n")
            // Nothing follows.
            #expect(try await peer.untilEnd().bytes == [])
        } _: { bench in
            let host = await bench.load(
                ClientRequest(method: row.method, url: try bench.url("/a?b"), fields: row.fields, body: row.body))
            #expect(host.summary.suffix(2) == ["200", "ended"])
        }
    }

    @Test func `a proxy alone is told what the caller wrote for it`() throws {
        let request = ClientRequest(
            url: try ClientURL("http://home.example.org/a"), fields: [HTTPField("PROXY-Authorization", "Basic dTpw")])
        let forms: [(RequestForm, Bool)] = [
            (.origin, false), (.tunnelled, false), (.absolute, true), (.authority, true),
        ]
        for (form, isTold) in forms {
            let head = try OutgoingHead(request, try OutgoingBody(.none), as: form)
            let text = String(decoding: head.bytes, as: UTF8.self)
            #expect(text.contains("PROXY-Authorization: Basic dTpw\r\n") == isTold, "\(form): \(text)")
        }
    }

    @Test func `what would become another line is refused before anything is sent`() async throws {
        let requests: [@Sendable (ClientRequest) -> ClientRequest] = [
            { ClientRequest(url: $0.url, fields: [HTTPField("X", "a\r\nY: b")]) },
            { ClientRequest(url: $0.url, fields: [HTTPField("X: a", "b")]) },
            { ClientRequest(url: $0.url, fields: [HTTPField("", "b")]) },
            { ClientRequest(method: "GET / HTTP/1.1\r\nX:", url: $0.url) },
            { ClientRequest(method: "", url: $0.url) },
            { ClientRequest(method: "TRACE", url: $0.url, body: .bytes([1])) },
        ]
        try await TransportBench.run { bench in
            for change in requests {
                let host = await bench.load(change(try bench.get()))
                #expect(host.summary == ["failed badURL"])
            }
            let tunnel = await bench.load(ClientRequest(method: "CONNECT", url: try bench.url()))
            #expect(tunnel.summary == ["failed unsupportedURL"])
            #expect(bench.server.connectionCount == 0)
        }
    }
}
