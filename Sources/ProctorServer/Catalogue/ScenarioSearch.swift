internal import ProctorBase
internal import ProctorEvents
internal import ProctorScenario

/// Scenarios by the words that speak of them; made once, then each search reads through one text per scenario.
struct ScenarioSearch: Sendable {
    private let entries: [Entry]

    private struct Entry: Sendable {
        let scenario: Scenario
        /// In lower case.
        let text: String
    }

    /// What is looked for; the empty question finds everything.
    struct Question: Sendable, Equatable {
        /// All of them must occur, in any letter case.
        var words: [String] = []
        /// One of the scenario's cases must be of this kind.
        var kind: Case.Kind?
        /// One of the scenario's cases must need it, or be for clients that have it.
        var ability: Ability?

        /// The most words that count.
        static let wordLimit = 12

        init(_ items: [String: String]) {
            let text = (items["q"] ?? "").prefix(300).lowercased()
            words = text.split(whereSeparator: \.isWhitespace).prefix(Self.wordLimit).map(String.init)
            kind = items["kind"].flatMap { Case.Kind(rawValue: $0) }
            ability = items["ability"].flatMap { Ability(rawValue: $0) }
        }

        var isEmpty: Bool { words.isEmpty && kind == nil && ability == nil }
    }

    init(_ scenarios: [Scenario]) {
        entries = scenarios.map { Entry(scenario: $0, text: $0.searchText.lowercased()) }
    }

    /// In the order of the ids.
    func find(_ question: Question) -> [Scenario] {
        entries.lazy.filter { entry in
            let cases = entry.scenario.cases
            if let kind = question.kind, !cases.contains(where: { $0.kind == kind }) { return false }
            if let ability = question.ability,
                !cases.contains(where: { $0.needs.contains(ability) || $0.applies.contains(ability) })
            {
                return false
            }
            return question.words.allSatisfy { entry.text.contains(text: $0) }
        }.map(\.scenario)
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
