internal import ProctorBase
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Opens the addresses of the shared port: the same port on every loop, and the Unix socket on the first; TLS likewise.
enum SharedListeners {
    struct Opened {
        let address: SocketAddress
        /// Where TLS is spoken; nil: nowhere.
        let tlsAddress: SocketAddress?
        let accepting: [Run.Accepting]
    }

    static func open(
        _ port: SharedPort, configuration: ServerConfiguration, group: EventLoopGroup, desk: TLSDesk
    ) async throws -> Opened {
        let isShared = group.loops.count > 1
        var address = configuration.address
        var tlsAddress = configuration.tlsAddress
        if isShared {
            try await requireFree(address, on: group.loops[0])
            if let tlsAddress { try await requireFree(tlsAddress, on: group.loops[0]) }
        }
        let securing = Securing(labelsBy: desk)
        var accepting: [Run.Accepting] = []
        do {
            for loop in group.loops {
                let opened = try await open(.shared(port), at: address, isShared, loop, configuration)
                address = opened.loop.address
                accepting.append(opened)
                guard let wanted = tlsAddress else { continue }
                let secured = try await open(.shared(port), at: wanted, isShared, loop, configuration, securing)
                tlsAddress = secured.loop.address
                accepting.append(secured)
            }
            if let path = configuration.unixPath {
                accepting.append(
                    try await open(.shared(port), at: .unix(path: path), false, group.loops[0], configuration))
            }
        } catch {
            for item in accepting { item.loop.stop(grace: .zero) }
            for item in accepting { await item.task.value }
            throw error
        }
        return Opened(address: address, tlsAddress: tlsAddress, accepting: accepting)
    }

    /// One address on one loop, accepting already.
    static func open(
        _ endpoint: Endpoint, at address: SocketAddress, _ sharesPort: Bool, _ loop: EventLoop,
        _ configuration: ServerConfiguration, _ securing: Securing? = nil
    ) async throws -> Run.Accepting {
        let limits = configuration.limits
        let report = configuration.report
        return try await loop.run {
            do throws(CallFailure) {
                let accepting = AcceptLoop(
                    try Listener(on: loop, address: address, sharesPort: sharesPort), endpoint: endpoint,
                    securing: securing, limits: limits, report: report)
                return Run.Accepting(
                    loop: accepting, task: Task(executorPreference: loop) { await accepting.run() })
            } catch {
                throw ServerStartFailure.address(address, error)
            }
        }
    }

    /// With SO_REUSEPORT a second server of the same user would silently share the port; this one refuses instead.
    private static func requireFree(_ address: SocketAddress, on loop: EventLoop) async throws {
        guard address.port != 0 else { return }
        try await loop.run {
            do throws(CallFailure) {
                try Listener(on: loop, address: address).close()
            } catch {
                throw ServerStartFailure.address(address, error)
            }
        }
    }
}
