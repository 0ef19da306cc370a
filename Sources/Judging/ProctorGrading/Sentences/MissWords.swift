import ProctorBase
import ProctorJournal

/// Describes a request without an exchange, and the request that the nearest exchange wants.
struct MissWords {
    /// `the second request`.
    let owner: String
    let method: String
    let target: String
    let miss: Miss

    /// `the second request was POST /done; wanted GET /done`.
    var sentence: String {
        let name = "\(method) \(target)"
        guard miss.nearestExchange != nil, let first = miss.differences.first else {
            let why = miss.differences.first.map { ": \($0)" } ?? ""
            return "\(owner) was \(name), which no exchange of the scenario answers\(why)"
        }
        let wantedMethod = wanted("method", got: method)
        let wantedTarget = wanted("target", got: target)
        if let wantedMethod, let wantedTarget {
            return "\(owner) was \(name), which no exchange answers; the nearest one is \(wantedMethod) \(wantedTarget)"
        }
        if wantedMethod != nil || wantedTarget != nil {
            return "\(owner) was \(name); wanted \(wantedMethod ?? method) \(wantedTarget ?? target)"
        }
        if first.hasPrefix("turns: ") { return "\(owner) was \(name) again: \(first.dropFirst(7))" }
        if first.hasPrefix("order: ") { return "\(owner) was \(name) too early: \(first.dropFirst(7))" }
        guard let colon = first.firstRange(ofText: ": wanted "),
            let comma = first[colon.upperBound...].firstRange(ofText: ", got ")
        else { return "\(owner) was \(name), but \(first)" }
        let (what, wanted) = (first[..<colon.lowerBound], first[colon.upperBound..<comma.lowerBound])
        let got = first[comma.upperBound...]
        return got == "none"
            ? "\(owner), \(name), had no \(what); wanted \(wanted)"
            : "\(owner), \(name), had the \(what) \(got); wanted \(wanted)"
    }

    /// A sentence: that the 404 was Proctor's own reply, and which exchange is nearest.
    static func remark(on miss: Miss) -> String {
        let nearest = miss.nearestExchange.map { "; the nearest one is exchange \($0)" } ?? ""
        return "the request reached no exchange, so Proctor itself replied\(nearest)"
    }

    /// The wanted method or target; nil when the difference is about another part.
    private func wanted(_ name: String, got: String) -> String? {
        let prefix = "\(name): wanted "
        guard let difference = miss.differences.first(where: { $0.hasPrefix(prefix) }) else { return nil }
        let rest = difference.dropFirst(prefix.count)
        return rest.firstRange(ofText: ", got \(got)").map { String(rest[..<$0.lowerBound]) } ?? String(rest)
    }
}
