internal import ProctorBase

/// Finds the id that a mistyped path probably meant, at a cost that neither the path nor the catalogue can raise much.
///
/// Ids are looked at by their length, then by the letters that they have; edit distances are worked out for those alone
/// that can be near, and for ``comparisonLimit`` of them at most. Letter case is ignored.
struct NearestID: Sendable {
    /// Positions in the catalogue, by length of the id, and alphabetically among those of one length.
    private let positions: [UInt32]
    /// For each of them: bit N says that a byte of the id has N as its six low bits.
    private let letters: [UInt64]
    /// Where the ids of each length begin in `positions`; one more at the end.
    private let starts: [Int]

    /// More names than this are not compared, however many might be near.
    static let comparisonLimit = 256

    /// Only the first bytes of an id count, as ``NearestName`` has it.
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

    /// Positions of ids that may be near, those of the same length first.
    func candidates(for name: [UInt8]) -> [Int] {
        let wanted = Self.letters(of: name)
        var found: [Int] = []
        for distance in 0...NearestName.mostEdits {
            for length in distance == 0 ? [name.count] : [name.count + distance, name.count - distance]
            where length >= 0 && length <= NearestName.longest {
                for index in starts[length]..<starts[length + 1]
                // An edit takes one letter away and brings one in, at most.
                where (letters[index] ^ wanted).nonzeroBitCount <= 2 * NearestName.mostEdits {
                    found.append(Int(positions[index]))
                    if found.count == Self.comparisonLimit { return found }
                }
            }
        }
        return found
    }

    /// The position of the nearest id; `ids` is what this was made from.
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
