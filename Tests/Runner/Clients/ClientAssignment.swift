import Foundation
import ProctorDocument
import ProctorFixtures
import ProctorScenario

/// A scenario with one case, and how the client is started for it.
struct ClientAssignment {
    let scenario: Scenario
    let item: Case
    /// The arguments of the program.
    let arguments: [String]
    let wantedProtocol: RunProtocol
    /// The line of the page, for what goes wrong.
    let line: Int
}

/// The blocks that an assignment is made of.
struct ClientScene {
    static let names: Set<String> = ["scenario", "reply", "case"]

    private var exchanges: Block?
    private var program: Block?

    mutating func take(_ block: Block) {
        if block.name == "case" { program = block } else { exchanges = block }
    }

    /// `words` stand behind those of the block `case`; `given` takes the places of `$(1)`, `$(2)` ….
    func assignment(words: [String], given: [String], at line: Int) throws(RowError) -> ClientAssignment {
        guard let exchanges else { throw RowError(line, "before this stands a block \"scenario\" or \"reply\"") }
        var text =
            exchanges.name == "scenario"
            ? exchanges.text : "exchanges:\n  - request: \"* /*\"\n    reply:\n" + Self.indented(exchanges, by: 6)
        text += "cases:\n  one:\n    client:\n" + (program.map { Self.indented($0, by: 6) } ?? "      url: /a\n")
        for (index, part) in given.enumerated() { text = text.replacing("$(\(index + 1))", with: part) }
        let (scenario, diagnostics) = ScenarioLoader.parseMade(
            Array(text.utf8), id: "test/one", file: "one.yaml", madeByteLimit: 64 << 20)
        guard let scenario, let item = scenario.cases.first else {
            throw RowError(line, diagnostics.map(\.description).joined(separator: "\n") + "\n" + text)
        }
        let words = (program?.words ?? []) + words
        var arguments: [String] = []
        if let place = words.firstIndex(of: "as"), place + 1 < words.count { arguments += ["--as", words[place + 1]] }
        for word in ["cache", "names-proxy"] where words.contains(word) { arguments.append("--\(word)") }
        return ClientAssignment(
            scenario: scenario, item: item, arguments: arguments,
            wantedProtocol: words.lazy.compactMap(RunProtocol.init).first ?? .http11, line: line)
    }

    private static func indented(_ block: Block, by count: Int) -> String {
        block.lines.map { String(repeating: " ", count: count) + $0 + "\n" }.joined()
    }
}
