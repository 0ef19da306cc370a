import ProctorDocument
import ProctorHTTP
import ProctorScenario

/// Departures that are not tolerated here.
struct ToleranceKeys: Sendable {
    fileprivate let except = Key<Set<Departure>>(
        "except", isRequired: true, hint: "write tolerates: { except: digest-quoting }, or none"
    ) { $1.departures($0) }
}

extension ScenarioReader {
    static let toleranceTable = Table("tolerances", ToleranceKeys())

    /// The value of `tolerates:`.
    static let tolerances = Shape<Set<Departure>> { node, reader in
        if node.text == "none" { return Set(Departure.allCases) }
        guard node.entries != nil else {
            return reader.sink.refuse(node, "expected none or { except: … }, found \(node.found)")
        }
        return toleranceTable.open(node, reader).flatMap { $0[\.except] }
    }

    fileprivate func departures(_ node: Node) -> Set<Departure>? {
        let count = Departure.allCases.count
        return Set(
            oneOrMore(node, "departures", limit: count).compactMap {
                sink.choice($0, "a departure", among: Departure.self)
            })
    }
}
