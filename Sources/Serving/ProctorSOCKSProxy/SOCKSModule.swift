internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorSOCKS
internal import ProctorScenario

/// Proxies of SOCKS: their keys, and what they say before a tunnel.
package enum SOCKSModule {
    /// Hands them over, for every scenario that this process reads from then on.
    package static func register() {
        ScenarioReader.socks.register(ScenarioReader.socksTable) { ScenarioReader.socks($0) }
        ScenarioReader.socksReply.register(Shape { $1.socksReply($0) })
        SOCKSProxying.slot.register(SOCKSProxying { SOCKSDialogue($0) })
        FactGatherers.register(SeenConversations.self)
    }
}
