internal import ProctorScenario

/// Where a reply stops between two writes, and what for; worked out with the plan.
final class Rhythm: Sendable {
    let cuts: Cuts
    let pace: Pace?
    /// The byte of the reply with which the pace begins.
    let paceStart: Int

    /// Bytes before which the peer must have read everything.
    enum Cuts: Sendable, Equatable {
        case none
        case every(Int)
        /// Ascending.
        case at([Int])

        /// The first cut behind `position`; `.max` when there is none.
        func next(after position: Int, index: inout Int) -> Int {
            switch self {
            case .none: return .max
            case .every(let size): return (position / size + 1) * size
            case .at(let offsets):
                while index < offsets.count, offsets[index] <= position { index += 1 }
                return index < offsets.count ? offsets[index] : .max
            }
        }
    }

    private init(_ cuts: Cuts, _ pace: Pace?, _ paceStart: Int) {
        self.cuts = cuts
        self.pace = pace
        self.paceStart = paceStart
    }

    /// nil for a reply that is sent as fast as the peer takes it.
    static func of(
        _ slicing: Slicing?, found: CutFinder?, byteCount: Int, pace: Pace? = nil, bodyStart: Int = 0
    ) -> Rhythm? {
        let cuts = Cuts(slicing, found, byteCount)
        guard cuts != .none || pace != nil else { return nil }
        return Rhythm(cuts, pace, pace?.scope == .body ? bodyStart : 0)
    }
}

extension Rhythm.Cuts {
    fileprivate init(_ slicing: Slicing?, _ found: CutFinder?, _ byteCount: Int) {
        switch slicing {
        case nil: self = .none
        case .everyByte: self = .every(1)
        case .size(let size): self = .every(max(1, size))
        case .offsets(let offsets): self = .at(offsets)
        case .midCRLF, .midChunkSize, .midUTF8: self = .at(found?.offsets ?? [])
        case .random(let seed, let count): self = .at(Self.random(seed, count, byteCount))
        }
    }

    /// At most `count - 1` different places between the first byte and the last.
    private static func random(_ seed: UInt64, _ count: Int, _ byteCount: Int) -> [Int] {
        guard byteCount > 1 else { return [] }
        var random = SplitMix64(seed: seed)
        var places: Set<Int> = []
        for _ in 0..<max(0, min(count, CutFinder.mostCuts + 1) - 1) { places.insert(random.next(in: 1..<byteCount)) }
        return places.sorted()
    }
}

/// A small generator whose numbers follow from its seed on every machine (Steele, Lea and Flood 2014).
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

    /// The standard library leaves open how it does this, and so might change it.
    mutating func next(in range: Range<Int>) -> Int {
        range.lowerBound + Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(range.count)).high)
    }
}

extension Slicing {
    /// How reply `number` of a run is cut that is to be cut anew.
    static func again(seed: UInt64, reply number: Int) -> Slicing {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number))
        return .random(seed: random.next(), count: 12)
    }
}
