import ProctorBase

/// A text by which JSONUnit, which compares the JSON of WireMock, stands for values: `${json-unit.any-string}`.
enum JSONUnitPlaceholder {
    case condition(YAMLTree)
    /// The member may have any value, and may be missing.
    case ignored
    case unknown(String)

    /// nil for a text that means itself.
    init?(_ text: String) {
        guard let start = ["${json-unit.", "#{json-unit."].first(where: text.hasPrefix),
            let end = text.firstRange(ofText: "}")
        else { return nil }
        let name = text.dropFirst(start.count).prefix { $0 != "}" }
        let rest = text[end.upperBound...]
        switch name {
        case "ignore" where rest.isEmpty: self = .condition(.plain("any value"))
        case "any-string" where rest.isEmpty: self = .condition(.plain("any string"))
        case "any-number" where rest.isEmpty: self = .condition(.plain("any number"))
        case "any-boolean" where rest.isEmpty: self = .condition(.plain("any boolean"))
        case "regex": self = .condition(["matches": .text(String(rest))])
        case "ignore-element" where rest.isEmpty: self = .ignored
        default: self = .unknown(String(name))
        }
    }
}

extension WireMockRequest {
    /// The JSON with the conditions of JSONUnit in place of its placeholders; nil where one can't be said.
    ///
    /// `isPart`: members that are not named may come too.
    mutating func withPlaceholders(_ tree: YAMLTree, isPart: Bool, at place: String) -> YAMLTree? {
        switch tree {
        case .plain: return tree
        case .text(let text):
            switch JSONUnitPlaceholder(text) {
            case nil: return tree
            case .condition(let condition)?: return condition
            case .ignored?:
                refuse(
                    place, "ignore-element of JSONUnit can't be said here but for a member beside which others may come"
                )
                return nil
            case .unknown(let name)?:
                refuse(place, "the placeholder \(name) of JSONUnit is not known here")
                return nil
            }
        case .list(let items):
            var made: [YAMLTree] = []
            for item in items {
                guard let item = withPlaceholders(item, isPart: isPart, at: place) else { return nil }
                made.append(item)
            }
            return .list(made)
        case .map(let members):
            var made: [YAMLTree.Member] = []
            for member in members {
                if isPart, case .text(let text) = member.value, case .ignored? = JSONUnitPlaceholder(text) { continue }
                guard let value = withPlaceholders(member.value, isPart: isPart, at: place) else { return nil }
                made.append(.init(member.key, value))
            }
            return .map(made)
        }
    }
}
