import ProctorBase
import ProctorHTTP3Serving
import ProctorJournal
import ProctorQUICLink
import ProctorServer
import Testing

/// What the journal says of a reply over HTTP/3 whose bytes no packet has had, since the stream or the connection ended before.
struct SentFramesTests {
    /// `GET https://a/` with its frame; HEADERS of a request that is malformed, since `x` stands before `:path`.
    private static let request: [UInt8] = [0x01, 0x08, 0, 0, 0xD1, 0xD7, 0x50, 0x01, 0x61, 0xC1]
    private static let malformed: [UInt8] = [
        0x01, 0x0C, 0, 0, 0xD1, 0xD7, 0x50, 0x01, 0x61, 0x21, 0x78, 0x01, 0x79, 0xC1,
    ]

    /// The entries about stream 0, and about the reply.
    private static func entries(_ play: @escaping @Sendable (ScriptedLink) -> Void) async throws -> [String] {
        let transport = ScriptedQUIC()
        let yaml = always("{ status: 200, body: hello }", more: "origins: { main: { scheme: https, protocols: [h3] } }")
        return try await withRun(yaml, configure: { $0.http3 = HTTP3Serving(over: transport) }) { run in
            try await transport.connect(play)
            return run.journal.snapshot().entries.compactMap { entry in
                switch entry.event {
                case .frame(let frame) where frame.stream == 0 && frame.isOfHTTP3:
                    "\(frame.party.rawValue) \(([frame.type] + frame.flags).joined(separator: " "))"
                case .fieldBlock(let block):
                    block.fields.map { "\(String(decoding: $0.name, as: UTF8.self)) \($0.representation.rawValue)" }
                        .joined(separator: ", ")
                case .frameViolation(let violation): violation.kind
                case .requestHead: "request"
                case .replySent(_, let byteCount): "replied, \(byteCount) bytes"
                case .replyAborted(let byteCount, let reason, _): "aborted at \(byteCount): \(reason)"
                default: nil
                }
            }
        }
    }

    private static func ask(_ link: ScriptedLink) {
        link.handler?.receive(.received(stream: 0, request, ends: true), on: link)
    }

    private static let asked = [
        "client HEADERS", "client STREAM FIN",
        ":method indexed, :scheme indexed, :authority without-indexing, :path indexed", "request",
    ]

    @Test func `frames and the end of the reply stand there once packets have had them`() async throws {
        let before = try await Self.entries { Self.ask($0) }
        #expect(before.prefix(4) == Self.asked[...] && !before.contains { $0.hasPrefix("server") }, "\(before)")
        let entries = try await Self.entries { link in
            Self.ask(link)
            link.sendOut(0)
        }
        #expect(
            entries == Self.asked + ["server HEADERS", "server DATA", "server STREAM FIN", "replied, 15 bytes"],
            "\(entries)")
    }

    @Test func `STOP_SENDING drops what no packet has had`() async throws {
        for isBefore in [true, false] {
            let entries = try await Self.entries { link in
                Self.ask(link)
                // The library drops what was queued before the frame, or finds out when it sends.
                if isBefore { link.drop(0) }
                link.handler?.receive(.stopped(stream: 0, code: 0x10C), on: link)
                if !isBefore { link.drop(0) }
            }
            #expect(
                entries.filter { $0 != "client STOP_SENDING" } == Self.asked + ["aborted at 0: the stream was reset"],
                "\(entries)")
        }
    }

    @Test func `a frame that packets have had in part was not sent`() async throws {
        let entries = try await Self.entries { link in
            Self.ask(link)
            link.sendOut(0, 9)
            link.drop(0)
        }
        #expect(
            entries == Self.asked + ["server HEADERS", "aborted at 9: the stream was reset"], "\(entries)")
    }

    @Test func `the end of the connection drops what no packet has had`() async throws {
        let entries = try await Self.entries { link in
            Self.ask(link)
            link.finish(.closedByPeer(.application(0x100)))
        }
        #expect(
            entries == Self.asked + ["aborted at 0: the client closed the connection", "client CONNECTION_CLOSE"],
            "\(entries)")
    }

    @Test func `the section of a request that is refused stands there, and nothing is chosen for it`() async throws {
        let entries = try await Self.entries { link in
            link.handler?.receive(.received(stream: 0, Self.malformed, ends: true), on: link)
            link.sendOut(0)
        }
        #expect(
            entries == [
                "client HEADERS", "client STREAM FIN",
                ":method indexed, :scheme indexed, :authority without-indexing, x without-indexing, :path indexed",
                "pseudo-field-misplaced", "server RESET_STREAM", "server STOP_SENDING",
            ], "\(entries)")
    }
}
