import ProctorNotation
import ProctorScenario

/// Whether each step ended well or badly, as far as its lane leaves no choice.
///
/// These clients have no callbacks, but they do say whether they are content.
struct ClientEndings {
    private let reports: [ClientReport]

    init(_ reports: [ClientReport]) {
        self.reports = reports
    }

    /// One sentence for each step that ended otherwise than its lanes want.
    func failures(of item: Case) -> [String] {
        reports.indices.compactMap { step in
            guard let wanted = Self.isSuccessWanted(of: step, in: item), (reports[step].error == nil) != wanted else {
                return nil
            }
            let told = reports[step].error.map { "the client says: \($0)" } ?? "the client is content"
            return "step[\(step)]: wanted \(wanted ? "a load that works" : "an error"), \(told)"
        }
    }

    /// nil when both are right, or when a cancel, which these clients do not do, decides.
    static func isSuccessWanted(of step: Int, in item: Case) -> Bool? {
        let suffix = step == 0 ? "" : "[\(step)]"
        let endings = ["task", "download", "handler"]
            .compactMap { item.lanes[$0 + suffix] }
            .flatMap(ends)
        if endings.isEmpty || endings.contains("cancelled") { return nil }
        let successes = endings.count { $0 == "ok" }
        return successes == endings.count ? true : successes == 0 ? false : nil
    }

    /// What stands in parentheses behind each terminal event.
    private static func ends(of lane: Notation) -> [String] {
        ["complete(", "handler("].flatMap { name in
            let parts = lane.text.split(separator: name, omittingEmptySubsequences: false).dropFirst()
            return parts.flatMap { $0.prefix { $0 != ")" }.split(separator: "|").map(String.init) }
        }
    }
}
