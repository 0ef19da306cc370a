internal import ProctorScenario

/// The proxy by which clients come to a run: the one that a case is about, or else the one that leads to its names.
struct ClientProxy: Equatable {
    /// Host and port.
    let authority: String
    /// Addresses of this machine are reached without it; a proxy that is the subject is asked for them too.
    let sparesLoopback: Bool

    /// nil: nothing goes by a proxy.
    ///
    /// Without a case it is what all cases agree on, then the way to the names, then the only proxy there is.
    init?(of run: Run, for item: Case?) {
        let proxies = run.scenario.origins.indices.filter { run.scenario.origins[$0].role == .proxy }
        let named = Set((item.map { [$0] } ?? run.scenario.cases).map { $0.client.first?.session?.proxy })
        let names = run.context.namesProxy
        if named.count == 1, let index = named.first ?? nil, run.authorities.indices.contains(index) {
            (authority, sparesLoopback) = (run.authorities[index], false)
        } else if let names {
            (authority, sparesLoopback) = (names, true)
        } else if item == nil, let index = proxies.first, proxies.count == 1 {
            (authority, sparesLoopback) = (run.authorities[index], false)
        } else {
            return nil
        }
    }
}
