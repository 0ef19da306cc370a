import ProctorCoding
import ProctorTestSupport
import Testing

/// Our bytes before the programs of others, and theirs before our decoders.
@Suite(.limit(minutes: 10))
struct OutsideTests {
    @Test(arguments: Row.wellFormed)
    func `other programs decode our well-formed bytes to the same content`(row: Row) async throws {
        for content in Sample.all {
            let coded = try CodingEncoder.encode(content, steps: [row.step])
            let verdict = try await Judge.tool(row.step, coded)
            #expect(verdict.isTaken, "\(verdict.complaint)")
            #expect(verdict.content == content)
        }
    }

    @Test(arguments: Row.wellFormed.filter { $0.step.coding.isGzip })
    func `gzip -t and python's gzip accept our well-formed bytes`(row: Row) async throws {
        let coded = try CodingEncoder.encode(Sample.mixture, steps: [row.step])
        let test = try await Judge.run(["/usr/bin/env", "gzip", "-t"], coded)
        #expect(test.isTaken, "\(test.complaint)")
        let verdict = try await Judge.python(Judge.gzip, coded)
        #expect(verdict.isTaken && verdict.content == Sample.mixture, "\(verdict.complaint)")
    }

    @Test(arguments: BrokenRow.all)
    func `other programs refuse the damaged bytes too`(row: BrokenRow) async throws {
        let coded = try CodingEncoder.encode(Sample.text, steps: [row.step])
        let verdict = try await Judge.tool(row.step, coded)
        #expect(!verdict.isTaken)
        guard row.step.coding.isGzip else { return }
        #expect(try await !Judge.run(["/usr/bin/env", "gzip", "-t"], coded).isTaken)
        #expect(try await !Judge.python(Judge.gzip, coded).isTaken)
    }

    @Test(arguments: [
        (["gzip", "-c", "-9"], ContentCoding.gzip), (["gzip", "-cn", "-1"], .xGzip), (["brotli", "-c"], .brotli),
        (["brotli", "-c", "-q", "1", "-w", "10"], .brotli), (["zstd", "-c", "--check"], .zstd),
        (["zstd", "-c", "-19", "--no-check"], .zstd),
    ])
    func `bytes that other programs coded are decoded`(words: [String], coding: ContentCoding) async throws {
        for content in Sample.all {
            let coded = try await Judge.run(["/usr/bin/env"] + words, content)
            try #require(coded.isTaken, "\(coded.complaint)")
            let decoded = try Feeding.whole(coded.content, coding)
            #expect(decoded.content == content)
            #expect(decoded.failure == nil)
            #expect(decoded.greatestCall <= CodingDecoder.outputBound)
        }
    }
}

extension Judge {
    /// The program for what one step made.
    static func tool(_ step: CodingStep, _ coded: [UInt8]) async throws -> Verdict {
        try await tool(step.coding.rawValue, isRaw: step.isRaw, coded)
    }
}
