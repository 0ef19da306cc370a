internal import ProctorServer

/// What `serve --strict` says in the end.
struct StrictVerdict {
    private let tally: ClientFaults.Tally

    init(_ tally: ClientFaults.Tally) {
        self.tally = tally
    }

    /// A client that never came was not judged, and what is not judged is no pass.
    var isFailure: Bool { tally.faultCount > 0 || tally.requestCount == 0 }

    /// One line, and one below it for each fault that is told.
    func text(in style: Style) -> String {
        let came = FixtureReport.count(tally.requestCount, "request") + " to scenarios"
        guard isFailure else { return "proctor: strict: \(style.good("pass")): \(came), all expected, no departure\n" }
        var parts: [String] = []
        if tally.missedCount > 0 { parts.append("\(FixtureReport.count(tally.missedCount, "request")) missed") }
        if tally.violationCount > 0 {
            parts.append("\(FixtureReport.count(tally.violationCount, "departure")) from the RFCs")
        }
        if tally.boundCount > 0 { parts.append("\(FixtureReport.count(tally.boundCount, "bound")) of a run reached") }
        if tally.requestCount == 0 { parts.append("no scenario was asked for anything") }
        var lines = ["proctor: strict: \(style.bad("fail")): \(parts.joined(separator: ", ")) (\(came))"]
        lines += tally.examples.map { "  \($0)" }
        let rest = tally.faultCount - tally.examples.count
        if rest > 0 { lines.append("  and \(rest) more") }
        return lines.joined(separator: "\n") + "\n"
    }
}
