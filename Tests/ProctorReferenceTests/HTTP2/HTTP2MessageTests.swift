import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Requests and replies on streams (RFC 9113 §8), frame by frame.
@Suite(.limit(minutes: 2))
struct HTTP2MessageTests {
    @Test func `a request has its pseudo-fields first and its names in lower case`() async throws {
        try await TransportBench.runFrames { peer in
            let request = try await peer.request()
            #expect(request.names.prefix(4) == [":method", ":scheme", ":authority", ":path"])
            #expect(request[":method"] == "GET")
            #expect(request[":scheme"] == "http")
            #expect(request[":path"] == "/a?b")
            #expect(request["x-mixed"] == "Case")
            #expect(request.stream == 1 && request.endsStream)
            #expect(!request.names.contains { ["host", "connection", "te", "keep-alive"].contains($0) })
            try await peer.reply(on: request.stream, fields: [("content-length", "4"), ("x-a", "1")])
        } _: { bench in
            let fields = [
                HTTPField("X-Mixed", " Case "), HTTPField("Connection", "x-mixed"), HTTPField("TE", "gzip"),
                HTTPField("Host", "other"), HTTPField("Keep-Alive", "1"),
            ]
            let host = await bench.loadFrames(try bench.get("/a?b", fields: fields))
            #expect(host.summary == ["200", "content", "ended"])
            #expect(host.text == "page")
            let head = try #require(host.heads.first)
            #expect(head.version == .http2)
            #expect(head.framing == .length(4))
            #expect([HTTPField](head.fields).map(\.name) == ["content-length", "x-a"])
        }
    }

    @Test func `credentials are never indexed`() async throws {
        try await TransportBench.runFrames { peer in
            let request = try await peer.request()
            let field = try #require(request.fields.first { $0.name == Array("authorization".utf8) })
            #expect(field.isNeverIndexed)
            try await peer.reply(on: request.stream)
        } _: { bench in
            let host = await bench.loadFrames(try bench.get(fields: [HTTPField("Authorization", "Basic YTpi")]))
            #expect(host.summary == ["200", "content", "ended"])
        }
    }

    @Test func `interim replies, content in pieces and trailers are one reply`() async throws {
        try await TransportBench.runFrames { peer in
            let stream = try await peer.request().stream
            try await peer.sendHead([(":status", "103"), ("link", "</a>")], on: stream)
            try await peer.sendHead([(":status", "200")], on: stream)
            try await peer.send(.data("ab".utf8, on: stream), .data("cd".utf8, on: stream, padding: 7))
            try await peer.sendHead([("x-trailer", "1")], on: stream, endsStream: true)
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["103", "200", "content", "ended"])
            #expect(host.text == "abcd")
            #expect(host.heads.last?.framing == .stream)
        }
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func `a reply without content ends with its head`(method: String, status: Int) async throws {
        try await TransportBench.runFrames { peer in
            let stream = try await peer.request().stream
            let fields = status == 204 ? [] : [("content-length", "4")]
            try await peer.sendHead([(":status", "\(status)")] + fields, on: stream, endsStream: true)
        } _: { bench in
            let host = await bench.loadFrames(ClientRequest(method: method, url: try bench.url()))
            #expect(host.summary == ["\(status)", "ended"])
            #expect(host.heads.first?.framing == ReplyFraming.none)
        }
    }

    @Test func `content of known length is stated, and ends with its last frame`() async throws {
        try await TransportBench.runFrames { peer in
            let request = try await peer.request()
            #expect(request["content-length"] == "100000")
            #expect(!request.endsStream)
            #expect(try await peer.content(of: request.stream) == pattern(100_000))
            // No empty frame behind the last one.
            #expect(peer.frames.last?.payload.isEmpty == false)
            try await peer.reply(on: request.stream)
        } _: { bench in
            let host = await bench.loadFrames(try bench.post(.bytes(pattern(100_000))))
            #expect(host.summary == ["sent", "200", "content", "ended"])
            #expect(host.sentByteCount == 100_000)
            #expect(host.expectations == [100_000])
        }
    }

    @Test func `a stream of unknown length has no Transfer-Encoding`() async throws {
        try await TransportBench.runFrames { peer in
            let request = try await peer.request()
            #expect(request["content-length"] == nil && request["transfer-encoding"] == nil)
            #expect(try await peer.content(of: request.stream) == pattern(40_000))
            try await peer.reply(on: request.stream)
        } _: { bench in
            let stream = BodyStream(pattern(40_000), pieceByteCount: 7_000)
            let host = await bench.loadFrames(try bench.post(.stream(stream)))
            #expect(host.summary == ["sent", "200", "content", "ended"])
            #expect(host.expectations == [-1])
        }
    }

    @Test func `a file is sent whole`() async throws {
        try await TemporaryFile.with(pattern(50_001)) { path in
            try await TransportBench.runFrames { peer in
                let request = try await peer.request()
                #expect(try await peer.content(of: request.stream) == pattern(50_001))
                try await peer.reply(on: request.stream)
            } _: { bench in
                let host = await bench.loadFrames(try bench.post(.file(path: path)))
                #expect(host.summary == ["sent", "200", "content", "ended"])
                #expect(host.sentByteCount == 50_001)
            }
        }
    }

    @Test func `a body stream that gives too little resets its stream`() async throws {
        let left = Moment()
        try await TransportBench.runFrames { peer in
            let request = try await peer.request()
            let reset = try await peer.next(.resetStream)
            #expect(reset.stream == request.stream)
            #expect(FramePeer.code(of: reset) == .cancel)
            left.come()
            try await peer.answerAll()
        } _: { bench in
            let pieces = Locked([[1, 2, 3] as [UInt8]])
            let stream = BodyStream(byteCount: 10) { pieces.withLock { $0.popLast() } }
            let host = await bench.loadFrames(try bench.post(.stream(stream)))
            #expect(host.failure?.kind == .requestBodyStreamExhausted)
            await left.wait()
            let next = await bench.loadFrames(try bench.get())
            #expect(next.summary == ["200", "content", "ended"])
            #expect(next.transfer?.connectionNumber == 1)
        }
    }

    @Test func `content waits for a 100, and is not sent where the final status comes instead`() async throws {
        try await TransportBench.runFrames { peer in
            let first = try await peer.request()
            #expect(first["expect"] == "100-continue")
            #expect(!first.endsStream)
            try await peer.sendHead([(":status", "100")], on: first.stream)
            #expect(try await peer.content(of: first.stream) == Array("hello".utf8))
            try await peer.reply(on: first.stream)
            let second = try await peer.request()
            try await peer.reply(on: second.stream, 417)
            let reset = try await peer.next(.resetStream)
            #expect(reset.stream == second.stream)
            #expect(!peer.frames.contains { $0.type == .data && $0.stream == second.stream })
        } _: { bench in
            let expect = [HTTPField("Expect", "100-continue")]
            let first = await bench.loadFrames(try bench.post(.bytes(Array("hello".utf8)), fields: expect))
            #expect(first.summary == ["100", "sent", "200", "content", "ended"])
            let second = await bench.loadFrames(try bench.post(.bytes(Array("hello".utf8)), fields: expect))
            #expect(second.summary == ["417", "content", "ended"])
            #expect(second.transfer?.connectionNumber == 1)
        }
    }

    @Test func `a complete reply counts although the server resets the rest of the content`() async throws {
        try await TransportBench.runFrames { peer in
            let request = try await peer.request()
            try await peer.reply(on: request.stream, 413)
            try await peer.send(.resetStream(request.stream, .noError))
            try await peer.answerAll()
        } _: { bench in
            let host = await bench.loadFrames(try bench.post(.bytes(pattern(1 << 20))))
            #expect(host.summary.suffix(3) == ["413", "content", "ended"])
            let next = await bench.loadFrames(try bench.get())
            #expect(next.transfer?.connectionNumber == 1)
        }
    }

    @Test func `codings are undone`() async throws {
        try await TransportBench.runFrames { peer in
            let stream = try await peer.request().stream
            // The letter a as a gzip file.
            let bytes: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 75, 4, 0, 67, 190, 183, 232, 1, 0, 0, 0]
            try await peer.sendHead([(":status", "200"), ("content-encoding", "gzip")], on: stream)
            try await peer.send(.data(bytes, on: stream, endsStream: true))
        } _: { bench in
            let host = await bench.loadFrames(try bench.get())
            #expect(host.text == "a", "\(host.summary)")
        }
    }
}
