internal import ProctorBase
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

/// The ports of one run, taken but not served yet; loop thread only.
struct RunPorts: Sendable {
    /// By origin; nil for one that serves nothing.
    private(set) var listeners: [Listener?] = []
    private(set) var held: [any HeldPort] = []
    /// By origin, as its URLs have them.
    private(set) var authorities: [String] = []
    private(set) var names: [Assignment.NamedHost] = []
    /// Leads to every name; nil where there are none.
    private(set) var door: Listener?
    private(set) var sockets: SocketFolder?

    /// All of them or none.
    static func open(
        for scenario: Scenario, _ host: SocketAddress, _ otherHost: SocketAddress?, on loop: EventLoop,
        report: @escaping @Sendable (String) -> Void
    ) async throws -> RunPorts {
        var ports = RunPorts()
        do {
            try await ports.take(scenario, host, otherHost, loop, report)
            return ports
        } catch {
            for listener in ports.listeners { listener?.close() }
            ports.door?.close()
            throw error
        }
    }

    private mutating func take(
        _ scenario: Scenario, _ host: SocketAddress, _ otherHost: SocketAddress?, _ loop: EventLoop,
        _ report: @escaping @Sendable (String) -> Void
    ) async throws {
        if scenario.origins.contains(where: { $0.transport == .unix }) {
            sockets = try Self.orFailure(host) { () throws(CallFailure) in try SocketFolder(report: report) }
        }
        let addresses = OriginAddresses(host: host, otherHost: otherHost, sockets: sockets)
        for (index, origin) in scenario.origins.enumerated() {
            let address = try addresses.address(of: origin, at: index)
            do throws(CallFailure) {
                try await take(origin, at: address, loop)
            } catch {
                if let refusal = OriginAddresses.refusal(of: origin, error) { throw refusal }
                throw ServerStartFailure.address(address, error)
            }
        }
        guard scenario.hasNames else { return }
        door = try Self.orFailure(host) { () throws(CallFailure) in try Listener(on: loop, address: host) }
    }

    private mutating func take(
        _ origin: Origin, at address: SocketAddress, _ loop: EventLoop
    ) async throws(CallFailure) {
        if let port = try await Self.heldPort(for: origin, host: address, on: loop) {
            listeners.append(nil)
            held.append(port)
            authorities.append(origin.authority(at: port.address.description))
            return
        }
        let listener = try Listener(
            on: loop, address: address, receiveBufferByteCount: origin.receiveBufferByteCount)
        listeners.append(listener)
        let text = listener.address.description
        authorities.append(origin.authority(at: text))
        guard let name = origin.hostName else { return }
        names.append(
            Assignment.NamedHost(
                name: name, port: origin.namedPort, address: origin.transport == .unix ? "unix:\(text)" : text))
    }

    private static func orFailure<Result>(
        _ address: SocketAddress, _ body: () throws(CallFailure) -> Result
    ) throws(ServerStartFailure) -> Result {
        do throws(CallFailure) {
            return try body()
        } catch {
            throw .address(address, error)
        }
    }

    /// What stands at the port of an origin that serves nothing; nil for one that serves.
    private static func heldPort(
        for origin: Origin, host: SocketAddress, on loop: EventLoop
    ) async throws(CallFailure) -> (any HeldPort)? {
        switch origin.role {
        case .server, .proxy: nil
        case .closed: try ClosedPort(host: host)
        case .unaccepting: try UnacceptingPort(host: host, receiveBufferByteCount: origin.receiveBufferByteCount)
        case .unreachable: try await UnreachablePort.open(host: host, on: loop)
        }
    }
}
