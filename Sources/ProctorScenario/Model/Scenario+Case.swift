import ProctorBase

/// A name that no case of a scenario has.
public struct UnknownCase: Error, Sendable, CustomStringConvertible {
    /// Names the scenario, and the case that was probably meant or those there are.
    public let description: String
}

extension Scenario {
    /// Throws a sentence for the person who wrote the name.
    public func `case`(named name: String) throws(UnknownCase) -> Case {
        if let item = cases.first(where: { $0.name == name }) { return item }
        let names = cases.map(\.name)
        let hint = NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
        let all = names.isEmpty ? "none at all" : names.joined(separator: ", ")
        throw UnknownCase(description: "\(id) has no case '\(name)'; \(hint ?? "it has \(all)")")
    }
}
