internal import ProctorBase
package import ProctorJournal
package import ProctorScenario

/// The exchanges of a scenario that fewer requests used than the scenario expects.
///
/// Each exchange is expected once, unless it has `optional: true`; `times: { exactly: N }` and `{ at-least: N }`
/// require a number.
package struct UnaskedExchanges: Sendable {
    private let items: [Item]
    /// Whether a request used any exchange.
    private let isAnyUsed: Bool
    /// The weight of an exchange that no request asked for and that demands no number; nil: it is left out.
    ///
    /// Of a scenario without cases each exchange is expected; a case says itself what it asks for, so that what it leaves
    /// out only explains a failure.
    package var weight: Finding.Weight?

    /// What fails a run that no case judges.
    package static let ruleWithoutCase =
        "requests that no exchange expects or that can't be read, exchanges of a scenario without cases that no request "
        + "asks for, and endless repeating"

    private struct Item: Sendable {
        let exchange: Exchange
        let useCount: Int
        /// `exchange 1`, or `the exchange at test_items.py:7`.
        let name: String
        /// Whether it stands elsewhere than the scenario, as a stub of a test.
        let isPlaced: Bool

        /// `GET /data`, or `GET /data (the exchange at test_items.py:7)`.
        var request: String { exchange.request.text + (isPlaced ? " (\(name))" : "") }

        /// `no request came for GET /data, which exchange 1 answers`.
        var plain: String {
            let request = "\(exchange.request.text), which \(name) answers"
            guard let wanted else { return "no request came for \(request)" }
            let came = useCount == 0 ? "never came" : useCount == 1 ? "came once" : "came \(useCount) times"
            return "\(request), \(came); wanted \(wanted.least)\(Plural.count(wanted.count, "time"))"
        }

        /// `never came: GET /data, exchange 1`.
        var sentence: String {
            let what = "\(exchange.request.text), \(name)"
            guard let wanted else { return "never came: \(what)" }
            return "came \(Plural.count(useCount, "time")), wanted \(wanted.least)\(wanted.count): \(what)"
        }

        /// How often it had to come, `at least` where more are permitted; nil where one that came is enough.
        private var wanted: (least: String, count: Int)? {
            guard let least = exchange.leastTimes, least > 1 || useCount > 0 else { return nil }
            return (exchange.times == least ? "" : "at least ", least)
        }
    }

    /// `entries` are all entries of one run; without `expectsEach` only an exchange that requires a number is expected.
    package init(of scenario: Scenario, in entries: [JournalEntry], expectsEach: Bool = true) {
        var useCounts = Array(repeating: 0, count: scenario.exchanges.count)
        var refusing: Set<String> = []
        for entry in entries {
            switch entry.event {
            case .exchangeChosen(let exchange, _): if useCounts.indices.contains(exchange) { useCounts[exchange] += 1 }
            case .guarded(let verdict): if verdict.outcome != .admitted { refusing.insert(verdict.guardName) }
            default: break
            }
        }
        self.init(of: scenario, useCounts: useCounts, expectsEach: expectsEach) { exchange in
            // A request that a guard refused has used one of the guard's exchanges.
            exchange.guards.contains { refusing.contains(scenario.guards[$0].name) }
        }
    }

    /// Makes the list from the number of uses by exchange.
    package init(
        of scenario: Scenario, useCounts: [Int], expectsEach: Bool = true,
        wasRefused: (Exchange) -> Bool = { _ in false }
    ) {
        weight = scenario.cases.isEmpty ? .failure : .observation
        let places = scenario.exchangePlaces
        isAnyUsed = useCounts.contains { $0 > 0 }
        items = zip(scenario.exchanges, useCounts).compactMap { exchange, count in
            let least = exchange.leastTimes ?? (exchange.isOptional || !expectsEach ? 0 : 1)
            guard count < least, exchange.leastTimes != nil || !wasRefused(exchange) else { return nil }
            let place = places[exchange.index]?.exchangeName
            return Item(
                exchange: exchange, useCount: count, name: place ?? "exchange \(exchange.index)",
                isPlaced: place != nil)
        }
    }

    package var isEmpty: Bool { items.isEmpty }

    /// One line for each, in the order of the file.
    package var sentences: [String] { items.map(\.sentence) }

    /// The requests that are still expected, at most three by name: `GET /start or GET /end`; nil where there are none.
    private var requests: String? {
        guard !items.isEmpty else { return nil }
        let rest = items.count - 3
        return (items.prefix(3).map(\.request) + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: " or ")
    }

    /// Says of each request that is near no exchange, or near one that was used already, which requests are still expected;
    /// in `sentence`, too, where it begins with that request.
    fileprivate func nameWanted(in findings: inout [Finding], _ sentence: inout String?) {
        guard let requests else { return }
        for index in findings.indices where findings[index].wanted == nil {
            guard case .miss(let miss) = findings[index].subject else { continue }
            let plain = findings[index].plain
            // Of a request that differs in its fields or its content, the difference is what is wanted.
            guard miss.nearestExchange == nil || plain?.hasSuffix(MissWords.unanswered) == true else { continue }
            findings[index].wanted = requests
            // A case says itself what it asks for.
            guard weight == .failure, let plain, plain.hasSuffix(MissWords.unanswered) else { continue }
            let longer = "\(plain); wanted \(requests)"
            findings[index].plain = longer
            if let old = sentence, old.hasPrefix(plain) { sentence = longer + old.dropFirst(plain.count) }
        }
    }

    /// One finding for each exchange: a failure when the scenario requires a number, else one of ``weight``.
    ///
    /// Observations are added only beside failures, and not when no exchange was used at all, which another finding
    /// reports.
    func findings(hasFailed: Bool) -> [Finding] {
        let weight = weight == .observation && !(hasFailed && isAnyUsed) ? nil : weight
        return items.compactMap { item in
            guard let weight = item.exchange.leastTimes == nil ? weight : .failure else { return nil }
            var finding = Finding(
                subject: .unasked(exchange: item.exchange.index), weight: weight, sentence: item.sentence,
                location: item.exchange.location)
            finding.plain = item.plain
            return finding
        }
    }
}

extension WireVerdict {
    /// The verdict with a finding for each exchange that no request used.
    ///
    /// An exchange that requires a number of requests fails the verdict; ``UnaskedExchanges/weight`` is that of others.
    package func naming(_ unasked: UnaskedExchanges) -> WireVerdict {
        if case .setupFailed = outcome { return self }
        let findings = unasked.findings(hasFailed: outcome == .fail || outcome == .notJudged)
        var verdict = self
        unasked.nameWanted(in: &verdict.findings, &verdict.sentence)
        verdict.findings += findings
        if let failure = findings.first(where: { $0.weight == .failure }) {
            verdict.outcome = .fail
            verdict.sentence = verdict.sentence ?? noConnection ?? failure.plain
        }
        return verdict
    }
}

extension CaseVerdict {
    /// The verdict with a finding for each exchange that no request used, weighted as in ``WireVerdict``.
    package func naming(_ unasked: UnaskedExchanges) -> CaseVerdict {
        var verdict = self
        let findings = unasked.findings(hasFailed: outcome.isFailure)
        switch outcome {
        case .skipped, .setupFailed, .adapterError, .lacks, .notInThisAdapter: return self
        case .pass, .partly, .observed, .notJudged, .known:
            if let failure = findings.first(where: { $0.weight == .failure }) {
                verdict.fail(by: .request)
                verdict.sentence = verdict.sentence ?? noConnection ?? failure.plain
            }
        case .fail, .hang, .crash, .fixed: break
        }
        unasked.nameWanted(in: &verdict.findings, &verdict.sentence)
        verdict.findings += findings
        return verdict
    }
}
