/// The numbers of lanes that are no longer remembered, as ranges; they come about in order, so these are few.
struct ForgottenLanes {
    private var ranges: [ClosedRange<Int>] = []
    private(set) var count = 0

    /// With more, the lowest two become one.
    static let mostRanges = 4_096

    func contains(_ number: Int) -> Bool {
        let index = firstIndex(endingAtOrAfter: number)
        return index < ranges.count && ranges[index].contains(number)
    }

    mutating func insert(_ number: Int) {
        count += 1
        let index = firstIndex(endingAtOrAfter: number)
        if index < ranges.count, ranges[index].contains(number) { return }
        let joinsNext = index < ranges.count && number < .max && ranges[index].lowerBound == number + 1
        let joinsPrevious = index > 0 && number > .min && ranges[index - 1].upperBound == number - 1
        switch (joinsPrevious, joinsNext) {
        case (true, true):
            ranges[index - 1] = ranges[index - 1].lowerBound...ranges[index].upperBound
            ranges.remove(at: index)
        case (true, false): ranges[index - 1] = ranges[index - 1].lowerBound...number
        case (false, true): ranges[index] = number...ranges[index].upperBound
        case (false, false): ranges.insert(number...number, at: index)
        }
        if ranges.count > Self.mostRanges {
            ranges[1] = ranges[0].lowerBound...ranges[1].upperBound
            ranges.removeFirst()
        }
    }

    private func firstIndex(endingAtOrAfter number: Int) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
