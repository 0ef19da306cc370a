internal import ProctorBase
internal import ProctorEvents
import ProctorHTML
import ProctorNotation
internal import ProctorScenario
import ProctorServer

/// What a case wants, in words, with the text of the fixture beside them.
struct CaseWords {
    let item: Case
    let scenario: Scenario

    /// Parts of one expression that are shown; the rest is counted.
    private static let partLimit = 60

    var html: HTML {
        var html: HTML = ""
        if let wire = item.wire { html += expression(wire, "What the server sees", key: "wire") }
        if let cookies = item.cookies { html += "<p class=\"wanted\">\(Self.sentence(cookies.inWords)).</p>" }
        for (key, notation) in item.lanes.sorted(by: { $0.key < $1.key }) {
            html += expression(notation, title(of: key), key: key)
        }
        if !item.edges.isEmpty {
            let edges = item.edges.joined { "<li>\($0.inWords)</li>" }
            html += "<p class=\"wanted\">Between them:</p><ul class=\"words\">\(edges)</ul>"
        }
        if !item.facts.isEmpty {
            let facts = item.facts.joined { "<li>\($0.inWords) <code class=\"soft\">\($0.name.text)</code></li>" }
            html += "<p class=\"wanted\">Facts:</p><ul class=\"words\">\(facts)</ul>"
        }
        if !item.given.isEmpty {
            let given = item.given.joined { "<li>\($0.inWords) <code class=\"soft\">\($0.name.text)</code></li>" }
            html += "<p class=\"wanted\">Judged only where:</p><ul class=\"words\">\(given)</ul>"
        }
        guard !item.breaks.isEmpty else { return html }
        let rules = item.breaks.map(\.description).joined(separator: ", ")
        return "\(html)<p>Its program breaks \(rules) on purpose, and exactly that must be found.</p>"
    }

    private func expression(_ notation: Notation, _ title: String, key: String) -> HTML {
        var left = Self.partLimit
        let parts = notation.inWords
        let words = Self.list(parts, isOrdered: parts.count > 1, left: &left)
        let rest: HTML = left < 0 ? "<p class=\"soft\">and \(-left) more, in the expression</p>" : ""
        var ambient: HTML = ""
        if let between = item.ambient[key] {
            ambient = "<p class=\"soft\">Between any two of them: <code>\(between.text.trimmedLines)</code></p>"
        }
        return """
            <p class="wanted">\(title): <code class="soft">\(notation.text.trimmedLines)</code></p>\(words)\(rest)\(ambient)
            """
    }

    /// Ordered where the parts come one after the other.
    private static func list(_ parts: [NotationWords], isOrdered: Bool, left: inout Int) -> HTML {
        let items = parts.joined { words in
            left -= 1
            guard left >= 0 else { return "" }
            let inner: HTML =
                words.parts.isEmpty ? "" : list(words.parts, isOrdered: words.isOrdered, left: &left)
            return "<li>\(words.text)\(inner)</li>"
        }
        return isOrdered ? "<ol class=\"words\">\(items)</ol>" : "<ul class=\"words\">\(items)</ul>"
    }

    /// `task[1]` is about the second step of the program.
    private func title(of key: String) -> String {
        let step = item.client.count == 1 ? "" : " of step \((Self.number(in: key) ?? 0) + 1)"
        switch Lane(fixtureKey: key) {
        case .task where key.hasPrefix("download"): return "What the delegate of the download\(step) is told"
        case .task: return "What the delegate of the task\(step) is told"
        case .session: return "What the delegate of the session is told"
        case .proto: return "What the URLProtocol is asked"
        case .protocolClient: return "What the URLProtocol tells its client"
        case .handler: return "What the completion handler\(step) gets"
        case .harness: return "What the test does"
        case .wire, nil: return key
        }
    }

    private static func number(in key: String) -> Int? {
        guard let bracket = key.firstIndex(of: "["), key.hasSuffix("]") else { return nil }
        return Int(key[key.index(after: bracket)...].dropLast())
    }

    private static func sentence(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() }
}
