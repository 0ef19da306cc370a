import ProctorHTTP2
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// What the journal says of the server's own field blocks.
struct SentBlockTests {
    private let yaml = """
        summary: blocks of every kind
        origins: { main: { protocols: [h2] } }
        exchanges:
          - request: GET /page
            reply:
              status: 200
              headers: { x-page: once }
              interim: [{ status: 103, headers: { x-early: hint } }]
              framing: chunked
              trailers: { x-end: there }
              body: page
              effects: [{ at: head, do: push /style }]
          - request: GET /style
            reply: { status: 200, headers: { x-page: once }, body: style }
          - request: GET /divided
            reply:
              status: 200
              headers: { x-page: once }
              body: divided
              effects:
                - { at: head, do: continuation 1 }
                - { at: end, do: { frame: { type: HEADERS, flags: [END_HEADERS], fields: { x-late: frame } } } }
        """

    private func blocks(_ paths: [String]) async throws -> [FieldBlockNote] {
        try await withRun(yaml) { run in
            let base = run.base
            try await onThread {
                let frames = try FrameWire(Wire(to: base))
                for (number, path) in paths.enumerated() {
                    try frames.request("GET \(path)", on: UInt32(2 * number + 1))
                    _ = try frames.reply(on: UInt32(2 * number + 1))
                }
            }
            _ = try await run.journal.lines(untilClosed: 1)
            return run.journal.snapshot().entries.compactMap { entry in
                guard case .fieldBlock(let block) = entry.event, block.party == .server else { return nil }
                return block
            }
        }
    }

    private func representations(of name: String, in block: FieldBlockNote?) -> [String] {
        (block?.fields ?? []).filter { $0.name.elementsEqual(name.utf8) }.map { field in
            field.representation.rawValue + (field.index.map { " \($0)" } ?? "")
        }
    }

    @Test func `each kind of block is noted with its stream`() async throws {
        let blocks = try await blocks(["/page"])
        let kinds = blocks.map { "\($0.kind.rawValue) \($0.stream)" }
        #expect(kinds.filter { $0.hasSuffix(" 1") } == ["interim 1", "promise 1", "response 1", "trailers 1"])
        #expect(kinds.contains("response 2"))
        let promise = blocks.first { $0.kind == .promise }
        #expect(representations(of: ":method", in: promise) == ["indexed 2"])
        #expect(blocks.allSatisfy { $0.frameCount == 1 && $0.itemCount == $0.items.count && $0.byteCount > 0 })
    }

    @Test func `a field that came into the table is indexed from then on`() async throws {
        let blocks = try await blocks(["/style", "/style", "/style"])
        #expect(blocks.map(\.stream) == [1, 3, 5])
        #expect(representations(of: "x-page", in: blocks.first) == ["incremental"])
        let later = representations(of: "x-page", in: blocks.last)
        #expect(later.count == 1 && later[0].hasPrefix("indexed "))
        #expect(blocks[1].items == blocks[2].items && blocks[1].byteCount < blocks[0].byteCount)
    }

    @Test func `a divided block counts its frames, and one of an effect is noted too`() async throws {
        let blocks = try await blocks(["/divided"])
        let response = blocks.first { $0.kind == .response }
        #expect(response.map { $0.frameCount == $0.byteCount } == true)
        let late = try #require(blocks.last)
        #expect(late.kind == .trailers && representations(of: "x-late", in: late) == ["incremental"])
    }
}
