package import ProctorEvents
package import ProctorGrading
import ProctorProgram
package import ProctorScenario

/// What a test says of its client when it begins an exam.
package struct ExamTerms: Sendable {
    package var client: String
    package var version: String?
    package var abilities: Set<Ability> = []
    /// The events at which the client can be cancelled.
    package var moments: Set<String> = ["response"]
    /// The names of the facts that its results have wherever they apply.
    package var facts = ["url", "status", "mime", "bytes", "body", "error", "message", "header"]
    package var wantedProtocol = RunProtocol.http11
    /// What its runs speak: HTTP/2 over TLS for a client that speaks it by ALPN alone.
    package var spokenProtocol: RunProtocol {
        wantedProtocol.spoken(byALPNAlone: wantedProtocol.needsTLS(of: abilities))
    }
    /// The known deviations, as text and as it was read; nil: none.
    package var ledger: (text: String, ledger: Ledger)?

    package init(client: String, version: String? = nil) {
        (self.client, self.version) = (client, version)
    }

    /// Why a case is not set to the client: the word of an outcome, and half a sentence; nil: it is set.
    package func refusal(of item: Case, in scenario: Scenario) -> (outcome: CaseVerdict.Outcome, reason: String)? {
        let item = item.asked(inRunOf: spokenProtocol)
        if let refusal = ProtocolRefusal(of: item, in: scenario, speaking: spokenProtocol) {
            return (.skipped(refusal.reason), refusal.reason)
        }
        let has = ClientAbilities(
            declared: abilities, reportsCallbacks: abilities.contains(.callbacks),
            reportedFacts: Set(facts.compactMap(FactKey.init)))
        if let missing = has.firstMissing(of: item.needs, oneOf: item.applies) {
            return (.lacks(missing), "the client has no \(missing.rawValue)")
        }
        guard !has.include(.callbacks) else { return nil }
        return item.client.lazy.compactMap { refusal(of: $0) }.first.map { (.notInThisAdapter, $0) }
    }

    /// What the client can't be told in this step; nil: nothing.
    private func refusal(of program: ClientProgram) -> String? {
        if let moment = program.cancelAt {
            guard moments.contains(moment.word) else { return "the client is not cancelled at '\(moment.word)'" }
            if moment.word == "response", moment != Moment("response") { return "a final response comes once" }
        }
        if program.isLaunch { return "a test does not start its process again" }
        if program.isTogether { return "a test makes one load after the other" }
        if program.download != nil { return "the client decides nothing about a file" }
        return nil
    }
}
