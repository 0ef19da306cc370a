extension Case {
    /// What is asked of every client of a scenario without cases: that at least one request comes.
    ///
    /// Requests that no exchange expects and broken rules are failures of every case.
    package static func ofAnyRequests(in scenario: Scenario) -> Case {
        var item = anyRequests
        item.location = scenario.location
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
