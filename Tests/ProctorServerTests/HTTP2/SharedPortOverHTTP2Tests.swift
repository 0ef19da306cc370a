import ProctorHTTP2
import ProctorJournal
import ProctorLoop
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// The shared port as a client of HTTP/2 sees it.
struct SharedPortOverHTTP2Tests {
    private static let yaml = """
        summary: answers below its id
        exchanges:
          - request: POST /echo
            reply: { status: 201, body: "{{request.body}} at {{base}}" }
          - request: GET /raw
            reply: { raw: "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi" }
        """

    private func withPort<Result>(
        speaksHTTP2: Bool = true, _ body: (Server) async throws -> Result
    ) async throws -> Result {
        try await withServer([try scenario(Self.yaml, id: "s")], configure: { $0.speaksHTTP2 = speaksHTTP2 }, body)
    }

    /// The control API answers to its own names alone.
    private static func request(
        _ line: String, to server: Server, on frames: FrameWire, stream: UInt32 = 1, endsStream: Bool = true,
        authority: String? = nil, more: [(String, String)] = []
    ) throws {
        let words = line.split(separator: " ").map(String.init)
        let authority = authority ?? String(server.base.dropFirst("http://".count))
        let fields =
            [
                (":method", words[0]), (":scheme", "http"), (":authority", authority), (":path", words[1]),
                ("content-type", "application/json"),
            ] + more
        try frames.send(.headers(try frames.block(fields), on: stream, endsStream: endsStream))
    }

    private func ask(
        _ line: String, _ content: String? = nil, of server: Server, authority: String? = nil,
        more: [(String, String)] = []
    ) async throws -> FrameWire.Reply {
        try await talk(to: server.base) { wire in
            let frames = try FrameWire(wire)
            try Self.request(line, to: server, on: frames, endsStream: content == nil, authority: authority, more: more)
            if let content { try frames.send(.data(Array(content.utf8), on: 1, endsStream: true)) }
            return try frames.reply()
        }
    }

    @Test func `a scenario answers below its id`() async throws {
        try await withPort { server in
            let reply = try await ask("POST /s/echo", "hello", of: server)
            #expect(reply.sections.first?.first == ":status: 201")
            #expect(reply.sections.first?.contains { $0.hasPrefix("connection") } == false)
            #expect(reply.text == "hello at \(server.base)/s" && reply.endsStream)
        }
    }

    @Test func `a page and a page of nothing have no fields of the connection`() async throws {
        try await withPort { server in
            let catalogue = try await ask("GET /", of: server)
            #expect(catalogue.sections.first?.first == ":status: 200")
            #expect(catalogue.text.contains("answers below its id"))
            let nothing = try await ask("GET /nothing", of: server)
            #expect(nothing.sections.first?.first == ":status: 404" && nothing.endsStream)
            for lines in [catalogue, nothing].flatMap(\.sections) {
                #expect(!lines.contains { $0.hasPrefix("connection") || $0.hasPrefix("transfer-encoding") })
            }
            let head = try await ask("HEAD /", of: server)
            #expect(head.sections.first?.first == ":status: 200" && head.content.isEmpty && head.endsStream)
        }
    }

    @Test func `:authority tells the host of the pages, as Host does`() async throws {
        let own = [("sec-fetch-site", "same-origin")]
        func status(_ line: String, _ authority: String?, _ more: [(String, String)], _ server: Server) async throws
            -> String?
        { try await ask(line, of: server, authority: authority, more: more).sections.first?.first }
        try await withPort { server async throws in
            #expect(try await status("GET /s/raw", "proctor.localhost:9", [], server) == ":status: 421")
            #expect(try await status("GET /__proctor/runs", "proctor.localhost:9", own, server) == ":status: 200")
            #expect(try await status("GET /__proctor/runs", nil, own, server) == ":status: 403")
            let cross = [("sec-fetch-site", "cross-site")]
            #expect(try await status("GET /__proctor/runs", "proctor.localhost:9", cross, server) == ":status: 403")
        }
    }

    @Test func `the control API is called on a stream`() async throws {
        try await withPort { server in
            let run = try await ask("POST /__proctor/runs", #"{"scenario": "s"}"#, of: server)
            #expect(run.sections.first?.first == ":status: 201" && run.text.contains(#""scenario":"s""#))
            let refusal = try await ask("POST /__proctor/runs", #"{"scenario": "t"}"#, of: server)
            #expect(refusal.sections.first?.first == ":status: 404" && refusal.text.contains("unknown-scenario"))
        }
    }

    @Test func `a call whose content is not whole stops no other stream`() async throws {
        try await withPort { server in
            let statuses = try await talk(to: server.base) { wire in
                let frames = try FrameWire(wire)
                try Self.request("POST /__proctor/runs", to: server, on: frames, endsStream: false)
                try frames.send(.data([UInt8](repeating: 0x20, count: 16_384), on: 1, endsStream: false))
                try frames.request("GET /", on: 3)
                let second = try frames.reply(on: 3).sections.first?.first
                try frames.send(.resetStream(1, .cancel))
                try frames.request("GET /nothing", on: 5)
                return [second, try frames.reply(on: 5).sections.first?.first]
            }
            #expect(statuses == [":status: 200", ":status: 404"])
        }
    }

    @Test func `an event stream comes in DATA frames until the client resets it`() async throws {
        try await withPort { server in
            let run = try await server.run("s")
            try await talk(to: run.base) { wire in
                try wire.send(.request("GET /nowhere"))
                _ = try wire.read(1)
            }
            let text = try await talk(to: server.base) { wire in
                let frames = try FrameWire(wire)
                try Self.request("GET /__proctor/runs/\(run.id)/events", to: server, on: frames)
                var text = ""
                while !text.contains("missed"), let frame = try frames.next() {
                    guard frame.frame.type == .data else { continue }
                    #expect(!frame.frame.endsStream)
                    text += String(decoding: frame.frame.payload, as: UTF8.self)
                }
                try frames.send(.resetStream(1, .cancel))
                try frames.request("GET /nothing", on: 3)
                #expect(try frames.next(.headers)?.frame.stream == 3)
                return text
            }
            #expect(text.contains("GET"))
        }
    }

    @Test func `a reply of the bytes of HTTP/1.1 is refused by the code for that`() async throws {
        try await withPort { server in
            let (reset, next) = try await talk(to: server.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /s/raw")
                let reset = try frames.reply().resetCode
                try frames.request("GET /s/elsewhere", on: 3)
                return (reset, try frames.reply(on: 3).sections.first?.first)
            }
            #expect(reset == .http11Required && next == ":status: 404")
            // curl asks again over HTTP/1.1.
            let outcome = try await ChildProcess.run([
                "/usr/bin/env", "curl", "-sS", "--max-time", "60", "--http2-prior-knowledge", "-w", " %{http_version}",
                "\(server.base)/s/raw",
            ])
            #expect(outcome.out == "hi 1.1", "\(outcome.err)")
        }
    }

    @Test func `ALPN selects HTTP/2 on the TLS port, unless the client offers HTTP/1.1 alone`() async throws {
        let address = try #require(SocketAddress(host: "127.0.0.1", port: 0))
        let scenario = try scenario(Self.yaml, id: "s")
        try await withServer([scenario], configure: { ($0.speaksHTTP2, $0.tlsAddress) = (true, address) }) { server in
            let (base, trust) = (try #require(server.tlsBase), try await server.trust())
            for (option, version) in [("--http2", "2"), ("--http1.1", "1.1")] {
                let outcome = try await ChildProcess.run([
                    "/usr/bin/env", "curl", "-sS", "--max-time", "60", option, "--cacert", trust, "-d", "hello",
                    "-w", " over %{http_version}", "\(base)/s/echo",
                ])
                #expect(outcome.out == "hello at \(base)/s over \(version)", "\(outcome.err)")
            }
        }
    }

    @Test func `without the option the preface is refused, and HTTP/1.1 goes on with it`() async throws {
        try await withPort(speaksHTTP2: false) { server in
            let line = try await talk(to: server.base) { wire in
                try wire.send(FrameReader.preface)
                return String(decoding: try wire.read(12), as: UTF8.self)
            }
            #expect(line == "HTTP/1.1 505")
        }
        try await withPort { server in
            let line = try await talk(to: server.base) { wire in
                try wire.send(.request("GET /"))
                return String(decoding: try wire.read(12), as: UTF8.self)
            }
            #expect(line == "HTTP/1.1 200")
        }
    }
}
