import ProctorDocument
import ProctorScenario

// The changes of a run's clock.
extension ScenarioReader {
    private static let clockChangeLimit = 10

    /// One change or a list of them.
    static let clockChanges = Shape<[ClockChange]> { node, reader in
        reader.sink.texts(node, "a change of the clock", limit: clockChangeLimit)
            .compactMap { reader.clockChange($0.text, $0.node) }
    }

    func clockChange(_ text: String, _ node: Node) -> ClockChange? {
        ClockChange(text)
            ?? sink.refuse(
                node, "expected a change of the clock, found \(quoted(text))",
                hint: "write \(ClockChange.expected); times are in UTC, from 1970 to 2199")
    }
}
