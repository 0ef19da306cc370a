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

    /// What helps on where a question finds nothing.
    package struct Advice: Sendable, Equatable {
        /// Each word with the number of scenarios that have it, without regard to kind and ability.
        package var counts: [Count] = []
        /// The text with each word that no scenario has replaced by the nearest one that names and summaries have; nil where there is none.
        package var meant: String?
        /// The word without which something is found, and the first of that.
        package var without: String?
        package var most: [String] = []

        package struct Count: Sendable, Equatable {
            package let word: String
            package let count: Int
        }
    }

    /// The most scenarios that are named where one word fewer finds them.
    private static let mostLimit = 5

    /// The advice on a question that finds nothing.
    package func advice(on question: Question) -> Advice {
        var advice = Advice()
        advice.counts = question.terms.map { term in
            Advice.Count(word: term.word, count: entries.count { $0.searched.weight(of: [term]) != nil })
        }
        if advice.counts.contains(where: { $0.count == 0 }) {
            let known = vocabulary
            let words = advice.counts.map { one in
                one.count > 0 ? one.word : NearestName.find(one.word, in: known) ?? one.word
            }
            let meant = words.joined(separator: " ")
            var other = Question(meant)
            (other.kind, other.ability) = (question.kind, question.ability)
            if words != advice.counts.map(\.word), !find(other).isEmpty { advice.meant = meant }
        }
        guard question.terms.count > 1 else { return advice }
        // The word that fewest scenarios have is left out first.
        for index in question.terms.indices.sorted(by: { advice.counts[$0].count < advice.counts[$1].count }) {
            var fewer = question
            fewer.terms.remove(at: index)
            let found = find(fewer)
            guard !found.isEmpty else { continue }
            advice.without = question.terms[index].word
            advice.most = found.prefix(Self.mostLimit).map(\.id)
            break
        }
        return advice
    }

    /// The words of names and summaries, and those that have synonyms, without the short ones, which are near to much.
    private var vocabulary: [String] {
        let texts = entries.flatMap { [$0.scenario.id, $0.scenario.summary] }
        let words = texts.flatMap { text in
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0.count > 3 }.map(String.init)
        }
        return Set(words).union(SearchTerm.synonyms.keys).sorted()
    }
}

extension ScenarioSearch.Advice {
    /// `'root' is in 2, '204' is in 0`; empty for a question without words.
    package var countWords: String { counts.map { "'\($0.word)' is in \($0.count)" }.joined(separator: ", ") }
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
