package import ProctorDocument
internal import ProctorEvents
internal import ProctorNotation
internal import ProctorProgram
package import ProctorScenario

/// Refuses a must about cookies that a client without a working cookie store passes.
///
/// Such a must only expects requests without cookies, up to the last request. Every other must expects a request, or an
/// end of a load; where that end is a failure, the exam runs a plain load as a control.
package enum ControlCheck {
    /// The errors in the scenario's musts.
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
    /// The fact that expects no cookie in the last request, when the case needs a cookie store but expects no cookie in
    /// any request.
    fileprivate var uncontrolledAbsence: Fact? {
        guard needs.contains(.cookieJar) || cookies != nil, client.first?.session?.cookies != .never else { return nil }
        let ofCookies = facts.filter { $0.name.requestOfCookies != nil }
        guard ofCookies.allSatisfy({ $0.expected == .absent }) else { return nil }
        let last = max(client.count, wire?.fewestOccurrences(of: EventName.request.rawValue) ?? 0) - 1
        return ofCookies.first { $0.name.requestOfCookies == last && $0.name.isOfAllCookies }
    }
}

extension FactName {
    /// Whether the fact is about the whole Cookie field, and not about one cookie of it.
    fileprivate var isOfAllCookies: Bool {
        if case .wire(_, let fact) = self, fact.row == "cookies.NAME" { false } else { true }
    }
}
