import ProctorBase
import ProctorLoop
import ProctorQUICLink
import ProctorTLS
import ProctorTLSWire
import ProctorTestSupport
import Testing

@testable import ProctorQUIC

/// A port of QUIC with ``SmallServer`` behind it, for the time of a test.
struct ServedPort: Sendable {
    let address: SocketAddress
    let loop: EventLoop
    let endpoint: QUICEndpoint
    let seen: SeenEvents

    var port: UInt16 { address.port ?? 0 }

    /// Serves while `body` runs on the loop; the endpoint ends before this returns.
    static func serve<Result: Sendable>(
        _ limits: QUICLimits = QUICLimits(), _ body: @escaping @Sendable (ServedPort) async throws -> Result
    ) async throws -> Result {
        let identity = try await identity
        let context = try QUICServerContext(identity: identity, protocols: ["h3"])
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        defer { group.stop() }
        return try await loop.run {
            let seen = SeenEvents()
            let endpoint = try QUICEndpoint(
                on: loop, address: .ipv4(host: "127.0.0.1", port: 0), limits: limits
            ) { connection in
                guard let connection = connection as? QUICConnection else {
                    preconditionFailure("the connection is of another library")
                }
                return SmallServer.accept(connection, seen, context)
            }
            let served = ServedPort(address: endpoint.address, loop: loop, endpoint: endpoint, seen: seen)
            async let serving: Void = endpoint.serve()
            do {
                let result = try await body(served)
                endpoint.stop(.application(0x100))
                await serving
                return result
            } catch {
                endpoint.stop(.application(0x100))
                await serving
                throw error
            }
        }
    }

    private static var identity: ServerIdentity {
        get async throws {
            try await onThread {
                let authority = try Authority.open(
                    .ephemeral(seed: 1), catalog: CertificateCatalog.load(folders: ["\(Project.path)/certs"]).catalog)
                return try authority.identity("valid", names: .loopback)
            }
        }
    }

    /// Waits until the server has seen a line that begins so.
    func see(_ beginning: String) async throws {
        let end = MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds
        while !seen.all.contains(where: { $0.hasPrefix(beginning) }) {
            try #require(MonotonicClock.nanoseconds < end, "never \(beginning): \(seen.all)")
            _ = await loop.sleep(for: .milliseconds(2))
        }
    }
}
