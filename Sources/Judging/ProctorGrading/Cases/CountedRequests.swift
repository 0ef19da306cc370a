import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorProgram
import ProctorScenario

/// Grades the requests of a case that count: without those that a client makes by itself, and without repetitions of
/// safe requests where the case is not about them and fails only by them.
struct CountedRequests {
    typealias Graded = (findings: [Finding], undecidedFacts: [(name: FactName, reason: String)])

    private let grader: WireGrader
    private let grading: CaseGrading

    init(_ grader: WireGrader, _ grading: CaseGrading) {
        (self.grader, self.grading) = (grader, grading)
    }

    /// The most requests alike that a case wants.
    private static let wantedLimit = 3

    func findings() throws(SpentBudget) -> Graded {
        guard let record = grading.record, let entries = grading.evidence.journal else { return try graded(nil) }
        let contrary = Set(grader.item.contraryOrigins)
        let own = record.requestsOfClientItself(besides: contrary)
        let counted = own.isEmpty ? record : WireRecord(entries, hasOwnURLs: grader.item.hasOwnURLs, without: own)
        var all = try graded(counted)
        all.findings += record.trialsOfTLS(besides: contrary).map { grader.violationFinding($0, in: record).observed }
        guard all.findings.contains(where: \.isOfCounting), !grader.item.isAboutRepetition else { return all }
        for keptCount in 1...Self.wantedLimit {
            let repeated = counted.repetitions(keeping: keptCount)
            guard !repeated.isEmpty else { break }
            let uncounted = record.uncounted(
                record.exchanges.filter { exchange in
                    exchange.journalNumber.map(own.requests.contains) ?? false
                        || repeated.contains { $0.sequence == exchange.sequence }
                }, besides: contrary)
            try grading.budget.spend(entries.count)
            let first = try graded(WireRecord(entries, hasOwnURLs: grader.item.hasOwnURLs, without: uncounted))
            // A fact about a request that is not there holds for no other reason.
            let isDecided = first.undecidedFacts.count <= all.undecidedFacts.count
            guard isDecided, !first.findings.contains(where: \.isOfCounting) else { continue }
            // What is wrong with a repeated request by itself stays, with the numbers of the whole record.
            let findings =
                all.findings.filter { !$0.isOfCounting }
                + repeated.prefix(1).map { remark($0, of: repeated.count, in: record) }
            return (findings, first.undecidedFacts)
        }
        return all
    }

    private func graded(_ record: WireRecord?) throws(SpentBudget) -> Graded {
        try grader.findings(
            in: record, client: grading.results, namesErrors: grading.abilities.include(.foundation),
            within: grading.budget)
    }

    private func remark(_ exchange: SeenExchange, of count: Int, in record: WireRecord) -> Finding {
        let number = record.exchanges.first { $0.sequence == exchange.sequence }?.number ?? exchange.number
        let others = count > 1 ? ", and \(count - 1) more" : ""
        return Finding(
            subject: .tolerated(.repeatedRequest), weight: .observation,
            sentence:
                "request \(number), \(exchange.shown), came before with the same fields\(others); tolerated here, "
                + "\(Departure.repeatedRequest.row.owner) is about it",
            sequence: exchange.sequence, request: record.reference(number))
    }
}

extension Finding {
    /// Whether it fails the case by which requests and connections came, and not by what is wrong with one of them, nor
    /// by what the client told.
    fileprivate var isOfCounting: Bool {
        guard weight == .failure else { return false }
        switch subject {
        case .fact(.client): return false
        case .expression, .fact, .miss: return true
        default: return false
        }
    }
}

extension Case {
    /// Whether the case itself says how often a request may come: by its sections, by the number of requests, or by
    /// loads that want none, of which a cache answers.
    fileprivate var isAboutRepetition: Bool {
        if untolerated.contains(.repeatedRequest) { return true }
        let sections = spec.isEmpty ? scenarioSpec : spec
        if sections.contains(where: { section in Self.ofRepetition.contains(where: section.hasPrefix) }) { return true }
        if facts.contains(where: { $0.name == .run("wire.count") }) { return true }
        if client.contains(where: { [.eventSource, .eventStream, .websocket].contains($0.task) }) { return true }
        guard let wire else { return false }
        let most = wire.mostOccurrences(of: EventName.request.rawValue)
        return client.first?.session?.cache != nil || most.map { $0 < client.count } ?? false
    }

    /// RFC 9110 §9.2.2 and what else says when a request is sent again: for a refused credential, behind a
    /// misdirected request or a lost connection, and by a cache.
    private static let ofRepetition = [
        "RFC 9110 §9.2.2", "RFC 9110 §15.5.2", "RFC 9110 §15.5.20", "RFC 9112 §9.3.1", "RFC 9111", "RFC 9113 §8.7",
    ]
}
