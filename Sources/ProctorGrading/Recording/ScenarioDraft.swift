internal import ProctorBase
internal import ProctorHTTP
package import ProctorJournal
package import ProctorScenario

/// A scenario made of requests and replies that a journal has: whoever asks the same gets the same again.
///
/// It is a beginning for a person to go on with. What a journal does not hold, such as raw bytes, effects and the
/// reason phrase, is left out, and a remark says so.
package struct ScenarioDraft: Sendable {
    /// A fixture that `proctor check` accepts; nil where nothing that was chosen can be asked again.
    package private(set) var yaml: String?
    /// How many requests it is made of.
    package private(set) var requestCount = 0
    /// What was left out, a sentence each.
    package private(set) var remarks: [String] = []

    /// Where the journal is from.
    package struct Source {
        /// The run, or `the shared port`.
        package let name: String
        /// nil for the shared port's own journal.
        package let scenario: Scenario?
        /// The URL of the scenario, without a slash at its end.
        package let base: String
        /// The URL of each origin by name.
        package let origins: [String: String]

        package init(name: String, scenario: Scenario?, base: String, origins: [String: String]) {
            self.name = name
            self.scenario = scenario
            self.base = base
            self.origins = origins
        }

        fileprivate var marks: DraftMarks {
            let others = origins.sorted { $0.key < $1.key }.filter { $0.value != base }
            return DraftMarks([(base, "{{base}}")] + others.map { ($0.value, "{{origin.\($0.key)}}") })
        }
    }

    /// Requests that one draft has; further ones are left out with a remark.
    package static let requestLimit = 500
    /// Bytes of all bodies that one draft has; longer ones are left out with a remark.
    package static let bodyByteLimit = 512 << 10

    /// `chosen` are sequence numbers of entries about requests, or of their replies; nil: all requests.
    package init(of entries: [JournalEntry], from source: Source, choosing chosen: Set<UInt64>? = nil) {
        let record = WireRecord(entries)
        let numbers = chosen.map { Self.requests(of: $0, in: entries) }
        let marks = source.marks
        var draft = DraftExchanges(marks)
        var left = 0
        for (index, request) in record.requests.enumerated() {
            if let numbers, !numbers.contains(request.sequence) { continue }
            guard requestCount < Self.requestLimit else {
                left += 1
                continue
            }
            if draft.add(request, at: record.origin(of: index)) { requestCount += 1 }
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

    /// The sequence numbers of the heads of the requests that the entries are about.
    private static func requests(of chosen: Set<UInt64>, in entries: [JournalEntry]) -> Set<UInt64> {
        var wanted: Set<Int> = []
        for entry in entries where chosen.contains(entry.sequence) {
            if let request = entry.request { wanted.insert(request) }
        }
        var heads: Set<UInt64> = []
        for entry in entries {
            if let request = entry.request, wanted.contains(request), case .requestHead = entry.event {
                heads.insert(entry.sequence)
            }
        }
        return heads
    }
}
