internal import ProctorBase
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// The server of DNS of a run: the key `dns` of scenarios, its replies, its sockets, and the facts of its questions.
package enum NameServerModule {
    /// Hands them over, for every scenario that this process reads from then on.
    package static func register() {
        ScenarioReader.nameServer.register(ScenarioReader.dnsReplies)
        NameServers.slot.register { host, stage, addresses, loop in
            Result { () throws(CallFailure) in
                try DNSResponder(
                    at: host, answers: DNSAnswers(stage.scenario, addresses: addresses), stage: stage, on: loop)
            }
        }
        FactGatherers.register(SeenQuestions.self)
    }
}
