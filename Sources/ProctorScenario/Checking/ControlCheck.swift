package import ProctorDocument
import ProctorEvents
import ProctorNotation
import ProctorProgram

/// Refuses a must about cookies that a client passes whose jar has stopped working: it says only what does not come, up
/// to the last request.
///
/// Every other must says of a request that it came, or of a load how it ended; where that is a failure, the exam asks
/// for a plain load.
package enum ControlCheck {
    /// What is wrong with the scenario's musts.
    package static func diagnostics(of scenario: Scenario) -> [Diagnostic] {
        scenario.cases.compactMap { item in
            guard item.kind == .must, let fact = item.uncontrolledAbsence else { return nil }
            return Diagnostic(
                location: fact.location,
                sentence: "the must \(quoted(item.name)) says of cookies only that none comes, up to its last request",
                hint: "let two loads follow, of which the first is given an ordinary cookie and the second must send it"
            )
        }
    }
}

extension Case {
    /// The fact by which the last request has no cookie, where the case asks for a jar and for no cookie at all.
    fileprivate var uncontrolledAbsence: Fact? {
        guard needs.contains(.cookieJar) || cookies != nil, client.first?.session?.cookies != .never else { return nil }
        let ofCookies = facts.filter { $0.name.cookieRequest != nil }
        guard ofCookies.allSatisfy({ $0.expected == .absent }) else { return nil }
        let last = max(client.count, wire?.fewestOccurrences(of: EventName.request.rawValue) ?? 0) - 1
        return ofCookies.first { $0.name.cookieRequest == last && $0.name.isOfAllCookies }
    }
}

extension FactName {
    /// The request whose cookies the fact is about; nil for another fact.
    fileprivate var cookieRequest: Int? {
        switch self {
        case .wire(let index, .cookie), .wire(let index, .cookieNames): index
        case .wire(let index, .header(let name)) where name.lowercased() == "cookie": index
        default: nil
        }
    }

    /// Whether the fact is about the whole field, and not about one cookie of it.
    fileprivate var isOfAllCookies: Bool { if case .wire(_, .cookie) = self { false } else { true } }
}
