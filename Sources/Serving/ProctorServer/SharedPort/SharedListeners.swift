internal import ProctorBase
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorServing

/// Opens the addresses of the shared port: the same ports on every loop, and the Unix socket on the first.
enum SharedListeners {
    struct Opened {
        let address: SocketAddress
        let tlsAddress: SocketAddress?
        let accepting: [AcceptLoop.Accepting]
    }

    static func open(
        _ port: SharedPort, configuration: ServerConfiguration, group: EventLoopGroup, contexts: TLSContexts
    ) async throws -> Opened {
        let isShared = group.loops.count > 1
        var addresses: [(address: SocketAddress, security: ListenerSecurity?)] = [(configuration.address, nil)]
        if let address = configuration.tlsAddress {
            let security = ListenerSecurity(
                labelsIn: contexts, speaking: port.protocols, closesPlainHTTP: configuration.closesPlainHTTP)
            addresses.append((address, security))
        }
        if isShared {
            for item in addresses { try await requireFree(item.address, on: group.loops[0]) }
        }
        var accepting: [AcceptLoop.Accepting] = []
        do {
            for loop in group.loops {
                for index in addresses.indices {
                    let opened = try await open(
                        port, at: addresses[index].address, sharesPort: isShared, on: loop, configuration,
                        security: addresses[index].security)
                    // The other loops listen on the port that the system chose for the first.
                    addresses[index].address = opened.loop.address
                    accepting.append(opened)
                }
            }
            if addresses.count > 1, configuration.speaksHTTP3, let security = addresses[1].security {
                accepting.append(
                    try await openHTTP3(port, at: addresses[1].address, security, on: group.loops[0], configuration))
            }
            if let path = configuration.unixPath {
                accepting.append(
                    try await open(
                        port, at: .unix(path: path), sharesPort: false, on: group.loops[0], configuration))
            }
        } catch {
            await accepting.stop(grace: .zero)
            throw error
        }
        let tlsAddress = addresses.count > 1 ? addresses[1].address : nil
        return Opened(address: addresses[0].address, tlsAddress: tlsAddress, accepting: accepting)
    }

    private static func open(
        _ port: SharedPort, at address: SocketAddress, sharesPort: Bool, on loop: EventLoop,
        _ configuration: ServerConfiguration, security: ListenerSecurity? = nil
    ) async throws -> AcceptLoop.Accepting {
        try await withListener(at: address, sharesPort: sharesPort, on: loop) { listener in
            AcceptLoop(
                listener, endpoint: .shared(port), security: security, bounds: ConnectionBounds(configuration.limits),
                report: configuration.report
            ).start()
        }
    }

    /// On one loop: the packets of a connection come to one port.
    private static func openHTTP3(
        _ port: SharedPort, at address: SocketAddress, _ security: ListenerSecurity, on loop: EventLoop,
        _ configuration: ServerConfiguration
    ) async throws -> AcceptLoop.Accepting {
        guard let http3 = configuration.http3 else { throw ServerStartFailure.tls(SecurityRefusal.withoutQUIC) }
        return try await loop.run {
            do throws(CallFailure) {
                return try http3.open(
                    on: loop, at: address, endpoint: .shared(port), security: security,
                    bounds: ConnectionBounds(configuration.limits)
                ).start()
            } catch {
                throw ServerStartFailure.address(address, error)
            }
        }
    }

    /// With SO_REUSEPORT a second server of the same user would share the port; this one refuses instead.
    private static func requireFree(_ address: SocketAddress, on loop: EventLoop) async throws {
        guard address.port != 0 else { return }
        try await withListener(at: address, on: loop) { $0.close() }
    }

    /// On the loop, with a listener that `body` takes over.
    private static func withListener<Value: Sendable>(
        at address: SocketAddress, sharesPort: Bool = false, on loop: EventLoop,
        _ body: @escaping @Sendable (Listener) -> Value
    ) async throws -> Value {
        try await loop.run {
            do throws(CallFailure) {
                return body(try Listener(on: loop, address: address, sharesPort: sharesPort))
            } catch {
                throw ServerStartFailure.address(address, error)
            }
        }
    }
}
