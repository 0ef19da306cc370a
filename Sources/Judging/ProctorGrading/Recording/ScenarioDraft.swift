internal import ProctorBase
internal import ProctorDocument
internal import ProctorHTTP
package import ProctorJournal
package import ProctorScenario

/// A scenario made from the requests and replies in a journal: the same requests get the same replies again.
///
/// A person edits it further. Parts that a journal does not contain, such as raw bytes, effects and the reason phrase,
/// are left out, and a remark says so.
package struct ScenarioDraft: Sendable {
    /// A fixture that `proctor check` accepts; nil when no chosen request can be repeated.
    package private(set) var yaml: String?
    /// The number of requests that it was made from.
    package private(set) var requestCount = 0
    /// The parts that were left out, a sentence each.
    package private(set) var remarks: [String] = []

    /// The source of the journal.
    package struct Source {
        /// The name of the run, or `the shared port`.
        package let name: String
        /// The scenario; nil for the shared port's own journal.
        package let scenario: Scenario?
        /// The URL of the scenario, without a slash at its end.
        package let base: String
        /// The URL of each origin by name.
        package let origins: [String: String]

        package init(name: String, scenario: Scenario?, base: String, origins: [String: String]) {
            (self.name, self.scenario, self.base, self.origins) = (name, scenario, base, origins)
        }

        fileprivate var marks: DraftMarks {
            let others = origins.sorted { $0.key < $1.key }.filter { $0.value != base }
            return DraftMarks([(base, "{{base}}")] + others.map { ($0.value, "{{origin.\($0.key)}}") })
        }
    }

    /// The most requests of a draft; further ones are left out with a remark.
    package static let requestLimit = 500
    /// The most bytes of all bodies of a draft; longer bodies are left out with a remark.
    package static let bodyByteLimit = 512 << 10

    /// `chosen` are sequence numbers of entries about requests or about their replies; nil: all requests.
    package init(of entries: [JournalEntry], from source: Source, choosing chosen: Set<UInt64>? = nil) {
        let record = WireRecord(entries)
        let places = chosen.map { chosen in
            Set(
                entries.filter { chosen.contains($0.sequence) }.compactMap(\.request).compactMap(
                    record.place(ofRequest:)))
        }
        let marks = source.marks
        var draft = DraftExchanges(marks)
        var left = 0
        for exchange in record.exchanges {
            if let places, !places.contains(exchange.number) { continue }
            guard requestCount < Self.requestLimit else {
                left += 1
                continue
            }
            if draft.add(exchange) { requestCount += 1 }
        }
        remarks = draft.remarks
        if left > 0 {
            remarks.append(
                "\(Plural.count(left, "request")) more \(left == 1 ? "was" : "were") left out: a draft has "
                    + "\(Self.requestLimit)")
        }
        guard requestCount > 0 else { return }
        let exchanges = draft.exchanges.map { $0.yaml(marks) }.joined()
        let origins = DraftOrigins(of: draft, scenario: source.scenario) { name in
            exchanges.contains(text: "{{origin.\(name)}}")
        }
        remarks += origins.remarks
        var text = "# Made of what was seen at \(source.name). Read it before you rely on it.\n"
        for remark in remarks { text += "# - \(remark)\n" }
        let summary = "Answers \(Plural.count(requestCount, "request")) as \(source.name) did"
        text += "summary: \(YAMLText.quoted(summary))\n"
        text += origins.yaml
        yaml = "\(text)exchanges:\n\(exchanges)"
    }
}
