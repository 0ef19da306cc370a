internal import ProctorBase
internal import ProctorScenario

/// Gives each pair of a query or a form an item of the pattern with its name, and each item at most one pair.
///
/// An item without a pair must hold for an absent value. The time is bounded by items times items times pairs.
struct PairAssignment {
    typealias Pair = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)

    private(set) var captures = Captures()

    /// nil where there is no such assignment.
    init?(_ items: [RequestPattern.QueryItem], _ pairs: [Pair], within budget: WorkBudget? = nil) {
        guard pairs.count <= items.count else { return nil }
        let fits = items.map { item in
            pairs.map { pair in
                pair.name.elementsEqual(item.name) && item.value.holds(for: Array(pair.value), within: budget)
            }
        }
        var pairing = Pairing(fits: fits, secondCount: pairs.count)
        // What was given a partner keeps one, so both sides can be satisfied one after the other.
        for index in items.indices where !items[index].value.holds(for: nil) {
            guard pairing.give(first: index) else { return nil }
        }
        for index in pairs.indices where pairing.firstOfSecond[index] == nil {
            guard pairing.give(second: index) else { return nil }
        }
        for (index, item) in items.enumerated() where item.value.captures {
            guard let pair = pairing.secondOfFirst[index] else { continue }
            let value = Array(pairs[pair].value)
            guard let found = item.value.match(value.span, within: budget) else { continue }
            captures.merge(found)
        }
    }
}
