internal import ProctorBase

/// How far a JSON document agrees with a pattern that it does not match.
package struct JSONAgreement: Sendable {
    /// Members and elements that hold, and those that do not: what differs, what is missing and what is too much.
    package private(set) var heldCount = 0
    package private(set) var failedCount = 0
    /// The first differences, in the order of the pattern.
    package private(set) var differences: [JSONDifference] = []

    /// The most differences that are told.
    package static let mostTold = 5

    fileprivate var isTold: Bool { differences.count < Self.mostTold }

    fileprivate mutating func addHeld() { heldCount += 1 }

    fileprivate mutating func addFailed(_ difference: JSONDifference?) {
        failedCount += 1
        if let difference { differences.append(difference) }
    }
}

extension JSONMatcher {
    /// Counts what agrees; differences are made where they are told, since that costs more.
    package mutating func agreement(with pattern: JSONPattern, isTold: Bool) -> JSONAgreement {
        var agreement = JSONAgreement()
        compare(pattern, at: 0, pointer: "", isPart: false, isTold, &agreement)
        return agreement
    }

    private mutating func compare(
        _ pattern: JSONPattern, at index: Int, pointer: String, isPart: Bool, _ isTold: Bool,
        _ agreement: inout JSONAgreement
    ) {
        guard !isExhausted else { return }
        switch (pattern, document.values[index].type) {
        case (.object(let members), .object) where !members.isEmpty:
            compare(members, at: index, pointer: pointer, isPart: isPart, isTold, &agreement)
        case (.list(let patterns), .list) where !isPart && !patterns.isEmpty:
            let children = Array(document.children(of: index))
            for (position, pattern) in patterns.enumerated() {
                let place = pointer + "/\(position)"
                guard position < children.count else {
                    agreement.addFailed(isTold && agreement.isTold ? here(pattern, nil, place) : nil)
                    continue
                }
                compare(pattern, at: children[position], pointer: place, isPart: false, isTold, &agreement)
            }
            for (position, child) in children.enumerated().dropFirst(patterns.count) {
                addSurplus(child, "\(pointer)/\(position)", isTold, &agreement)
            }
        case (.at(let places), _):
            for place in places {
                let path = pointer + place.pointer.text
                if let target = document.index(at: place.pointer, from: index) {
                    compare(place.value, at: target, pointer: path, isPart: false, isTold, &agreement)
                } else if verdict(place.value, on: nil, isPart: false) == .holds {
                    agreement.addHeld()
                } else {
                    agreement.addFailed(isTold && agreement.isTold ? here(place.value, nil, path) : nil)
                }
            }
        case (.contains(let part), _) where !isTold:
            guard let nearest = nearest(to: part, in: index) else { return agreement.addFailed(nil) }
            compare(part, at: nearest, pointer: "", isPart: true, false, &agreement)
        default:
            comparisonCount += 1
            guard verdict(pattern, on: index, isPart: isPart) != .holds else { return agreement.addHeld() }
            let difference =
                isTold && agreement.isTold ? difference(pattern, at: index, pointer: pointer, isPart: isPart) : nil
            agreement.addFailed(difference)
        }
    }

    private mutating func compare(
        _ members: [JSONPattern.Member], at index: Int, pointer: String, isPart: Bool, _ isTold: Bool,
        _ agreement: inout JSONAgreement
    ) {
        let byName = self.members(of: index)
        for member in members {
            let place = pointer + Self.token(member.name)
            if let value = byName[member.name] {
                compare(member.value, at: value, pointer: place, isPart: isPart, isTold, &agreement)
            } else if isPart, verdict(member.value, on: nil, isPart: true) == .holds {
                agreement.addHeld()
            } else {
                agreement.addFailed(isTold && agreement.isTold ? here(member.value, nil, place) : nil)
            }
        }
        guard !isPart else { return }
        let wanted = Set(members.map(\.name))
        for child in document.children(of: index) {
            guard let name = document.values[child].name, !wanted.contains(name) else { continue }
            addSurplus(child, pointer + Self.token(name), isTold, &agreement)
        }
    }

    private func addSurplus(_ child: Int, _ pointer: String, _ isTold: Bool, _ agreement: inout JSONAgreement) {
        let isTold = isTold && agreement.isTold
        agreement.addFailed(isTold ? JSONDifference(pointer: pointer, wanted: "nothing", got: excerpt(child)) : nil)
    }
}
