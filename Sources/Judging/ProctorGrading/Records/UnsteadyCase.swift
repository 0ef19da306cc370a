internal import ProctorBase

/// A case that was run several times with different results.
package struct UnsteadyCase: Sendable {
    package let id: CaseID
    package let sittingCount: Int
    /// Whether the client's ledger says so: `sometimes`.
    package let isKnown: Bool
    package let differences: [Difference]

    /// The different texts of one aspect of the sittings.
    package struct Difference: Sendable {
        /// `the verdict`, `the findings`, `the callbacks of task`.
        package let aspect: String
        /// In how many sittings each text occurred, the most frequent first; at least two texts.
        package let texts: [(text: String, count: Int)]

        package init(of aspect: String, _ texts: [(text: String, count: Int)]) {
            self.aspect = aspect
            self.texts = texts.sorted { $0.count > $1.count }
        }
    }

    package init(id: CaseID, sittingCount: Int, isKnown: Bool = false, differences: [Difference]) {
        (self.id, self.sittingCount, self.isKnown, self.differences) = (id, sittingCount, isKnown, differences)
    }

    /// Lines for a summary: the case, and a line for each difference.
    var lines: [String] {
        let note = isKnown ? ", as its ledger says" : ""
        return ["  differs \(EventText.printable(id.description)), asked \(sittingCount) times\(note)"]
            + differences.map { difference in
                let texts = difference.texts.map { text, count in
                    "\(Plural.count(count, "time")) '\(EventText.printable(text, limit: 300))'"
                }
                return "          \(difference.aspect): \(texts.joined(separator: ", "))"
            }
    }
}
