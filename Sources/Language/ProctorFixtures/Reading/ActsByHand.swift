import ProctorDocument
import ProctorProgram
import ProctorScenario

struct ActByHandKeys: Sendable {
    let setCookie = Key("set-cookie", Shape<String>.nonEmptyText("a cookie"))
    let deleteCookie = Key("delete-cookie", Shape<String>.nonEmptyText("a name"))
}

/// Reads what an application itself does with its cookies and cached responses.
extension ScenarioReader {
    static let actByHandTable = Table("an act by hand", ActByHandKeys())

    private static let plainActs = ["delete-cookies", "remove-cached"]

    func actsByHand(_ node: Node) -> [ActByHand] {
        oneOrMore(node, "acts by hand", limit: Bounds.actsByHand).compactMap(actByHand)
    }

    private func actByHand(_ node: Node) -> ActByHand? {
        guard node.entries != nil else {
            guard let word = sink.text(node, "an act by hand") else { return nil }
            if let act = ActByHand(word: word) { return act }
            let hint =
                word == "set-cookie" || word == "delete-cookie"
                ? "write { \(word): … }"
                : DiagnosticSink.hint(for: word, among: Self.plainActs + ["set-cookie", "delete-cookie"])
            return sink.refuse(node, "unknown act by hand \(quoted(word))", hint: hint)
        }
        guard let keys = Self.actByHandTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        guard keys.entries.count == 1 else {
            return sink.refuse(node, "an act by hand is one of \"set-cookie\" and \"delete-cookie\"")
        }
        return keys[\.setCookie].map { .setCookie($0) } ?? keys[\.deleteCookie].map { .deleteCookie($0) }
    }
}
