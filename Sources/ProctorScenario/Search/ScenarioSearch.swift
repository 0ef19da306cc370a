import ProctorBase
package import ProctorEvents

/// Scenarios by the words that speak of them; made once, then each search reads through one text per scenario.
package struct ScenarioSearch: Sendable {
    private let entries: [Entry]

    fileprivate struct Entry: Sendable {
        let scenario: Scenario
        /// All in lower case.
        let id: String
        let summary: String
        let text: String
    }

    /// What is looked for; the empty question finds everything.
    package struct Question: Sendable, Equatable {
        /// All of them must occur, in any letter case.
        package var terms: [SearchTerm] = []
        /// One of the scenario's cases must be of this kind.
        package var kind: Case.Kind?
        /// One of the scenario's cases must need it, or be for clients that have it.
        package var ability: Ability?

        /// The most words that count.
        package static let wordLimit = 12

        /// `q` is what was typed.
        package init(_ items: [String: String]) {
            self.init(items["q"] ?? "")
            kind = items["kind"].flatMap { Case.Kind(rawValue: $0) }
            ability = items["ability"].flatMap { Ability(rawValue: $0) }
        }

        package init(_ text: String) {
            terms = Array(SearchTerm.terms(of: String(text.prefix(300))).prefix(Self.wordLimit))
        }

        package var isEmpty: Bool { terms.isEmpty && kind == nil && ability == nil }
    }

    package init(_ scenarios: [Scenario]) {
        entries = scenarios.map { scenario in
            Entry(
                scenario: scenario, id: scenario.id.lowercased(), summary: scenario.summary.lowercased(),
                text: scenario.searchText.lowercased())
        }
    }

    /// Those whose ids and summaries have the words first, then by id.
    package func find(_ question: Question) -> [Scenario] {
        var found: [(scenario: Scenario, weight: Int)] = []
        for entry in entries {
            let cases = entry.scenario.cases
            if let kind = question.kind, !cases.contains(where: { $0.kind == kind }) { continue }
            if let ability = question.ability,
                !cases.contains(where: { $0.needs.contains(ability) || $0.applies.contains(ability) })
            {
                continue
            }
            if let weight = entry.weight(of: question.terms) { found.append((entry.scenario, weight)) }
        }
        return found.sorted { ($1.weight, $0.scenario.id) < ($0.weight, $1.scenario.id) }.map(\.scenario)
    }

    /// How many scenarios have each of the words, whatever else is asked.
    package func counts(of question: Question) -> [(word: String, count: Int)] {
        question.terms.map { term in (term.word, entries.count { $0.weight(of: [term]) != nil }) }
    }
}

extension ScenarioSearch.Entry {
    /// nil where a term does not occur.
    fileprivate func weight(of terms: [SearchTerm]) -> Int? {
        var sum = 0
        for term in terms {
            var weight = self.weight(of: term.word)
            // Another word for the same is worth less than the word itself.
            for other in term.others { weight = max(weight, self.weight(of: other) - 1) }
            guard weight > 0 else { return nil }
            sum += weight
        }
        return sum
    }

    private func weight(of word: String) -> Int {
        if id.contains(text: word) { return 8 }
        if summary.contains(text: word) { return 6 }
        return text.contains(text: word) ? 2 : 0
    }
}

extension Scenario {
    /// Id, summary, documents, cases, requests, statuses, fields and effects.
    fileprivate var searchText: String {
        var words = [id, summary] + spec
        for item in cases { words += [item.name, item.summary ?? ""] + item.spec }
        for origin in origins { words += origin.connectionEffects.map(\.action.verb.rawValue) }
        if speaksTLS { words.append("https TLS") }
        for exchange in exchanges {
            words.append(exchange.request.text)
            for reply in exchange.replies {
                words += reply.effects.map(\.action.verb.rawValue)
                switch reply.message {
                case .structured(let message): words += message.searchWords
                case .raw: words.append("raw bytes")
                case .forward: words.append("proxy")
                case .script: words.append("script Lua")
                case nil: break
                }
            }
        }
        return words.joined(separator: "\n")
    }
}

extension StructuredReply {
    fileprivate var searchWords: [String] {
        var words = ["\(status)", reason ?? ""] + headers.map { String(decoding: $0.name, as: UTF8.self) }
        if case .chunked = framing { words.append("chunked") }
        if coding != nil { words.append("Content-Encoding coded") }
        for piece in body {
            if case .effect(let action) = piece { words.append(action.verb.rawValue) }
        }
        for piece in interim {
            switch piece {
            case .effect(let action): words.append(action.verb.rawValue)
            case .reply(let reply): words.append("\(reply.status)")
            }
        }
        return words
    }
}
