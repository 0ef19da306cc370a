internal import ProctorBase
package import ProctorTLS

/// The library of QUIC that a program hands to this client from above; without it, the client speaks no HTTP/3.
package enum QUICLibrary {
    private static let registered = Locked<(any QUICTransport)?>(nil)

    /// Called once, before the first session; any thread.
    package static func register(_ transport: any QUICTransport) { registered.withLock { $0 = transport } }

    static var transport: (any QUICTransport)? { registered.withLock { $0 } }

    /// Whether a library was registered, so that the client speaks HTTP/3.
    package static var isRegistered: Bool { transport != nil }
}
