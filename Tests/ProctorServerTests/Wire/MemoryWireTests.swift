import ProctorBase
import ProctorCoding
import ProctorFixtures
import ProctorHTTP
import ProctorJournal
import ProctorLoop
import ProctorScenario
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer
@testable import ProctorServing

/// Fixtures on a wire that is in memory alone: what comes out is what the fixture says.
struct MemoryWireTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let id: String
        var fields: [String] = []
        /// Where it is not that of the fixture.
        var status: Int?
        /// The content that is asked for; nil: all.
        var part: Range<Int>?
        var coding: ContentCoding?
        var testDescription: String { id }
    }

    static let rows: [Row] =
        [
            "fault/bytes-put-into-a-body", "fault/close-after-the-head", "fault/close-before-the-last-chunk",
            "fault/close-within-a-chunk-size", "fault/close-within-the-fields", "fault/close-within-the-status-line",
            "fault/close-within-the-trailers", "fault/half-close-before-the-head",
            "fault/half-close-behind-the-answer", "fault/half-close-within-the-body",
            "fault/reset-abruptly-within-the-body", "fault/reset-after-the-head", "fault/reset-after-the-last-byte",
            "fault/stall-after-the-head", "fault/stall-within-a-chunk-size", "broken/body-too-short",
            "broken/reset-within-the-body", "body/chunk-extensions-by-turn", "body/chunk-of-one-byte-each",
            "body/chunk-sizes-in-capitals", "body/field-of-60000-bytes", "body/head-of-200-fields",
            "body/junk-behind-the-last-chunk", "body/paced", "body/paced-from-the-first-byte",
            "body/slice-between-head-and-body", "body/slice-every-byte", "body/slice-at-random",
            "body/trailers-that-are-not-allowed", "body/until-close-and-empty", "body/until-close-in-http10",
            "body/until-half-close", "plain/trailers", "plain/status-text", "plain/unknown-status",
            "interim/in-the-same-packet", "interim/several-different", "interim/103-twice-with-a-pause",
        ].map { Row(id: $0) } + [
            Row(id: "coding/gzip", fields: ["Accept-Encoding: gzip"], coding: .gzip),
            Row(id: "coding/gzip-in-chunks", fields: ["Accept-Encoding: gzip"], coding: .gzip),
            Row(id: "coding/gzip-cut-at-every-byte", fields: ["Accept-Encoding: gzip"], coding: .gzip),
            Row(id: "coding/gzip-of-what-cannot-be-shorter", fields: ["Accept-Encoding: gzip"], coding: .gzip),
            Row(id: "range/first-bytes", fields: ["Range: bytes=0-9"], status: 206, part: 0..<10),
            Row(id: "range/from-the-middle", fields: ["Range: bytes=10-19"], status: 206, part: 10..<20),
        ]

    @Test func `there are forty fixtures or more, each once`() {
        #expect(Self.rows.count >= 40 && Set(Self.rows.map(\.id)).count == Self.rows.count)
    }

    @Test(arguments: rows)
    func `a wire in memory gets the status, fields, content and effects of the fixture`(_ row: Row) async throws {
        let scenario = try #require(ShippedLibrary.contents.scenarios.first { $0.id == row.id })
        let reply = try #require(scenario.exchanges[0].replies.first)
        guard case .structured(let message)? = reply.message else { throw FixtureFailure(description: "raw") }
        let stage = Stage(
            compiled: CompiledScenario(scenario), addresses: .origins([Array("h:1".utf8)], schemes: [.http]),
            journal: Journal(
                of: scenario.id, limits: Journal.Limits(), configuration: ServerConfiguration()), startsOver: false)
        let sent = try await Self.play(scenario.exchanges[0], of: stage, fields: row.fields)
        let wanted = Wanted(message, reply.effects)

        #expect(sent.heads.map(\.first) == wanted.statuses(row.status ?? message.status).map { ":status: \($0)" })
        if let fields = sent.heads.last, wanted.hasHead {
            #expect(wanted.fields.filter { !fields.contains($0) } == [])
        }
        var content = sent.content
        if let coding = row.coding {
            content = try CodingDecoder.decode(content, codings: [coding], limit: 1 << 20)
        }
        let all = row.part.map { Array(wanted.content[$0]) } ?? wanted.content
        // Not as arrays, of which a failure would print every byte.
        let isRight = content.elementsEqual(all.prefix(wanted.contentByteCount))
        #expect(isRight, "\(content.count) bytes of \(all.count) came, and \(wanted.contentByteCount) are wanted")
        #expect(sent.trailers == (wanted.reachesTrailers ? wanted.trailers : []))
        #expect(sent.inserted == wanted.inserted)
        #expect(sent.hasEnded == wanted.reachesTrailers)
        let effects = stage.journal.snapshot().entries.compactMap { entry in
            if case .effectPlayed(let effect) = entry.event { effect.action } else { nil }
        }
        #expect(effects == wanted.effects)
        #expect(wanted.cuts(sent.portions) == [])
    }

    /// Plays the first reply of the exchange to a request that matches it.
    private static func play(
        _ exchange: Exchange, of stage: Stage, fields: [String]
    ) async throws -> MemoryWire.Sent {
        let words = exchange.request.text.split(separator: " ").map(String.init)
        let method = try #require(words.first?.split(separator: "|").first.map(String.init))
        let text = (["\(method) \(try #require(words.last)) HTTP/1.1", "Host: h:1"] + fields).joined(separator: "\r\n")
        let head = try RequestView(parsing: text + "\r\n\r\n").head
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let sent = try await loop.run {
            let wire = MemoryWire(stage, head, on: loop)
            let request = OriginRequest(head: head, target: head.target, origin: exchange.origin)
            do throws(ConnectionEnd) {
                try await StageRequest.handle(request, of: stage, on: wire)?()
            } catch {
                // An effect has ended it; what came before counts.
            }
            return wire.sent
        }
        group.stop()
        await group.ended()
        return sent
    }
}

/// What a fixture says, worked out without a plan.
private struct Wanted {
    private let message: StructuredReply
    /// Up to the first that cuts the reply.
    private var played: [Effect] = []
    let content: [UInt8]

    init(_ message: StructuredReply, _ effects: [Effect]) {
        self.message = message
        var content: [UInt8] = []
        for case .bytes(let source) in message.body {
            try? ContentPiece(ContentSource(source)).read { span in
                for index in span.indices { content.append(span[index]) }
            }
        }
        self.content = content
        // The sort is stable: effects at one place are in the order of the file.
        for effect in effects.sorted(by: { Self.place($0) < Self.place($1) }) {
            played.append(effect)
            if effect.action.row.ends.cutsReply() { break }
        }
    }

    /// Before, in and behind the content, and the byte there.
    private static func place(_ effect: Effect) -> (Int, Int) {
        switch effect.position {
        case .head(let offset): (0, offset)
        case .body(let offset), .wire(let offset): (1, offset)
        case .frame, .end: (2, 0)
        }
    }

    private var cut: Effect? { played.last.flatMap { $0.action.row.ends.cutsReply() ? $0 : nil } }

    var isCut: Bool { cut != nil }

    var hasHead: Bool { if case .head(0)? = cut?.position { false } else { true } }

    var reachesTrailers: Bool { if case .end? = cut?.position { true } else { !isCut } }

    var contentByteCount: Int {
        switch cut?.position {
        case .head?: 0
        case .body(let offset)?, .wire(let offset)?: offset
        case .frame?, .end?, nil: .max
        }
    }

    func statuses(_ final: Int) -> [Int] {
        let interim = message.interim.compactMap { piece in
            if case .reply(let reply) = piece { reply.status } else { nil }
        }
        return interim + (hasHead ? [final] : [])
    }

    var fields: [String] { Self.lines(message.headers.filter { !ConnectionSpecificFields.contain($0.name) }) }

    var trailers: [String] { Self.lines(message.trailers) }

    private static func lines(_ fields: [ReplyField]) -> [String] {
        fields.map { field in
            let name = String(decoding: field.name, as: UTF8.self).lowercased()
            return "\(name): \(String(decoding: field.value.literalBytes ?? [], as: UTF8.self))"
        }
    }

    var effects: [String] {
        let interim = message.interim.compactMap { piece in
            if case .effect(let action) = piece { action.row.played(at: "").action } else { nil }
        }
        return interim + played.map { $0.action.row.played(at: "").action }
    }

    var inserted: [UInt8] {
        var bytes: [UInt8] = []
        for case .send(.literal(let sent)) in played.map(\.action) { bytes += sent }
        return bytes
    }

    /// The cuts and the bounds of the pace that the portions do not keep.
    func cuts(_ portions: [Int]) -> [String] {
        let ends = Set(portions.indices.map { portions[...$0].reduce(0, +) })
        let sum = portions.reduce(0, +)
        var missed: [String] = []
        switch message.slicing {
        case .everyByte? where portions.contains { $0 > 1 }: missed.append("every byte")
        case .offsets(let offsets)?: missed += offsets.filter { $0 < sum && !ends.contains($0) }.map { "at \($0)" }
        case .random(_, let count)? where portions.count < count / 2: missed.append("\(portions.count) slices")
        default: break
        }
        if let pace = message.pace, let most = portions.max(), most > pace.byteCount { missed.append("pace") }
        return missed
    }
}
