import ProctorBase
package import ProctorEvents
import ProctorJournal

/// Finds scenarios by words; made once, then each search reads one text per scenario.
package struct ScenarioSearch: Sendable {
    private let entries: [Entry]

    private struct Entry: Sendable {
        let scenario: Scenario
        let searched: SearchedText
    }

    /// A search; an empty one finds every scenario.
    package struct Question: Sendable, Equatable {
        /// The words, all of which must occur, in any letter case.
        package var terms: [SearchTerm] = []
        /// One of the scenario's cases must be of this kind.
        package var kind: Case.Kind?
        /// At least one of the scenario's cases must need the ability, or apply to clients that have it.
        package var ability: Ability?

        /// The most words that are used.
        package static let wordLimit = 12

        /// Reads the items of a query; `q` is the text that the user typed.
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
                scenario: scenario,
                searched: SearchedText(name: scenario.id, title: scenario.summary, text: scenario.searchText))
        }
    }

    /// The scenarios found: first those with the words in ids and summaries, then by id.
    package func find(_ question: Question) -> [Scenario] {
        var matches: [(scenario: Scenario, weight: Int)] = []
        for entry in entries {
            let cases = entry.scenario.cases
            if let kind = question.kind, !cases.contains(where: { $0.kind == kind }) { continue }
            if let ability = question.ability,
                !cases.contains(where: { $0.needs.contains(ability) || $0.applies.contains(ability) })
            {
                continue
            }
            if let weight = entry.searched.weight(of: question.terms) { matches.append((entry.scenario, weight)) }
        }
        return matches.sorted { ($1.weight, $0.scenario.id) < ($0.weight, $1.scenario.id) }.map(\.scenario)
    }

    /// The number of scenarios with each of the words, without regard to kind and ability.
    package func counts(of question: Question) -> [(word: String, count: Int)] {
        question.terms.map { term in (term.word, entries.count { $0.searched.weight(of: [term]) != nil }) }
    }
}

extension Scenario {
    /// The text that is searched: id, summary, documents, cases, requests, statuses, fields and effects.
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
