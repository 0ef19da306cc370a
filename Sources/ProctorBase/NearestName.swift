/// Finds what somebody probably meant to write.
public enum NearestName {
    /// The candidate with the smallest edit distance to `name`, if it is near enough to be a slip of the finger.
    ///
    /// Near enough is a third of the longer name, at least 1 and at most 3 edits, and something must be left of the
    /// name; letter case is ignored. Ties go to the first candidate that has the same letters, else to the first.
    public static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().utf8.prefix(longest))
        var best: (name: String, distance: Int, hasSameLetters: Bool)?
        let letters = wanted.sorted()
        for candidate in candidates {
            let other = Array(candidate.lowercased().utf8.prefix(longest))
            let longer = max(wanted.count, other.count)
            let allowed = min(3, max(1, longer / 3))
            let distance = editDistance(wanted, other)
            guard distance <= allowed, distance < max(1, longer), distance <= best?.distance ?? .max else { continue }
            let hasSameLetters = wanted.count == other.count && letters == other.sorted()
            guard distance < best?.distance ?? .max || hasSameLetters && best?.hasSameLetters == false else { continue }
            best = (candidate, distance, hasSameLetters)
        }
        return best?.name
    }

    /// Longer names are cut, so that hostile input costs nothing.
    private static let longest = 64

    /// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
    static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row] + [Int](repeating: 0, count: right.count)
            for column in 1...right.count {
                let same = left[row - 1] == right[column - 1]
                current[column] = min(
                    last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    current[column] = min(current[column], beforeLast[column - 2] + 1)
                }
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
