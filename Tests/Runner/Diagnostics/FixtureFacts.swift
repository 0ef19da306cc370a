import ProctorScenario

/// Facts of a scenario that are computed.
enum FixtureFacts {
    static func all(_ scenario: Scenario) -> [String: () throws -> Any] {
        [
            "http2Obstacles": { scenario.http2Obstacles },
            "http2ObstaclesOfCases": { scenario.cases.map { scenario.http2Obstacles(of: $0) } },
        ]
    }
}
