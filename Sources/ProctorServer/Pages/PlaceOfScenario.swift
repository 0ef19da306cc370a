internal import ProctorScenario

/// Where a scenario can be reached for good.
struct PlaceOfScenario: Sendable {
    /// Without a slash at its end.
    let base: String
    /// Host and port of every origin, in the order of the scenario.
    let authorities: [String]
    /// Of every origin.
    var schemes: [Scheme] = []
    /// What a client needs for TLS; nil where none is spoken.
    var trust: TrustFiles?
    /// Authority of the proxy that leads to the names of its origins; nil where it has none.
    var namesProxy: String?
    /// The base of the shared port, whose control API resets the scenario and has what it saw.
    var control = ""
    /// Whether control calls must show a token.
    var wantsToken = false
}

extension PlaceOfScenario {
    /// The control call for the run that stands for a scenario.
    func standingCall(_ scenario: Scenario) -> String { "\(control)\(ControlCall.prefix)/standing/\(scenario.id)" }

    /// A command that has the scenario begin again.
    func resetLine(_ scenario: Scenario) -> String {
        "curl -X POST \(wantsToken ? "-H 'Authorization: Bearer TOKEN' " : "")\(standingCall(scenario))/reset"
    }
}

extension Scenario {
    /// Half a sentence about replies that change from one request to the next; nil where all requests get the same.
    var turnsRemark: String? {
        if sequence == .strict { return "Its exchanges come in their order, and begin again behind the last one" }
        guard exchanges.contains(where: { $0.replies.count > 1 }) else { return nil }
        return "Its replies come in turn, and begin again behind the last one"
    }
}

extension PlaceOfScenario {
    init(of run: Run) {
        self.init(
            base: run.base, authorities: run.authorities, schemes: run.scenario.origins.map(\.scheme),
            trust: run.trustFiles, namesProxy: run.context.namesProxy)
    }

    /// What late-bound text stands for there.
    var context: TemplateContext {
        TemplateContext(
            base: Array(base.utf8), authorities: authorities.map { Array($0.utf8) }, schemes: schemes, trust: trust,
            namesProxy: namesProxy)
    }
}
