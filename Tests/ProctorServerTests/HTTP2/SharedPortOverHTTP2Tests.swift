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
          - request: GET /a
            reply: { status: 200 }
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
}
