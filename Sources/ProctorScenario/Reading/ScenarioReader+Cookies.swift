import ProctorDocument
import ProctorHTTP

/// `cookies:` of a case: a word, or a mapping that pins an edition and says what the order weighs.
extension ScenarioReader {
    /// The demands that are written as one word.
    private enum CookieWord: String, CaseIterable {
        case conforming
        case conformingInAnyOrder = "conforming-in-any-order"

        var demand: Case.CookieDemand {
            switch self {
            case .conforming: .conforming
            case .conformingInAnyOrder: .conformingInAnyOrder
            }
        }
    }

    /// What `conforming:` names.
    private enum EditionWord: String, CaseIterable {
        case any, rfc6265, rfc6265bis

        var edition: CookieEdition? {
            switch self {
            case .any: nil
            case .rfc6265: .rfc6265
            case .rfc6265bis: .rfc6265bis
            }
        }
    }

    func cookieDemand(_ node: Node) -> Case.CookieDemand? {
        guard node.entries != nil else {
            let word: CookieWord? = sink.choice(node, "a demand on cookies")
            return word?.demand
        }
        let reader = MappingReader(node, "a demand on cookies", keys: ["conforming", "order"], sink: sink)
        guard let reader,
            let edition = reader.required("conforming", hint: "write conforming: any, rfc6265 or rfc6265bis"),
            let word: EditionWord = sink.choice(edition, "an edition of cookies")
        else { return nil }
        return Case.CookieDemand(
            edition: word.edition,
            order: reader["order"].flatMap { sink.choice($0, "a weight of the order of cookies") } ?? .recommended)
    }
}
