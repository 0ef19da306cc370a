import ProctorBase
import ProctorEvents
package import ProctorExam
import ProctorGrading
import ProctorHTTP
import ProctorJournal

/// What a client did with a scenario, as far as it tells, without what differs from run to run.
package struct ClientAnswer: Sendable, Equatable {
    package let client: String
    package var end: End
    /// The status of a load without an error.
    package var status: Int?
    package var url: String?
    /// Text, or base64 of what is no UTF-8.
    package var content: String?
    /// In the order in which they came: `GET /page`.
    package var requests: [String] = []
    /// The numbers of the exchanges that answered.
    var exchanges: Set<Int> = []

    package enum End: Sendable, Equatable {
        case delivered
        case error
        /// The client was ended by a signal.
        case crashed(String)
        /// Until its watchdog ended it.
        case hung
        /// The client was not asked, or can't be compared; half a sentence says why.
        case none(String)
    }

    package init(client: String, end: End) {
        (self.client, self.end) = (client, end)
    }

    package init(_ sitting: Sitting, client: String) {
        self.init(client: client, end: .delivered)
        let evidence = sitting.evidence
        let (entries, places) = (evidence.journal ?? [], Self.places(in: evidence.journal ?? []))
        requests = entries.compactMap { entry in
            guard case .requestHead(let head, let target) = entry.event else { return nil }
            let text = "\(head.method) \(String(decoding: target, as: UTF8.self))"
            return PrintableText.sanitize(Self.named(text, places), limit: Self.textLimit)
        }
        for entry in entries {
            if case .exchangeChosen(let exchange, _) = entry.event { exchanges.insert(exchange) }
        }
        switch sitting.verdict.outcome {
        case .lacks, .notInThisAdapter, .skipped, .setupFailed, .adapterError:
            end = .none(sitting.verdict.reason)
            return
        case .pass, .fail, .hang, .crash, .known, .fixed, .observed, .partly, .notJudged: break
        }
        switch evidence.ending {
        case .crashed(let signal, _): end = .crashed(signal)
        case .hung: end = .hung
        case .exited, .couldNotStart, .outOfBounds: end = .none(sitting.verdict.reason)
        case .finished:
            guard let result = evidence.events.last(where: { $0.name == .result }) else {
                end = .none("it told no result of the load")
                return
            }
            readFacts(result.facts, places)
        }
    }

    private static let textLimit = 400
    /// Requests of a sentence.
    private static let shownCount = 6

    private mutating func readFacts(_ facts: EventFacts, _ places: [(address: String, origin: String)]) {
        guard facts[.error] == nil else {
            end = .error
            return
        }
        status = facts.integer(.status)
        url = facts.text(.url).map { url in
            // Clients differ in whether they show it.
            let whole = url.prefix { $0 != "#" }
            return PrintableText.sanitize(Self.named(String(whole), places), limit: Self.textLimit)
        }
        content = (facts.text(.body) ?? facts.text(.bodyBase64)).map { Self.named($0, places) }
    }

    /// Addresses of the run, which are others in each, and the names of their origins.
    private static func places(in journal: [JournalEntry]) -> [(address: String, origin: String)] {
        var places: [String: String] = [:]
        for entry in journal {
            if case .connectionOpened(let origin, _, let local) = entry.event { places[local] = origin }
        }
        return places.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static func named(_ text: String, _ places: [(address: String, origin: String)]) -> String {
        places.reduce(text) { $0.replacing(text: $1.address, with: $1.origin) }
    }
}

extension ClientAnswer {
    /// One line for a person.
    package var sentence: String {
        let shown = requests.prefix(Self.shownCount).joined(separator: ", ")
        let more = requests.count > Self.shownCount ? ", …" : ""
        let asked = requests.isEmpty ? "no request" : "\(Plural.count(requests.count, "request")): \(shown)\(more)"
        switch end {
        case .none(let reason): return "not asked: \(reason)"
        case .crashed(let signal): return "ended by \(signal); \(asked)"
        case .hung: return "did not end; \(asked)"
        case .error: return "an error; \(asked)"
        case .delivered:
            let details = [
                status.map { "status \($0)" }, url.map { "URL \($0)" },
                content.map { "content \"\(EscapedText.escape($0.utf8, limit: 60))\"" },
            ].compactMap(\.self)
            return (["delivered"] + details).joined(separator: ", ") + "; \(asked)"
        }
    }

    /// The word of its end.
    package var word: String {
        switch end {
        case .delivered: "delivered"
        case .error: "error"
        case .crashed: "crashed"
        case .hung: "hung"
        case .none: "none"
        }
    }
}
