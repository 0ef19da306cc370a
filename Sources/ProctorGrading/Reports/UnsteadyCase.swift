internal import ProctorBase

/// A case that was asked several times, with what was not the same every time.
package struct UnsteadyCase: Sendable {
    package let id: CaseID
    package let sittingCount: Int
    package let differences: [Difference]

    /// The texts that one aspect of the sittings had.
    package struct Difference: Sendable {
        /// `the verdict`, `the findings`, `the callbacks of task`.
        package let aspect: String
        /// In how many sittings each text came, the most frequent first; at least two.
        package let texts: [(text: String, count: Int)]

        package init(of aspect: String, _ texts: [(text: String, count: Int)]) {
            self.aspect = aspect
            self.texts = texts.sorted { $0.count > $1.count }
        }
    }

    package init(id: CaseID, sittingCount: Int, differences: [Difference]) {
        self.id = id
        self.sittingCount = sittingCount
        self.differences = differences
    }

    /// For a summary: the case, and a line for each difference.
    var lines: [String] {
        ["  differs \(EventText.printable(id.description)), asked \(sittingCount) times"]
            + differences.map { difference in
                let texts = difference.texts.map { text, count in
                    "\(Plural.count(count, "time")) '\(EventText.printable(text, limit: 300))'"
                }
                return "          \(difference.aspect): \(texts.joined(separator: ", "))"
            }
    }
}
