/// A matching between two sides that grows by augmenting paths; a member that has a partner keeps one.
///
/// Each member has at most one partner.
package struct Pairing {
    /// Whether two members may be partners, by the index on the first side and then on the second.
    private let fits: [[Bool]]
    package private(set) var secondOfFirst: [Int?]
    package private(set) var firstOfSecond: [Int?]

    /// `fits` has a row for each member of the first side with a column for each of the second.
    package init(fits: [[Bool]], secondCount: Int) {
        self.fits = fits
        secondOfFirst = Array(repeating: nil, count: fits.count)
        firstOfSecond = Array(repeating: nil, count: secondCount)
    }

    /// Finds a partner for a member of the first side; false if not all that have a partner could keep one.
    ///
    /// The time is bounded by the number of pairs that fit.
    package mutating func pair(first member: Int) -> Bool {
        // The member of the first side from which the search reached each member of the second side.
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

    /// Finds a partner for a member of the second side, in the same way.
    package mutating func pair(second member: Int) -> Bool {
        var mirror = Pairing(
            fits: firstOfSecond.indices.map { second in fits.map { $0[second] } }, secondCount: fits.count)
        mirror.secondOfFirst = firstOfSecond
        mirror.firstOfSecond = secondOfFirst
        guard mirror.pair(first: member) else { return false }
        firstOfSecond = mirror.secondOfFirst
        secondOfFirst = mirror.firstOfSecond
        return true
    }
}
