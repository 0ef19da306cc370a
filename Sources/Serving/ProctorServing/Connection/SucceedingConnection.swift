package import ProctorScenario

/// A connection that goes on with the socket of another where HTTP/1.1 is no longer spoken: one of HTTP/2, of a module above; on
/// the loop's thread only.
package protocol SucceedingConnection: RestingConnection {
    /// Serves the connection to its end; `received` are bytes that were read already.
    func serve(_ received: [UInt8]) async -> ConnectionEnd

    var openStreamCount: Int { get }
    /// Whether no stream is open, and nothing that was read waits.
    var isBetweenRequests: Bool { get }

    /// The server stops: the requests that have come are answered, read or not.
    func stop()
    /// Says on each WebSocket that the server goes away.
    func leaveWebSockets()

    /// Plays an effect of frames that belongs to no request.
    func perform(_ frames: FrameAction) throws(ConnectionEnd)
    /// Sends all that is pending.
    func drain() async throws(ConnectionEnd)
}

/// HTTP/2 as a module above registers it: spoken where ALPN agrees on `h2`, or a client begins with its preface (RFC 9113 §3).
package struct SucceedingConnections: Sendable {
    /// Takes over a connection, which owns what is returned; nil where there is no memory.
    let begin: @Sendable (Connection) -> (any SucceedingConnection)?

    package init(begin: @escaping @Sendable (Connection) -> (any SucceedingConnection)?) { self.begin = begin }

    package static let slot = PartSlot<SucceedingConnections>(ApplicationProtocol.http2.noun)
}
