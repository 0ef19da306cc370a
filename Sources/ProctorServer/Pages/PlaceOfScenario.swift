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
