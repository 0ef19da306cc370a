/// Pairs between two sides, each member in one at most, that grow by augmenting paths; who has a partner keeps one.
package struct Pairing {
    /// Whether two members fit, by the first side and the second.
    private let fits: [[Bool]]
    package private(set) var secondOfFirst: [Int?]
    package private(set) var firstOfSecond: [Int?]

    /// `fits` has a row for each member of the first side with a column for each of the second.
    package init(fits: [[Bool]], secondCount: Int) {
        self.fits = fits
        secondOfFirst = Array(repeating: nil, count: fits.count)
        firstOfSecond = Array(repeating: nil, count: secondCount)
    }

    /// False when it can't have a partner together with all that have one; the time is bounded by the pairs that fit.
    package mutating func give(first member: Int) -> Bool {
        // The member of the first side from which each of the second was reached.
        var source: [Int?] = Array(repeating: nil, count: firstOfSecond.count)
        var waiting = [member]
        while let next = waiting.popLast() {
            for second in firstOfSecond.indices where source[second] == nil && fits[next][second] {
                source[second] = next
                guard let holder = firstOfSecond[second] else {
                    turn(from: second, source)
                    return true
                }
                waiting.append(holder)
            }
        }
        return false
    }

    private mutating func turn(from second: Int, _ source: [Int?]) {
        var next: Int? = second
        while let second = next, let first = source[second] {
            next = secondOfFirst[first]
            secondOfFirst[first] = second
            firstOfSecond[second] = first
        }
    }

    /// The same for a member of the second side.
    package mutating func give(second member: Int) -> Bool {
        var mirror = Pairing(
            fits: firstOfSecond.indices.map { second in fits.map { $0[second] } }, secondCount: fits.count)
        mirror.secondOfFirst = firstOfSecond
        mirror.firstOfSecond = secondOfFirst
        guard mirror.give(first: member) else { return false }
        firstOfSecond = mirror.secondOfFirst
        secondOfFirst = mirror.firstOfSecond
        return true
    }
}
