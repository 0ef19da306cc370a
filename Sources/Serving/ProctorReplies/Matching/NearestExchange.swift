package import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
package import ProctorScenario

/// Finds the exchange that is most similar to an unexpected request, and describes each difference.
///
/// An exchange is near when its target is that of the request but for a misspelling, escapes, the authority, the query,
/// or one path that the other begins with; one with another target is never near, however few the other differences are.
package struct NearestExchange {
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
        var best: (compiled: CompiledExchange, weight: Int)?
        var spent: String?
        let path = text(request.path)
        for compiled in scenario.exchanges where compiled.exchange.origin == origin {
            let differences = differences(from: compiled, path, isTold: false, isUsedUp, next, ofState, in: scenario)
            // What was found out last is not all of it.
            if let budget = request.budget, budget.isSpent {
                do throws(SpentBudget) { try budget.checkBounds() } catch { spent = "\(error)" }
                break
            }
            if differences.isNear, differences.weight < best?.weight ?? .max { best = (compiled, differences.weight) }
        }
        var sentences = best.map {
            differences(from: $0.compiled, path, isTold: true, isUsedUp, next, ofState, in: scenario).sentences
        }
        if let spent {
            sentences = (sentences ?? []) + ["nearest: some exchanges were not looked at, for \(spent)"]
        }
        return Miss(nearestExchange: best?.compiled.exchange.index, differences: sentences ?? [])
    }

    /// What is different, with weights; sentences are made where they are told, since that costs much more.
    private struct Differences {
        let isTold: Bool
        private(set) var weight = 0
        private(set) var count = 0
        /// Whether the targets are alike.
        var isNear = true
        private(set) var sentences: [String] = []

        init(isTold: Bool) { self.isTold = isTold }

        /// `fine` decides between exchanges of equal weight; at most 1,023 counts.
        mutating func add(_ weight: Int, fine: Int = 0, _ sentence: @autoclosure () -> String) {
            self.weight += weight * 1_024 + min(fine, 1_023)
            count += 1
            if isTold { sentences.append(sentence()) }
        }
    }

    private func differences(
        from compiled: CompiledExchange, _ path: String, isTold: Bool, _ isUsedUp: (Int) -> Bool, _ next: Int?,
        _ ofState: (CompiledExchange) -> [String], in scenario: CompiledScenario
    ) -> Differences {
        var differences = Differences(isTold: isTold)
        compare(with: compiled.exchange.request, path, &differences)
        let index = compiled.exchange.index
        if isUsedUp(index) {
            differences.add(1, "turns: it is allowed \(times(compiled.useLimit ?? 0))")
        } else if let next, next != index {
            let wanted = next < scenario.exchanges.count ? scenario.exchanges[next].exchange.request.text : "nothing"
            differences.add(1, "order: the sequence is strict and \(wanted) is next")
        }
        if differences.count == 0, let script = compiled.exchange.request.script {
            differences.add(1, "script: \(script.name) did not return true")
        }
        for sentence in ofState(compiled) { differences.add(1, sentence) }
        return differences
    }

    private func compare(with pattern: RequestPattern, _ path: String, _ differences: inout Differences) {
        if !request.hasMethod(in: pattern.methods) {
            let wanted = pattern.methods?.map { text($0) }.joined(separator: " or ") ?? "any"
            differences.add(2, "method: wanted \(wanted), got \(text(request.head.bytes[request.head.methodRange]))")
        }
        if !pattern.matchesTarget(of: request) {
            let weight = targetWeight(pattern, path)
            // What is like an expression is not known, and the explanation says how far it matches.
            differences.isNear = weight != nil || pattern.expression != nil
            differences.add(
                weight ?? 6, fine: weight == 2 ? unfittingNames(pattern) : 0,
                "target: wanted \(pattern.targetText), got \(text(target(as: pattern)))"
                    + pattern.targetExplanation(of: request))
        }
        if pattern.protocolName != request.head.protocolName {
            let names = [pattern.protocolName, request.head.protocolName].map { $0.map { text($0) } ?? "none" }
            differences.add(2, "protocol: wanted \(names[0]), got \(names[1])")
        }
        for header in pattern.headers where !header.holds(for: request.head, within: request.budget) {
            differences.add(
                1,
                Self.sentence(
                    "header \(header.name)", header.value,
                    request.head.fields.values(named: Array(header.name.utf8)).map { Array($0) }, request.budget))
        }
        if let more = pattern.more {
            let sentences = more.differences(
                from: request, captures: pattern.captures(of: request), isTold: differences.isTold)
            for sentence in sentences { differences.add(1, sentence) }
        }
        let body = BodyDifferences(pattern, request, isTold: differences.isTold)
        // Content counts once, by its share that does not agree: a form may have many differences.
        for (index, sentence) in body.sentences.enumerated() {
            differences.add(index == 0 ? 1 : 0, fine: index == 0 ? body.disagreement : 0, sentence)
        }
    }

    /// With scheme and host where the pattern has them too, since these may be what differs.
    private func target(as pattern: RequestPattern) -> [UInt8] {
        guard pattern.targetText.contains(text: "://") else { return request.target }
        return request.absoluteTarget ?? request.target
    }

    /// How many names of parameters stand in the query alone, or in the pattern alone.
    private func unfittingNames(_ pattern: RequestPattern) -> Int {
        var wanted = pattern.query?.filter { !$0.value.holds(for: nil) }.map(\.name) ?? []
        let isRaw = pattern.query?.first?.isRaw ?? true
        if pattern.query == nil, let mark = pattern.target.text.utf8.firstIndex(of: UInt8(ascii: "?")) {
            let query = Array(pattern.target.text.utf8[mark...].dropFirst())
            wanted = RequestPattern.pairs(of: query[...], isRaw: true).map { Array($0.name) }
        }
        let known = Set(pattern.query?.map(\.name) ?? wanted)
        var count = 0
        for pair in RequestPattern.pairs(of: request.query, isRaw: isRaw) {
            let name = Array(pair.name)
            if let index = wanted.firstIndex(of: name) {
                wanted.remove(at: index)
            } else if !known.contains(name) {
                count += 1
            }
        }
        return count + wanted.count
    }

    /// Another query is a smaller difference than a misspelt path, and that a smaller one than a path that goes on;
    /// nil for another path.
    private func targetWeight(_ pattern: RequestPattern, _ path: String) -> Int? {
        var whole = pattern.targetText.split(separator: "?", omittingEmptySubsequences: false).first ?? ""
        if let mark = whole.firstRange(ofText: "://"), let slash = whole[mark.upperBound...].firstIndex(of: "/") {
            whole = whole[slash...]
        }
        let wanted = Self.filled(String(whole), from: path)
        if wanted == path { return 2 }
        if PercentText.decode(path.utf8) == PercentText.decode(wanted.utf8) { return 3 }
        if NearestName.find(path, in: [wanted]) != nil { return 4 }
        let (shorter, longer) = wanted.utf8.count < path.utf8.count ? (wanted, path) : (path, wanted)
        return shorter.utf8.count > 1 && longer.hasPrefix(shorter) ? 5 : nil
    }

    /// The pattern with the path's own segments in the place of those that it captures: `/users/1` for `/users/{id}`.
    private static func filled(_ pattern: String, from path: String) -> String {
        guard pattern.utf8.contains(UInt8(ascii: "{")) || pattern.utf8.contains(UInt8(ascii: "*")) else {
            return pattern
        }
        let (wanted, came) = (pattern.split(separator: "/"), path.split(separator: "/"))
        guard wanted.count == came.count else { return pattern }
        return zip(wanted, came).map { "/\($0 == "*" || $0.hasPrefix("{") && $0.hasSuffix("}") ? $1 : $0)" }.joined()
    }

    /// `header Accept: wanted "text/*", got none`.
    package static func sentence(
        _ what: String, _ wanted: ValueCondition, _ values: [[UInt8]], _ budget: WorkBudget?
    ) -> String {
        let got =
            values.isEmpty ? "none" : values.map { QuotedText.quote(EscapedText.escape($0)) }.joined(separator: " and ")
        return "\(what): wanted \(wanted.wantedOrNone), got \(got)\(wanted.explanation(of: values, within: budget))"
    }

    private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    private func text(_ bytes: some Sequence<UInt8>) -> String { EscapedText.escape(bytes) }
}

extension RequestPattern {
    package var targetText: String {
        let target = expression.map { ValueCondition.matches($0).wanted } ?? target.text
        guard let query else { return target }
        let items = query.map { "\(EscapedText.escape($0.name))=\($0.value.bareText)" }
        return target + "?" + items.joined(separator: "&") + " (in any order)"
    }
}
