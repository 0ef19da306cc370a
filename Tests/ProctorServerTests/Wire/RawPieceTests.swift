import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Raw replies that are put together of pieces.
struct RawPieceTests {
    private static let pieces =
        #"["HTTP/1.1 200 OK\r\nX-Port: {{port}}\r\n", { text: "X-Text: {{a}}\r\nX-Long: " }, { repeat: x, bytes: 5 }, "#
        + #"{ hex: 0d 0a }, "Content-Length: 4\r\n\r\n", { file: body.bin }, { repeat: ab, times: 1 }]"#

    private func text(_ run: Run) -> String {
        let port = run.base.split(separator: ":").last ?? ""
        return "HTTP/1.1 200 OK\r\nX-Port: \(port)\r\nX-Text: {{a}}\r\nX-Long: xxxxx\r\nContent-Length: 4\r\n\r\na\nab"
    }

    @Test func `pieces of every form are sent as one, and the connection stays`() async throws {
        let folder = try TestFolder()
        try folder.write("a\n", to: "body.bin")
        try await withRun(always("{ raw: \(Self.pieces) }"), folder: folder.path) { run in
            let wanted = text(run)
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /"))
                let first = try wire.read(wanted.utf8.count)
                try wire.send(.request("GET /", "Connection: close"))
                return [String(decoding: first, as: UTF8.self), try wire.readToEnd().text]
            }
            #expect(got == [wanted, wanted])
            #expect(run.journal.begunReplies.map(\.status) == [200, 200])
        }
    }

    @Test func `an effect among pieces is played where it stands`() async throws {
        let pieces = #"["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", { do: wait 1ms }, "def", { do: reset }]"#
        try await withRun(always("{ raw: \(pieces), effects: [{ at: wire 3, do: wait 1us }] }")) { run in
            let got = try await exchange(.request("GET /"), with: run.base)
            #expect(got.text.hasSuffix("\r\n\r\nabcdef") && got.ending == .reset)
            let lines = try await run.journal.lines(untilClosed: 1)
            let places = lines.filter { $0.contains(" effect ") }.map { $0.split(separator: " at ").last }
            #expect(places == ["wire 3", "wire 41", "wire 44"], "\(lines)")
        }
    }

    @Test func `a field value that is generated is sent whole`() async throws {
        let reply = "{ status: 204, headers: [{ A: { repeat: ab, bytes: 40961 } }, { B: [{ hex: ff }, c] }] }"
        try await withRun(always(reply)) { run in
            let got = try await exchange(.request("GET /"), with: run.base)
            let wanted =
                Array("HTTP/1.1 204 No Content\r\nA: \(String(repeating: "ab", count: 20_480))a\r\nB: ".utf8) + [0xFF]
                + Array("\r\nB: c\r\n\r\n".utf8)
            #expect(got.bytes == wanted)
        }
    }
}
