/// A scenario, or a case, that means nothing over the protocol that is wanted of its run.
package struct ProtocolRefusal: Error, Sendable, CustomStringConvertible {
    /// Never empty; in the order of the file.
    package let obstacles: [HTTP2Obstacle]
    /// The name of the protocol: `HTTP/2`.
    private let name: String

    /// So many are shown.
    private static let shownCount = 10

    /// Nil where there are none.
    package init?(_ obstacles: [HTTP2Obstacle], speaking wanted: RunProtocol = .h2) {
        guard !obstacles.isEmpty else { return nil }
        self.obstacles = obstacles
        name = wanted == .h3 ? "HTTP/3" : "HTTP/2"
    }

    /// The refusal of a case in a run of that protocol; nil where the case can be asked.
    package init?(of item: Case, in scenario: Scenario, speaking wanted: RunProtocol) {
        guard wanted != .http11 else { return nil }
        let ofScenario = scenario.obstacles(over: wanted)
        self.init(ofScenario.isEmpty ? scenario.obstacles(of: item, over: wanted) : ofScenario, speaking: wanted)
    }

    package static func check(_ scenario: Scenario, _ wanted: RunProtocol) throws(ProtocolRefusal) {
        guard wanted != .http11,
            let refusal = ProtocolRefusal(scenario.obstacles(over: wanted), speaking: wanted)
        else { return }
        throw refusal
    }

    /// Half a sentence: all places, up to ten of them.
    package var description: String {
        let shown = obstacles.prefix(Self.shownCount).map(\.description).joined(separator: "; ")
        let rest = obstacles.count - Self.shownCount
        return "it means nothing over \(name): \(shown)" + (rest > 0 ? "; and \(rest) more" : "")
    }

    /// The first place alone.
    package var reason: String { "it means nothing over \(name): \(obstacles[0])" }
}
