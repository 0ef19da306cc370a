import ProctorHTTP
import ProctorJournal

/// Whether Host, or `:authority`, is that of the target URI (RFC 9110 §7.2, RFC 9112 §3.2, RFC 9113 §8.3.1) in a run with
/// several origins.
extension WireRecord {
    /// A violation for each request whose Host is the authority of another origin than the one it came to.
    ///
    /// Each origin of a run has a port of its own, so the port tells the origin, whatever the host is called. Where an
    /// alternative service (RFC 7838 §2) or a connection that carried the right authority before (RFC 9113 §9.1.1) may serve
    /// another origin, nothing is told.
    func foreignHosts() -> [(exchange: SeenExchange, violation: Violation)] {
        guard !servesOtherOrigins else { return [] }
        var origins: [Int: String] = [:]
        for connection in connections {
            if let port = connection.local?.port, let origin = connection.origin { origins[port] = origin }
        }
        guard origins.count > 1 else { return [] }
        return exchanges.compactMap { exchange in
            let connection = connections[exchange.connection]
            guard exchange.head.form == .origin, exchange.origin == connection.origin,
                let port = exchange.url?.origin.port, let own = connection.local?.port, port != own,
                let other = origins[port], other != connection.origin,
                !exchange.head.isMultiplexed || connection.requests.first == exchange.number,
                let host = exchange.head.fields.values(named: "Host").first
            else { return nil }
            let violation = Violation(.hostOfAnotherOrigin, at: host.startIndex, detail: Array(host.prefix(48)))
            return (exchange, violation)
        }
    }
}
