internal import ProctorHTTP
internal import ProctorTLS

/// What the connections of one client are secured by, and what is kept of the servers they led to; loop thread only.
///
/// Connections of another one are not for its loads, whatever origin they lead to: they trust others.
final class ConnectionSecurity: @unchecked Sendable {
    let settings: ReferenceSecurity
    private var made: Result<TLSClientContext, TLSRefusal>?
    /// Of servers that the anchors vouch for.
    private var tickets: [Origin: TLSTicket] = [:]
    /// Origins with a ticket, the oldest first.
    private var ticketOrder: [Origin] = []
    /// What let this client in, by those who asked.
    private var identities: [Origin: LoadIdentity] = [:]

    /// Origins whose identity is remembered.
    private static let identityBound = 256

    init(_ settings: ReferenceSecurity) { self.settings = settings }

    /// Made with the first connection that needs it.
    func context() throws(TLSRefusal) -> TLSClientContext {
        if let made { return try made.get() }
        let result: Result<TLSClientContext, TLSRefusal>
        do throws(TLSRefusal) {
            result = .success(try TLSClientContext(settings.setup))
        } catch {
            result = .failure(error)
        }
        made = result
        return try result.get()
    }

    // MARK: Sessions

    /// A session to go on with; it is gone from here, as one of TLS 1.3 is good for one connection (RFC 8446 §C.4).
    func takeTicket(for origin: Origin) -> TLSTicket? {
        guard settings.fault != .keepsNoSessions, let ticket = tickets.removeValue(forKey: origin) else { return nil }
        ticketOrder.removeAll { $0 == origin }
        return ticket
    }

    func keep(_ ticket: TLSTicket, of origin: Origin) {
        guard settings.keptSessions > 0 else { return }
        ticketOrder.removeAll { $0 == origin }
        ticketOrder.append(origin)
        tickets[origin] = ticket
        while ticketOrder.count > settings.keptSessions { tickets[ticketOrder.removeFirst()] = nil }
    }

    // MARK: Identities

    /// The one of default handling.
    func identity(for origin: Origin) -> LoadIdentity? { identities[origin] ?? settings.identity }

    func remember(_ identity: LoadIdentity, for origin: Origin) {
        if identities.count >= Self.identityBound, identities[origin] == nil { identities = [:] }
        identities[origin] = identity
    }
}
