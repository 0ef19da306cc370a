internal import ProctorBase
internal import ProctorJournal
package import ProctorScenario

/// Where a reply stops between two writes; computed with the plan.
package final class WriteSchedule: Sendable {
    package let cuts: Cuts
    package let pace: Pace?
    /// The offset in the reply at which the pace begins.
    package let paceStart: Int

    /// Offsets before which the peer must have read everything.
    package enum Cuts: Sendable, Equatable {
        case none
        case every(Int)
        case at([Int])

        /// The first cut after `position`; `.max` when there is none.
        package func next(after position: Int, index: inout Int) -> Int {
            switch self {
            case .none: return .max
            case .every(let size): return (position / size + 1) * size
            case .at(let offsets):
                while index < offsets.count, offsets[index] <= position { index += 1 }
                return index < offsets.count ? offsets[index] : .max
            }
        }
    }

    /// nil for a reply without cuts and pace; `found` are the cuts that depend on the bytes.
    package init?(_ slicing: Slicing?, found: [Int] = [], byteCount: Int, pace: Pace? = nil, bodyStart: Int = 0) {
        cuts =
            switch slicing {
            case nil: .none
            case .everyByte: .every(1)
            case .size(let size): .every(max(1, size))
            case .offsets(let offsets): .at(offsets)
            case .midCRLF, .midChunkSize, .midUTF8: .at(found)
            case .random(let seed, let count): .at(Self.randomCuts(seed: seed, count: count, byteCount: byteCount))
            case .once(let seed, let limit):
                byteCount > limit ? .none : .at(Self.randomCuts(seed: seed, count: 2, byteCount: byteCount))
            }
        self.pace = pace
        paceStart = pace?.scope == .body ? bodyStart : 0
        if cuts == .none, pace == nil { return nil }
    }

    /// At most `count - 1` different offsets between the first byte and the last.
    private static func randomCuts(seed: UInt64, count: Int, byteCount: Int) -> [Int] {
        guard byteCount > 1 else { return [] }
        var random = SplitMix64(seed: seed)
        var places: Set<Int> = []
        for _ in 0..<max(0, min(count, CutFinder.mostCuts + 1) - 1) { places.insert(random.next(in: 1..<byteCount)) }
        return places.sorted()
    }
}

/// A generator whose numbers depend only on its seed (Steele, Lea and Flood 2014).
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Not the standard library's method, which may change.
    mutating func next(in range: Range<Int>) -> Int {
        range.lowerBound + Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(range.count)).high)
    }
}

extension Recutting {
    /// What one segment holds on a network with frames of 1,500 bytes.
    private static let segmentByteCount = 1_460

    func slicing(ofReply number: Int, as layout: WireLayout) -> Slicing? {
        switch self {
        case .often(let seed): return .random(seed: Self.seed(seed, number), count: 12)
        case .once(let seed):
            guard layout == .bytes else { return nil }
            return .once(seed: Self.seed(seed, number), byteLimit: Self.segmentByteCount)
        }
    }

    private static func seed(_ seed: UInt64, _ number: Int) -> UInt64 {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number))
        return random.next()
    }
}
