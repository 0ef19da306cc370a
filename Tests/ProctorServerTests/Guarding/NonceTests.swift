import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Counts of one nonce in any order, against a set of them; `Tests/Data/readers/auth/issued-nonces.md` has the bounds.
struct NonceTests {
    @Test func `counts are seen once within the window, and never again below it`() {
        var counts = NonceCounts()
        var seen: Set<UInt32> = [0]
        var random = SplitMix64(seed: 11)
        var highest: UInt32 = 0
        for _ in 0..<20_000 {
            let count = UInt32(truncatingIfNeeded: random.next(in: 0..<40)) + highest - min(highest, 20)
            let isTooOld = highest >= NonceCounts.windowCount && count <= highest - NonceCounts.windowCount
            let isSeen = isTooOld || seen.contains(count)
            #expect(counts.hasSeen(count) == isSeen)
            let wasTaken = counts.use(count)
            #expect(wasTaken == !isSeen)
            seen.insert(count)
            highest = max(highest, count)
            #expect(counts.highest == highest)
        }
    }
}
