internal import ProctorBase
internal import ProctorScenario

/// Gives each pair of a query or a form an item of the pattern with its name, and each item at most one pair.
///
/// An item without a pair must hold for an absent value. For items and pairs of one name the time is bounded by items
/// times items times pairs.
package struct PairAssignment {
    typealias Pair = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)
    private typealias Group = (items: [RequestPattern.QueryItem], pairs: [Pair])

    /// Up to so many items are compared each with each, which is sooner done than they are grouped by name.
    private static let mostTogether = 8

    private(set) var captures = Captures()

    /// nil where there is no such assignment.
    init?(_ items: [RequestPattern.QueryItem], _ pairs: [Pair], within budget: WorkBudget? = nil) {
        guard pairs.count <= items.count, let groups = Self.groups(items, pairs) else { return nil }
        for group in groups {
            guard assign(group, within: budget) else { return nil }
        }
    }

    /// The items and pairs that may be partners; nil where a pair has a name of no item.
    private static func groups(_ items: [RequestPattern.QueryItem], _ pairs: [Pair]) -> [Group]? {
        guard items.count > mostTogether else { return [(items, pairs)] }
        var places: [ArraySlice<UInt8>: Int] = [:]
        var groups: [Group] = []
        for item in items {
            let place = places[item.name[...], default: groups.count]
            if place == groups.count {
                groups.append(([], []))
                places[item.name[...]] = place
            }
            groups[place].items.append(item)
        }
        for pair in pairs {
            guard let place = places[pair.name] else { return nil }
            groups[place].pairs.append(pair)
        }
        return groups
    }

    private mutating func assign(_ group: Group, within budget: WorkBudget?) -> Bool {
        let (items, pairs) = group
        let fits = items.map { item in
            pairs.map { pair in
                pair.name.elementsEqual(item.name) && item.value.holds(for: Array(pair.value), within: budget)
            }
        }
        var pairing = Pairing(fits: fits, secondCount: pairs.count)
        // What was given a partner keeps one, so both sides can be satisfied one after the other.
        for index in items.indices where !items[index].value.holds(for: nil) {
            guard pairing.pair(first: index) else { return false }
        }
        for index in pairs.indices where pairing.firstOfSecond[index] == nil {
            guard pairing.pair(second: index) else { return false }
        }
        for (index, item) in items.enumerated() where item.value.captures {
            guard let pair = pairing.secondOfFirst[index] else { continue }
            let value = Array(pairs[pair].value)
            guard let captured = item.value.match(value.span, within: budget) else { continue }
            captures.merge(captured)
        }
        return true
    }
}
