internal import ProctorBase
internal import ProctorHTTP
internal import ProctorTLS

/// What the connections of one client are secured by, and what is kept of the servers they led to.
///
/// Connections of another one are not for its loads, whatever origin they lead to: they trust others.
final class ConnectionSecurity: Sendable {
    let settings: ReferenceSecurity
    private let state = Locked(State())

    private struct State {
        var context: Result<TLSClientContext, TLSSetupError>?
        /// Of servers that the anchors vouch for.
        var tickets: [Origin: TLSTicket] = [:]
        /// Origins with a ticket, the oldest first.
        var ticketOrder: [Origin] = []
        /// Identities that a server accepted, by its origin.
        var identities: [Origin: LoadIdentity] = [:]
    }

    /// Origins whose identity is remembered.
    private static let identityBound = 256

    init(_ settings: ReferenceSecurity) { self.settings = settings }

    /// Made with the first connection that needs it.
    func context() throws(TLSSetupError) -> TLSClientContext {
        try state.withLock { state throws(TLSSetupError) in
            if let context = state.context { return try context.get() }
            let result = Result { () throws(TLSSetupError) in try TLSClientContext(settings.setup) }
            state.context = result
            return try result.get()
        }
    }

    // MARK: Sessions

    /// A session to go on with; it is gone from here, as one of TLS 1.3 is good for one connection (RFC 8446 §C.4).
    func takeTicket(for origin: Origin) -> TLSTicket? {
        guard settings.fault != .keepsNoSessions else { return nil }
        return state.withLock { state in
            guard let ticket = state.tickets.removeValue(forKey: origin) else { return nil }
            state.ticketOrder.removeAll { $0 == origin }
            return ticket
        }
    }

    func keep(_ ticket: TLSTicket, of origin: Origin) {
        guard settings.keptSessions > 0 else { return }
        state.withLock { state in
            state.ticketOrder.removeAll { $0 == origin }
            state.ticketOrder.append(origin)
            state.tickets[origin] = ticket
            while state.ticketOrder.count > settings.keptSessions {
                state.tickets[state.ticketOrder.removeFirst()] = nil
            }
        }
    }

    // MARK: Identities

    /// The one of default handling.
    func identity(for origin: Origin) -> LoadIdentity? {
        state.withLock { $0.identities[origin] } ?? settings.identity
    }

    func remember(_ identity: LoadIdentity, for origin: Origin) {
        state.withLock { state in
            if state.identities.count >= Self.identityBound, state.identities[origin] == nil { state.identities = [:] }
            state.identities[origin] = identity
        }
    }
}
