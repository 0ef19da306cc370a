import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A port that neither refuses connections nor takes any more.
enum FullBacklog {
    static func with(on loop: EventLoop, _ body: (SocketAddress) async throws -> Void) async throws {
        let loopback = SocketAddress.ipv4(host: "127.0.0.1", port: 0)
        let descriptor = try Bind.socket(at: loopback, for: .listening(sharesPort: false))
        defer { closeDescriptor(descriptor) }
        #expect(listen(descriptor, 0) == 0)
        let address = SocketAddress.ofSocket(descriptor, peer: false)
        var sockets: [Socket] = []
        defer { for socket in sockets { socket.close() } }
        // The system drops what comes after the first ones.
        while sockets.count < 64 {
            guard let socket = try? await Socket.connect(to: address, on: loop, within: 200_000_000) else {
                return try await body(address)
            }
            sockets.append(socket)
        }
        Issue.record("the backlog never became full")
    }
}
