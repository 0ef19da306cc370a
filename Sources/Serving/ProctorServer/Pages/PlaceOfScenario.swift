internal import ProctorReplies
package import ProctorScenario

/// The addresses at which the server permanently serves a scenario.
package struct PlaceOfScenario: Sendable {
    /// Without a trailing slash.
    package let base: String
    /// Host and port of every origin, in the order of the scenario.
    let authorities: [String]
    var schemes: [Scheme] = []
    /// Certificates for clients; nil without TLS.
    var trust: TrustFiles?
    /// Authority of the proxy to the names of its origins; nil without one.
    package var namesProxy: String?
    /// The base of the shared port, with the control API.
    var control = ""
    package var wantsToken = false
}

extension PlaceOfScenario {
    package init(of run: Run) {
        self.init(
            base: run.base, authorities: run.authorities, schemes: run.scenario.origins.map(\.scheme),
            trust: run.trustFiles, namesProxy: run.namesProxy)
    }

    package static func resetPath(_ scenario: Scenario) -> String {
        "\(ControlCall.prefix)/standing/\(scenario.id)/reset"
    }

    package func resetLine(_ scenario: Scenario) -> String {
        let token = wantsToken ? "-H 'Authorization: Bearer TOKEN' " : ""
        return "curl -X POST \(token)\(control)\(Self.resetPath(scenario))"
    }

    var context: TemplateContext {
        TemplateContext(
            base: Array(base.utf8), authorities: authorities.map { Array($0.utf8) }, schemes: schemes, trust: trust,
            namesProxy: namesProxy)
    }
}

extension Scenario {
    /// Half a sentence about replies that differ from request to request; nil where all are equal.
    package var turnsRemark: String? {
        if sequence == .strict { return "Its exchanges come in their order, and begin again behind the last one" }
        let lists = exchanges.filter { $0.turnCount > 1 }
        guard !lists.isEmpty else { return nil }
        if lists.allSatisfy({ $0.after == .last }) { return "Its replies come in turn, and the last one stays" }
        return "Its replies come in turn, and begin again behind the last one"
    }
}
