internal import ProctorBase
package import ProctorHTTP

/// The server's limits for connections, with times in nanoseconds; one object for all connections of an address.
///
/// Those that are settings of the server are documented there.
package final class ConnectionBounds: Sendable {
    package let request: RequestRules
    package let connectionCount: Int
    package let wholeConnectionCount: Int
    package let awakeConnectionCount: Int
    package let http3ConnectionCount: Int
    package let streamCount: Int
    package let keptBodyByteCount: Int
    package let lingerByteCount: Int
    package let codedByteCount: Int
    package let usage: ServerUsage
    package let handshake: UInt64
    package let head: UInt64
    package let idle: UInt64
    package let rest: UInt64
    package let progress: UInt64
    package let stall: UInt64
    package let settle: UInt64
    package let linger: UInt64
    package let wholeLinger: UInt64
    package let `await`: UInt64
    package let unreportedAwait: UInt64

    package init(
        request: RequestLimits, connectionCount: Int, wholeConnectionCount: Int, awakeConnectionCount: Int,
        http3ConnectionCount: Int, streamCount: Int, keptBodyByteCount: Int, lingerByteCount: Int, codedByteCount: Int,
        usage: ServerUsage,
        handshake: Duration, head: Duration, idle: Duration, rest: Duration, progress: Duration, stall: Duration,
        settle: Duration, linger: Duration, wholeLinger: Duration, await: Duration, unreportedAwait: Duration
    ) {
        self.request = RequestRules(request)
        (self.connectionCount, self.wholeConnectionCount) = (connectionCount, wholeConnectionCount)
        (self.awakeConnectionCount, self.streamCount) = (awakeConnectionCount, streamCount)
        self.http3ConnectionCount = http3ConnectionCount
        (self.keptBodyByteCount, self.lingerByteCount) = (keptBodyByteCount, lingerByteCount)
        (self.codedByteCount, self.usage) = (codedByteCount, usage)
        self.handshake = handshake.wholeNanoseconds
        self.head = head.wholeNanoseconds
        self.idle = idle.wholeNanoseconds
        self.rest = rest.wholeNanoseconds
        self.progress = progress.wholeNanoseconds
        self.stall = stall.wholeNanoseconds
        self.settle = settle.wholeNanoseconds
        self.linger = linger.wholeNanoseconds
        self.wholeLinger = wholeLinger.wholeNanoseconds
        self.await = `await`.wholeNanoseconds
        self.unreportedAwait = unreportedAwait.wholeNanoseconds
    }
}
