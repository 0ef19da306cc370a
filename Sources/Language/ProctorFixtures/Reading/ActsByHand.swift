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

    func actsByHand(_ node: Node) -> [ActByHand] {
        oneOrMore(node, "acts by hand", limit: Bounds.actsByHand).compactMap(actByHand)
    }

    private func actByHand(_ node: Node) -> ActByHand? {
        guard node.entries != nil else {
            return sink.word(
                node, "an act by hand",
                among: [ActByHand.deleteCookies, .removeCached].map { ($0.word, $0) },
                mappings: ["set-cookie", "delete-cookie"].map { ($0, "write { \($0): … }") })
        }
        guard let keys = Self.actByHandTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        guard keys.entries.count == 1 else {
            return sink.refuse(node, "an act by hand is one of \"set-cookie\" and \"delete-cookie\"")
        }
        return keys[\.setCookie].map { .setCookie($0) } ?? keys[\.deleteCookie].map { .deleteCookie($0) }
    }
}
