package import ProctorScenario

extension Case {
    /// The case of a scenario without cases: every client must send at least one request.
    ///
    /// As in every case, requests without a matching exchange and broken rules are failures.
    package static func ofAnyRequests(in scenario: Scenario) -> Case {
        var item = anyRequests
        item.location = scenario.location
        item.exchangePlaces = scenario.exchangePlaces
        return item
    }

    private static let anyRequests: Case = {
        let text = """
            summary: A scenario without cases
            exchanges: [{ request: "* /*", reply: { status: 200 } }]
            cases: { requests: { client: { url: / }, facts: { wire.count: { min: 1 } } } }
            """
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "requests", file: "requests")
        guard let item = scenario?.cases.first else { preconditionFailure("\(diagnostics)") }
        return item
    }()
}
