/// A few of the indexes of a list, in their order, at four bytes each.
struct AscendingIndexes: Sendable {
    private var indexes: [UInt32] = []

    /// `index` is greater than all before it, and below 2^32.
    mutating func append(_ index: Int) { indexes.append(UInt32(truncatingIfNeeded: index)) }

    func contains(_ index: Int) -> Bool {
        let place = firstPlace(from: index)
        return place < indexes.count && Int(indexes[place]) == index
    }

    /// Appends those within `range` as they are in a copy of that part which begins at `start`.
    mutating func repeatIndexes(_ range: Range<Int>, from start: Int) {
        for place in firstPlace(from: range.lowerBound)..<firstPlace(from: range.upperBound) {
            append(Int(indexes[place]) - range.lowerBound + start)
        }
    }

    /// The place of the first index that is not below `index`.
    private func firstPlace(from index: Int) -> Int {
        var (low, high) = (0, indexes.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(indexes[middle]) < index { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
