import Foundation
import ProctorCoding
import ProctorFixtures
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// What the server sends coded, before the decoders of others: a well-formed body is taken and is the same, a broken one
/// is refused.
@Suite(.wide)
struct `Codings on the wire` {
    /// What curl 7.88 makes of a body that every decoder has to take, and why.
    private static let refusedByCurl = [
        "coding/gzip-of-several-members": "one member is decoded, and the second is an error (RFC 1952 §2.2)"
    ]

    @Test func `every coding of the family is judged, well-formed and broken`() {
        let wellFormed = Set(CodedRow.all.filter(\.isWellFormed).flatMap { $0.steps.map(\.coding) })
        #expect(wellFormed == [.gzip, .xGzip, .deflate, .brotli, .zstd])
        let broken = Set(CodedRow.all.filter { !$0.isWellFormed }.flatMap { $0.steps.map(\.coding) })
        #expect(broken == [.gzip, .deflate, .brotli, .zstd])
    }

    @Test(arguments: CodedRow.all)
    func `command-line programs take what is well formed and refuse what is not`(row: CodedRow) async throws {
        try await Self.judge(row) { try await Judge.tool($0.coding.rawValue, isRaw: $0.isRaw, $1) }
    }

    @Test(arguments: CodedRow.all.filter { !$0.steps.contains { $0.coding == .zstd } })
    func `python takes what is well formed and refuses what is not`(row: CodedRow) async throws {
        try await Self.judge(row) { step, bytes in
            let program =
                switch step.coding {
                case .gzip, .xGzip: Judge.gzip
                case .deflate: step.isRaw ? Judge.raw : Judge.zlib
                case .brotli: Judge.brotli
                case .zstd, .identity: ""
                }
            return try await Judge.python(program, bytes)
        }
    }

    @Test(arguments: CodedRow.all.filter { $0.isWellFormed && $0.isSaid })
    func `curl --compressed delivers what was coded`(row: CodedRow) async throws {
        let curl = try await CodedWalk.decoded(row)
        if let reason = Self.refusedByCurl[row.scenario.id] {
            #expect(curl.status != 0, "curl does it now: \(reason)")
        } else {
            #expect(curl.status == 0)
            // curl makes no file for a body of no bytes.
            #expect(curl.file ?? [] == row.content)
        }
    }

    /// Undoes the steps, the last one first; only the last may be broken.
    private static func judge(
        _ row: CodedRow, by undo: (CodingStep, [UInt8]) async throws -> Judge.Verdict
    ) async throws {
        var bytes = try await CodedWalk.raw(row)
        try #require(!bytes.isEmpty)
        for step in row.steps.reversed() {
            let verdict = try await undo(step, bytes)
            if verdict.isUnknown { return }
            guard row.isWellFormed else {
                #expect(!verdict.isTaken)
                return
            }
            try #require(verdict.isTaken, "\(verdict.complaint)")
            bytes = verdict.content
        }
        #expect(bytes == row.content)
    }
}

/// A reply of `fixtures/coding` whose content is coded, with what is to be thought of it.
struct CodedRow: Sendable, CustomTestStringConvertible {
    let scenario: Scenario
    let path: String
    /// The first one was applied first.
    let steps: [CodingStep]
    /// What a client must offer to get it; empty: nothing.
    let accepted: String
    /// Whether the head tells of the coding.
    let isSaid: Bool
    /// Before it was coded.
    let content: [UInt8]

    var testDescription: String { "\(scenario.id) \(accepted)" }

    /// Whether every decoder of the codings has to take it.
    var isWellFormed: Bool {
        steps.allSatisfy { step in
            !step.hasWrongChecksum && !step.gzip.hasWrongLength && step.missingByteCount == 0 && step.trailing.isEmpty
        }
    }

    /// Every 200 that answers a GET and whose connection comes to its proper end; one for each coding that is offered.
    static let all: [CodedRow] = ShippedLibrary.contents.scenarios.filter { $0.id.hasPrefix("coding/") }
        .flatMap { scenario in scenario.exchanges.flatMap { rows(scenario, $0) } }

    private static func rows(_ scenario: Scenario, _ exchange: Exchange) -> [CodedRow] {
        guard let reply = exchange.replies.first, reply.effects.isEmpty,
            case .structured(let message) = reply.message, message.status == 200,
            let coding = message.coding, coding.place == .content,
            exchange.request.methods?.contains(Array("GET".utf8)) ?? true, let path = exchange.request.target.exactBytes
        else { return [] }
        let context = TemplateContext(base: [], authorities: [])
        let content = message.body.flatMap { piece in
            if case .bytes(let source) = piece { (try? source.bytes(in: context)) ?? [] } else { [UInt8]() }
        }
        func row(_ steps: [CodingStep], accepted: String) -> CodedRow {
            let isSaid =
                coding.label != .absent
                || message.headers.contains { $0.name.elementsEqual("Content-Encoding".utf8) }
            return CodedRow(
                scenario: scenario, path: String(decoding: path, as: UTF8.self), steps: steps, accepted: accepted,
                isSaid: isSaid, content: content)
        }
        return switch coding.plan {
        case .apply(let steps): [row(steps, accepted: "")]
        case .negotiate(let steps): steps.map { row([$0], accepted: $0.coding.rawValue) }
        }
    }
}

/// Fetches a coded reply from a server of its own.
enum CodedWalk {
    /// Clients together; more would only wait for the processor.
    private static let gate = Gate(width: 2)

    /// The body as it came, fetched by Python's http.client, which undoes nothing.
    static func raw(_ row: CodedRow) async throws -> [UInt8] {
        try await fetch(row) { url, _ in Tools.script("raw_body.py", [url, row.accepted]) }.output
    }

    /// What curl makes of it when it offers all that it knows: its exit status, and the file.
    static func decoded(_ row: CodedRow) async throws -> (status: Int32, file: [UInt8]?) {
        let outcome = try await fetch(row) { url, file in
            [
                Tools.curl, "-q", "-sS", "--noproxy", "*", "-m", "\(ClientTimes.step)", "--compressed", "-o", file,
            ] + (row.accepted.isEmpty ? [] : ["-H", "Accept-Encoding: \(row.accepted)"]) + [url]
        }
        return (outcome.status, outcome.file)
    }

    private static func fetch(
        _ row: CodedRow, _ words: @Sendable (_ url: String, _ file: String) -> [String]
    ) async throws -> (status: Int32, output: [UInt8], file: [UInt8]?) {
        try await gate.admit {
            let folder = try TestFolder()
            defer { folder.remove() }
            let server = try await Server.start(Catalogue([row.scenario]))
            do {
                let run = try await server.run(row.scenario.id)
                let outcome = try await ChildProcess.run(
                    words(run.base + row.path, "\(folder.path)/file"), within: ClientTimes.whole)
                await server.stop(grace: .zero)
                let file = try? Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/file"))
                return (outcome.status, outcome.output, file.map { [UInt8]($0) })
            } catch {
                await server.stop(grace: .zero)
                throw error
            }
        }
    }
}
