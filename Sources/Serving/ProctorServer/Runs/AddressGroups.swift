internal import ProctorScenario

/// The origins whose addresses are those of one name, or are said of it by DNS: they have one port and different
/// addresses.
struct AddressGroups {
    /// The group of an origin, by origin; nil for an origin whose port is its own.
    private let groups: [Int?]
    /// The index of the spare address that an origin gets, by origin; nil where the origin has an address of its own.
    private let spares: [Int?]

    init(of scenario: Scenario) {
        let origins = scenario.origins
        var groups = [Int?](repeating: nil, count: origins.count)
        let named = Dictionary(
            origins.indices.compactMap { index in
                origins[index].hostName.map { (Self.folded($0), origins[index].addresses ?? [index]) }
            }, uniquingKeysWith: { first, _ in first })
        let resolved = scenario.dns?.addresses.map { $0.origins + (named[Self.folded($0.name)] ?? []) }
        for (number, list) in (origins.compactMap(\.addresses) + (resolved ?? [])).enumerated() {
            let members = list.filter(origins.indices.contains)
            // A list that shares an origin with an earlier one has the port of that one.
            let earlier = Set(members.compactMap { groups[$0] })
            for index in groups.indices where groups[index].map(earlier.contains) ?? false { groups[index] = number }
            for member in members { groups[member] = number }
        }
        var haveRunAddress: Set<Int> = []
        var spares: [Int?] = []
        var count = 0
        for (origin, group) in zip(origins, groups) {
            let isAtRunAddress =
                switch origin.host {
                case .address, .name: origin.transport == .tcp
                case .loopback, .localhost, .otherAddress, .ipv6: false
                }
            guard let group, isAtRunAddress, !haveRunAddress.insert(group).inserted else {
                spares.append(nil)
                continue
            }
            spares.append(count)
            count += 1
        }
        (self.groups, self.spares) = (groups, spares)
        spareCount = count
    }

    /// Names differ neither by the case of letters nor by a point at their end (RFC 4343).
    private static func folded(_ name: String) -> String {
        String(name.hasSuffix(".") ? name.dropLast() : name[...]).lowercased()
    }

    /// How many addresses are needed beside the run's own.
    let spareCount: Int

    var isEmpty: Bool { groups.allSatisfy { $0 == nil } }

    func group(of origin: Int) -> Int? { groups[origin] }

    func spare(of origin: Int) -> Int? { spares[origin] }
}
