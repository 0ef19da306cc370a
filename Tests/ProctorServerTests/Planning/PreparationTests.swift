import Foundation
import ProctorBase
import ProctorCoding
import ProctorTestSupport
import Testing

@testable import ProctorReplies
@testable import ProctorScenario
@testable import ProctorServer

/// Content is coded once, stored, and given to all waiting requests.
struct PreparationTests {
    private static func pieces(_ byteCount: Int) -> [ContentPiece] {
        [ContentPiece(ContentSource(.pattern(.offset, byteCount: byteCount)))]
    }

    private static func content(_ outcome: Preparation.Outcome?) throws -> ContentSource {
        guard case .content(let content)? = outcome else {
            throw FixtureFailure(description: "no content: \(outcome as Any)")
        }
        return content
    }

    private static func bytes(_ content: ContentSource) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try ContentPiece(content).read { span in
            for index in span.indices { bytes.append(span[index]) }
        }
        return bytes
    }

    @Test func `short content is there at once`() throws {
        let preparation = Preparation(Self.pieces(1000), [CodingStep(.gzip)], upTo: 1 << 20)
        preparation.start()
        let wanted = try CodingEncoder.encode(
            (0..<1000).map { OffsetPattern.offset.byte(at: $0) }, steps: [CodingStep(.gzip)])
        #expect(try Self.bytes(Self.content(preparation.outcome)) == wanted)
    }

    @Test(arguments: [100_000, 1_048_576, 1_048_577, 5_000_000])
    func `long content is coded elsewhere, and goes into a file beyond a megabyte`(byteCount: Int) async throws {
        let preparation = Preparation(Self.pieces(byteCount), [CodingStep(.identity)], upTo: byteCount)
        preparation.start()
        async let other = preparation.value()
        let content = try Self.content(await preparation.value())
        _ = try Self.content(await other)
        #expect(content.byteCount == byteCount)
        let isInMemory = if case .bytes = content { true } else { false }
        #expect(isInMemory == (byteCount <= 1 << 20))
        #expect(try Self.bytes(content) == (0..<byteCount).map { OffsetPattern.offset.byte(at: $0) })
    }

    @Test func `a request that leaves stops waiting, and the others get their content`() async throws {
        let preparation = Preparation(Self.pieces(20_000_000), [CodingStep(.gzip)], upTo: 1 << 30)
        let leaver = preparation.join { Issue.record("one who has left is woken") }
        async let other = preparation.value()
        while preparation.waiterCount < 2 { await Task.yield() }
        preparation.removeWaiter(leaver)
        preparation.start()
        #expect(try Self.content(await other).byteCount > 0)
    }

    @Test func `coding without waiting requests is abandoned, and made again for the next request`() async throws {
        let bodies = CodedBodies()
        let key = CodedBodies.Key(reply: 0, variant: 0, addresses: [])
        // Too much to code in a test.
        let endless = bodies.preparation(key, of: Self.pieces(1 << 40), by: [CodingStep(.gzip)], upTo: .max)
        endless.removeWaiter(endless.join {})
        guard case .abandoned? = await endless.value() else {
            Issue.record("it goes on for nobody")
            return
        }
        let next = bodies.preparation(key, of: Self.pieces(10), by: [CodingStep(.gzip)], upTo: .max)
        #expect(next !== endless)
        // The thread is free again: else this would wait behind it for ever.
        let long = Preparation(Self.pieces(100_000), [CodingStep(.gzip)], upTo: 1 << 20)
        long.start()
        #expect(try Self.content(await long.value()).byteCount > 0)
    }

    @Test(arguments: [1000, 3 << 20])
    func `content that is longer than the limit when it is coded fails with the limit`(byteCount: Int) async throws {
        for (limit, fits) in [(byteCount, true), (byteCount - 1, false)] {
            let preparation = Preparation(Self.pieces(byteCount), [CodingStep(.identity)], upTo: limit)
            preparation.start()
            switch await preparation.value() {
            case .content?: #expect(fits)
            case .failed(let reason)?:
                #expect(!fits)
                #expect(
                    reason == "the content can't be coded: it has more than \(limit) bytes then, which is the limit")
            case .abandoned?, nil: Issue.record("no outcome")
            }
        }
    }

    @Test func `what is coded already is not made for another look at it`() {
        let bodies = CodedBodies()
        let key = CodedBodies.Key(reply: 0, variant: 0, addresses: [])
        var madeCount = 0
        func pieces() -> [ContentPiece] {
            madeCount += 1
            return Self.pieces(10)
        }
        for _ in 0..<3 { _ = bodies.preparation(key, of: pieces(), by: [CodingStep(.gzip)], upTo: 1000) }
        #expect(madeCount == 1)
    }

    @Test func `content is shared by key, and made again where it failed`() async throws {
        let bodies = CodedBodies()
        let key = CodedBodies.Key(reply: 0, variant: 0, addresses: [])
        let one = bodies.preparation(key, of: Self.pieces(10), by: [CodingStep(.gzip)], upTo: 1000)
        #expect(bodies.preparation(key, of: Self.pieces(10), by: [CodingStep(.gzip)], upTo: 1000) === one)
        let other = CodedBodies.Key(reply: 0, variant: 1, addresses: [])
        #expect(bodies.preparation(other, of: Self.pieces(10), by: [CodingStep(.brotli)], upTo: 1000) !== one)

        let missing = SidecarFile(
            path: "/nonexistent/a.bin", byteCount: 10,
            location: try scenario(always("{ status: 200 }")).exchanges[0].location)
        let failing = CodedBodies.Key(reply: 1, variant: 0, addresses: [])
        let pieces = [ContentPiece(.file(missing))]
        let first = bodies.preparation(failing, of: pieces, by: [CodingStep(.gzip)], upTo: 1000)
        guard case .failed(let reason)? = first.outcome else {
            Issue.record("a missing file was coded")
            return
        }
        #expect(reason.contains("/nonexistent/a.bin"))
        #expect(bodies.preparation(failing, of: pieces, by: [CodingStep(.gzip)], upTo: 1000) !== first)
    }

    @Test func `addresses that clients make up are forgotten in their order`() {
        let bodies = CodedBodies()
        func preparation(_ number: Int) -> Preparation {
            bodies.preparation(
                CodedBodies.Key(reply: 0, variant: 0, addresses: Array("a\(number)".utf8)), of: Self.pieces(1),
                by: [CodingStep(.identity)], upTo: 1000)
        }
        let all = (0..<33).map(preparation)
        #expect(preparation(32) === all[32] && preparation(1) === all[1])
        #expect(preparation(0) !== all[0])
    }
}

extension Preparation {
    fileprivate func value() async -> Outcome? {
        let number = Locked<Int?>(nil)
        await withCheckedContinuation { continuation in
            let joined = join { continuation.resume() }
            number.withLock { $0 = joined }
        }
        if let number = number.withLock({ $0 }) { removeWaiter(number) }
        return outcome
    }
}
