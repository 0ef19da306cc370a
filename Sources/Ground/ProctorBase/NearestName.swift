package enum NearestName {
    /// The candidate with the smallest edit distance to `name`, if `name` can be a misspelling of it.
    ///
    /// At most a third of the longer name's bytes may be edits, but at least 1 and at most 3, and at least one byte of
    /// the name must stay. The case of ASCII letters is ignored. Of equally near candidates one with the same letters
    /// comes first, then the earlier one. Only the first 64 bytes of each name are compared.
    package static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
        var best = BestName(folded(name.utf8))
        var nearest: String?
        for candidate in candidates where best.improves(by: folded(candidate.utf8)) { nearest = candidate }
        return nearest
    }

    /// Longer names are cut, which bounds the time for hostile input.
    package static let longest = 64
    /// The greatest accepted distance, whatever the length.
    package static let mostEdits = 3

    /// The bytes that are compared: at most ``longest``, ASCII letters in lower case.
    package static func folded(_ name: some Collection<UInt8>) -> [UInt8] {
        name.prefix(longest).map(\.asciiLowercased)
    }

    /// The accepted number of edits for two names of which the longer one has `byteCount` bytes.
    static func allowance(longer byteCount: Int) -> Int { min(mostEdits, max(1, byteCount / 3)) }

    /// Counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment); nil for more
    /// than `limit`.
    ///
    /// The time is the shorter name's length times `2 * limit + 1`, without the bytes that both names begin and end
    /// with.
    static func editDistance(_ left: [UInt8], _ right: [UInt8], upTo limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var start = 0
        while start < left.count, start < right.count, left[start] == right[start] { start += 1 }
        var (leftEnd, rightEnd) = (left.count, right.count)
        while leftEnd > start, rightEnd > start, left[leftEnd - 1] == right[rightEnd - 1] {
            leftEnd -= 1
            rightEnd -= 1
        }
        if start == leftEnd || start == rightEnd { return max(leftEnd, rightEnd) - start }
        return banded(left[start..<leftEnd], right[start..<rightEnd], limit: limit)
    }

    /// Computes only the cells near the diagonal: all other cells are greater than the limit.
    private static func banded(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, limit: Int) -> Int? {
        let (rows, columns) = (left.count, right.count)
        let beyond = limit + 1
        var beforeLast = [Int](repeating: beyond, count: columns + 1)
        var last = (0...columns).map { min($0, beyond) }
        var current = beforeLast
        var smallestBefore = 0
        for row in 1...rows {
            let first = max(1, row - limit)
            let end = min(columns, row + limit)
            guard first <= end else { return nil }
            current[first - 1] = first == 1 ? min(row, beyond) : beyond
            var smallest = current[first - 1]
            let byte = left[left.startIndex + row - 1]
            for column in first...end {
                let other = right[right.startIndex + column - 1]
                // The cell above, at the right end of the band, was not computed in the row before.
                let above = column == row + limit ? beyond : last[column]
                var cost = min(above + 1, current[column - 1] + 1, last[column - 1] + (byte == other ? 0 : 1))
                if row > 1, column > 1, byte == right[right.startIndex + column - 2],
                    left[left.startIndex + row - 2] == other
                {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                current[column] = min(cost, beyond)
                smallest = min(smallest, cost)
            }
            // A swap continues the row before this one, so both rows must be beyond the limit.
            guard smallest <= limit || smallestBefore < limit else { return nil }
            smallestBefore = smallest
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[columns] <= limit ? last[columns] : nil
    }
}

package struct BestName {
    private let wanted: [UInt8]
    private let letters: [UInt8]
    private var distance = Int.max
    private var hasSameLetters = false

    /// `wanted`, and all names that are compared with it, are results of `folded`.
    package init(_ wanted: [UInt8]) {
        self.wanted = wanted
        letters = wanted.sorted()
    }

    package mutating func improves(by other: [UInt8]) -> Bool {
        let longer = max(wanted.count, other.count)
        let limit = min(NearestName.allowance(longer: longer), distance)
        guard let edits = NearestName.editDistance(wanted, other, upTo: limit), edits < max(1, longer) else {
            return false
        }
        let isAlike = wanted.count == other.count && letters == other.sorted()
        guard edits < distance || isAlike && !hasSameLetters else { return false }
        (distance, hasSameLetters) = (edits, isAlike)
        return true
    }
}
