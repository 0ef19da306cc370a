internal import ProctorBase

/// Finds the id most similar to a mistyped path.
///
/// The cost is bounded for any path and catalogue: ids are chosen by length, then by their letters, and at most
/// ``comparisonLimit`` edit distances are computed. Letter case is ignored.
struct NearestID: Sendable {
    /// Positions in the catalogue, sorted by length of the id, then alphabetically.
    private let positions: [UInt32]
    /// For each of `positions`: bit N is set when a byte of the id has N as its six low bits.
    private let letters: [UInt64]
    /// Where the ids of each length begin in `positions`; one more at the end.
    private let starts: [Int]

    static let comparisonLimit = 256

    /// Only the first bytes of an id are used, as in ``NearestName``.
    init(_ ids: some Collection<String>) {
        let folded = ids.map { NearestName.folded($0.utf8) }
        var starts = [Int](repeating: 0, count: NearestName.longest + 2)
        for id in folded { starts[id.count + 1] += 1 }
        for length in 1..<starts.count { starts[length] += starts[length - 1] }
        var next = starts
        var positions = [UInt32](repeating: 0, count: folded.count)
        var letters = [UInt64](repeating: 0, count: folded.count)
        for (position, id) in folded.enumerated() {
            positions[next[id.count]] = UInt32(position)
            letters[next[id.count]] = Self.letters(of: id)
            next[id.count] += 1
        }
        (self.positions, self.letters, self.starts) = (positions, letters, starts)
    }

    /// Positions of ids that may be similar, those of the same length first.
    func candidates(for name: [UInt8]) -> [Int] {
        let wanted = Self.letters(of: name)
        var candidates: [Int] = []
        for distance in 0...NearestName.mostEdits {
            for length in distance == 0 ? [name.count] : [name.count + distance, name.count - distance]
            where length >= 0 && length <= NearestName.longest {
                for index in starts[length]..<starts[length + 1]
                // An edit removes one letter and adds one, at most.
                where (letters[index] ^ wanted).nonzeroBitCount <= 2 * NearestName.mostEdits {
                    candidates.append(Int(positions[index]))
                    if candidates.count == Self.comparisonLimit { return candidates }
                }
            }
        }
        return candidates
    }

    /// The position of the nearest id; `ids` must be those that this value was made from.
    func find(_ name: some Collection<UInt8>, in ids: (Int) -> String) -> Int? {
        let folded = NearestName.folded(name)
        var best = BestName(folded)
        var nearest: Int?
        for position in candidates(for: folded) where best.improves(by: NearestName.folded(ids(position).utf8)) {
            nearest = position
        }
        return nearest
    }

    private static func letters(of name: [UInt8]) -> UInt64 { name.reduce(0) { $0 | 1 << UInt64($1 & 63) } }
}
