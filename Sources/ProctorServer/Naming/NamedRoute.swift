internal import ProctorTrace

/// Who answers a request by the host that it names.
enum NamedRoute {
    /// An origin that another port than its own leads to, with the request-target as it sees it.
    case routed(Stage, origin: Int, target: [UInt8], JournalEvent.Routing)
    /// A proxy that the scenario is about; `hasExchanges` of its own.
    case proxied(Stage, proxy: Int, hasExchanges: Bool)
    /// The connection becomes one of the origin.
    case tunnel(Stage, origin: Int)
    /// Nobody; noted of the port of an origin, or of one that leads to all of them (nil).
    case stranger(Stranger, Stage, at: Int?)
}
