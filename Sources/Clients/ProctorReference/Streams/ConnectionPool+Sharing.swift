internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS

/// Connections of HTTP/2 and HTTP/3, each of which carries the requests of many transfers.
extension ConnectionPool {
    /// Opens a stream without waiting; nil when a connection must be opened or waited for.
    func takeStream(for request: PoolRequest) -> SharedStream? {
        loop.preconditionOnLoop()
        guard request.destination.sharesConnections, !isClosed else { return nil }
        if let group = groups[request.destination] {
            // Other requests have been waiting longer.
            guard group.waiting.isEmpty else { return nil }
            if let shared = group.sharedConnection { return shared.hasRoom ? shared.reserve() : nil }
        }
        return connectionOfOthers(for: request)?.reserve()
    }

    /// A connection to another origin that may carry the request (RFC 9113 §9.1.1).
    ///
    /// It has the same address, and its server has shown a certificate that the anchors trust for this host too. Trust
    /// by a delegate is for its origin only, and so is an identity that was shown.
    private func connectionOfOthers(for request: PoolRequest) -> (any SharedConnection)? {
        let destination = request.destination
        guard let security = destination.security, destination.tunnelProxy == nil, destination.alternative == nil,
            destination.speaksHTTP2, let addresses = destination.knownAddresses
        else { return nil }
        if request.fault == .http2(.sharesWithEveryName),
            let any = sharedConnections.first(where: { $0.secured != nil && !$0.isRetired && $0.hasRoom })
        {
            return any
        }
        let fitting = groups.values.lazy.flatMap(\.shared).filter { connection in
            let other = connection.destination
            guard other.security === security, other.tunnelProxy == nil, other.alternative == nil,
                other.origin.port == destination.origin.port,
                connection.mayServe(destination.origin), connection.hasRoom, addresses.contains(connection.peer),
                let secured = connection.secured
            else { return false }
            return secured.isVouchedFor && !secured.isShown
                && secured.session?.serverCertificateIsFor(destination.origin.undottedHost) == true
        }
        return fitting.min { $0.number < $1.number }
    }

    /// Makes a shared connection from a socket; nil without memory, and then the socket is used for HTTP/1.1.
    func share(
        _ socket: Socket, numbered number: Int, _ secured: SecuredConnection?, for request: PoolRequest,
        in group: ConnectionGroup
    ) -> SharedStream? {
        guard
            let connection = HTTP2Connection(
                socket, to: request.destination, number: number, secured: secured, fault: request.fault?.ofHTTP2,
                pool: self)
        else { return nil }
        group.shared.append(connection)
        connection.start()
        return connection.reserve()
    }

    /// Takes a connection of HTTP/3, which `make` makes with its number, into the place of a request.
    func share(for request: PoolRequest, _ make: (Int) -> HTTP3Connection) -> Carrier {
        let group = group(of: request.destination)
        group.opening.removeAll { $0 === request }
        let connection = make(countOpened())
        group.shared.append(connection)
        let stream = connection.reserve()
        connection.start()
        serveWaiting(of: group)
        return .stream(stream)
    }

    /// Handles a tunnel that now leads to the origin; returns a stream when the origin speaks HTTP/2.
    func settle(_ connection: PooledConnection, for request: PoolRequest) -> SharedStream? {
        guard request.destination.speaksHTTP2 else { return nil }
        let group = group(of: request.destination)
        guard connection.secured?.speaksHTTP2 == true,
            let stream = share(
                connection.socket, numbered: connection.number, connection.secured, for: request, in: group)
        else {
            becomeHTTP1(group)
            return nil
        }
        group.connections.removeAll { $0 === connection }
        serveWaiting(of: group)
        return stream
    }

    // MARK: Changes

    var sharedConnections: [any SharedConnection] { groups.values.flatMap(\.shared) }

    /// Handles a change: more streams may be opened on the connection, or no more.
    func placesHaveChanged(on connection: any SharedConnection) {
        guard let group = groups[connection.destination] else { return }
        serveWaiting(of: group)
        let idle = sharedConnections.filter { $0.idleSince != nil && !$0.isClosed }
        guard idle.count > limits.idleConnections else { return }
        idle.min { ($0.idleSince ?? 0) < ($1.idleSince ?? 0) }?.close()
    }

    func didClose(_ connection: any SharedConnection) {
        guard let group = groups[connection.destination] else { return }
        group.shared.removeAll { $0 === connection }
        if !isClosed { serveWaiting(of: group) }
        forgetIfUnused(group)
    }
}

extension ConnectionGroup {
    /// The connection for new streams; nil when one must be opened.
    var sharedConnection: (any SharedConnection)? { shared.first { $0.mayServe(destination.origin) } }

    /// Whether a connection of unknown protocol is being opened: if it can be shared, one is enough.
    var isSettling: Bool {
        destination.sharesConnections && !speaksHTTP1
            && (!opening.isEmpty || connections.contains(where: \.needsTunnel))
    }
}

extension PoolRequest {
    enum SpokenProtocol {
        case http1, http2
    }

    /// Whether a new connection begins with that protocol; false for both before a tunnel is made.
    func begins(_ spoken: SpokenProtocol, with secured: SecuredConnection?) -> Bool {
        guard destination.speaksHTTP2, destination.tunnelProxy == nil else { return false }
        let isHTTP2 = secured?.speaksHTTP2 ?? (origin.scheme == .http)
        return isHTTP2 == (spoken == .http2)
    }
}
