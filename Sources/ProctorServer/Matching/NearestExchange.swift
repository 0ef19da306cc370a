internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// Finds the exchange that is most similar to an unexpected request, and describes each difference.
struct NearestExchange {
    let request: RequestView
    let origin: Int

    /// `isUsedUp` says whether an exchange has no turns left; `next` is the only exchange that a strict sequence
    /// permits.
    ///
    /// `ofState` gives a sentence for each condition on the state that does not hold.
    func miss(
        in scenario: CompiledScenario, isUsedUp: (Int) -> Bool, next: Int?,
        ofState: (CompiledExchange) -> [String] = { _ in [] }
    ) -> Miss {
        var best: (index: Int, weight: Int, differences: [String])?
        for compiled in scenario.exchanges where compiled.exchange.origin == origin {
            var (weight, differences) = compare(with: compiled.exchange.request)
            let index = compiled.exchange.index
            if isUsedUp(index) {
                weight += 1
                differences.append("turns: it was already used \(times(compiled.useLimit ?? 0)), which is all it has")
            } else if let next, next != index {
                weight += 1
                let wanted =
                    next < scenario.exchanges.count ? scenario.exchanges[next].exchange.request.text : "nothing"
                differences.append("order: the sequence is strict and \(wanted) is next")
            }
            if differences.isEmpty, let script = compiled.exchange.request.script {
                weight += 1
                differences.append("script: \(script.name) did not return true")
            }
            let stateDifferences = ofState(compiled)
            weight += stateDifferences.count
            differences += stateDifferences
            if weight < best?.weight ?? .max { best = (index, weight, differences) }
        }
        return Miss(nearestExchange: best?.index, differences: best?.differences ?? [])
    }

    private func compare(with pattern: RequestPattern) -> (weight: Int, differences: [String]) {
        var weight = 0
        var differences: [String] = []
        func note(_ cost: Int, _ text: String) {
            weight += cost
            differences.append(text)
        }
        if !request.hasMethod(in: pattern.methods) {
            let wanted = pattern.methods?.map { text($0) }.joined(separator: " or ") ?? "any"
            note(2, "method: wanted \(wanted), got \(text(request.head.bytes[request.head.methodRange]))")
        }
        if !pattern.matchesTarget(of: request) {
            note(
                targetWeight(pattern),
                "target: wanted \(pattern.targetText), got \(text(request.target))"
                    + pattern.targetExplanation(of: request))
        }
        if pattern.protocolName != request.head.protocolName {
            let names = [pattern.protocolName, request.head.protocolName].map { $0.map { text($0) } ?? "none" }
            note(2, "protocol: wanted \(names[0]), got \(names[1])")
        }
        for header in pattern.headers where !header.holds(for: request.head) {
            let values = request.head.fields.values(named: Array(header.name.utf8)).map { Array($0) }
            note(1, Self.sentence("header \(header.name)", header.value, values))
        }
        if let more = pattern.more {
            for sentence in more.differences(from: request, captures: pattern.captures(of: request)) {
                note(1, sentence)
            }
        }
        let body = BodyDifferences(pattern, request).sentences
        // Only the first three differences count, since a form may have many; otherwise another path would be nearer.
        for (index, sentence) in body.enumerated() { note(index < 3 ? 1 : 0, sentence) }
        return (weight, differences)
    }

    /// Another query is a smaller difference than a misspelt path, and that a smaller one than another path.
    private func targetWeight(_ pattern: RequestPattern) -> Int {
        let wanted = pattern.targetText
        let path = text(request.path)
        if wanted.split(separator: "?", omittingEmptySubsequences: false).first.map(String.init) == path { return 2 }
        return NearestName.find(path, in: [wanted]) == nil ? 6 : 4
    }

    /// `header Accept: wanted "text/*", got none`.
    static func sentence(_ what: String, _ wanted: ValueCondition, _ values: [[UInt8]]) -> String {
        let got = values.isEmpty ? "none" : values.map { QuotedText.of(EscapedText.of($0)) }.joined(separator: " and ")
        return "\(what): wanted \(wanted.wantedOrNone), got \(got)\(wanted.explanation(of: values))"
    }

    private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    private func text(_ bytes: some Sequence<UInt8>) -> String { EscapedText.of(bytes) }
}

extension RequestPattern {
    var targetText: String {
        let target = expression.map { ValueCondition.matches($0).wanted } ?? target.text
        guard let query else { return target }
        let items = query.map { "\(EscapedText.of($0.name))=\($0.value.bareText)" }
        return target + "?" + items.joined(separator: "&") + " (in any order)"
    }
}
