import Foundation
import ProctorCoding
import ProctorScenario
import ProctorTestSupport
import Testing

/// What the server sends coded, before the decoders of others: a well-formed body is taken and is the same, a broken one
/// is refused.
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
