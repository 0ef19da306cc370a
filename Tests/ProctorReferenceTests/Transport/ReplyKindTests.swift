import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Where a reply ends, and what is told of it.
@Suite(.limit(minutes: 5))
struct ReplyKindTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        let reply: String
        let summary: [String]
        var content = ""
        /// Whether the connection serves a second request.
        var isKept = true
        /// The server closes after the reply.
        var closes = false

        static let all: [Row] = [
            Row(
                testDescription: "content with a length", reply: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                summary: ["200", "content", "ended"], content: "hello"),
            Row(
                testDescription: "no content",
                reply: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", summary: ["200", "ended"]),
            Row(
                testDescription: "HEAD", method: "HEAD",
                reply: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", summary: ["200", "ended"]),
            Row(testDescription: "204", reply: "HTTP/1.1 204 No Content\r\n\r\n", summary: ["204", "ended"]),
            Row(
                testDescription: "304 with a length",
                reply: "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", summary: ["304", "ended"]),
            Row(
                testDescription: "chunks and trailers",
                reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nDigest: x\r\n\r\n",
                summary: ["200", "content", "ended"], content: "hello"),
            Row(
                testDescription: "content until close",
                reply: "HTTP/1.1 200 OK\r\n\r\nhello", summary: ["200", "content", "ended"], content: "hello",
                isKept: false, closes: true),
            Row(
                testDescription: "interim replies",
                reply: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                summary: ["103", "102", "200", "content", "ended"], content: "ok"),
            Row(
                testDescription: "close is asked for",
                reply: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
                summary: ["200", "content", "ended"], content: "ok", isKept: false),
            Row(
                testDescription: "HTTP/1.0", reply: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
                summary: ["200", "content", "ended"], content: "ok", isKept: false),
            Row(
                testDescription: "HTTP/1.0 with keep-alive",
                reply: "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok",
                summary: ["200", "content", "ended"], content: "ok"),
            Row(
                testDescription: "bytes behind the end",
                reply: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 408 Request Timeout\r\n\r\n",
                summary: ["200", "content", "ended"], content: "ok", isKept: false),
        ]
    }

    @Test(arguments: Row.all)
    func `a reply ends where it says, and the connection is kept where it may be`(row: Row) async throws {
        try await TransportBench.run { peer in
            while try await peer.headOrEnd() != nil {
                try await peer.send(row.reply)
                if row.closes { return }
            }
        } _: { bench in
            let request = ClientRequest(method: row.method, url: try bench.url())
            for number in 1...2 {
                let host = await bench.load(request)
                #expect(host.summary == row.summary)
                #expect(host.text == row.content)
                #expect(host.transfer?.connectionNumber == (row.isKept ? 1 : number))
            }
            #expect(bench.server.connectionCount == (row.isKept ? 1 : 2))
        }
    }

    @Test func `the local port is the one that the server sees`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\nX-Port: \(peer.socket.peer.port ?? 0)\r\nContent-Length: 0\r\n\r\n")
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = await bench.load(try bench.get())
            let told = host.heads.first?.fields.first(named: "X-Port").map { String(decoding: $0, as: UTF8.self) }
            #expect(told == host.transfer?.localPort.map(String.init))
        }
    }

    @Test func `an unrequested switch of protocols fails`() async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = await bench.load(try bench.get())
            #expect(host.summary == ["failed badServerResponse"])
            #expect(host.failure?.sentence.contains("RFC 9110 §15.2.2") == true)
        }
    }
}
