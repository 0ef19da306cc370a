internal import ProctorBase
internal import ProctorHTTP

/// The server's limits as connections use them, with times in the unit that waits take.
///
/// One for all connections of an address, so that an idle one costs a reference.
final class ConnectionBounds: Sendable {
    let request: RequestLimits
    let keptBodyByteCount: Int
    let lingerByteCount: Int
    let codedByteCount: Int
    // Nanoseconds.
    let handshake: UInt64
    let head: UInt64
    let idle: UInt64
    let progress: UInt64
    let stall: UInt64
    let settle: UInt64
    let linger: UInt64
    let wholeLinger: UInt64
    let `await`: UInt64
    let unreportedAwait: UInt64

    init(_ limits: ServerLimits) {
        request = limits.request
        keptBodyByteCount = limits.keptBodyByteCount
        lingerByteCount = limits.lingerByteCount
        codedByteCount = limits.codedByteCount
        handshake = limits.handshakeDuration.wholeNanoseconds
        head = limits.headDuration.wholeNanoseconds
        idle = limits.idleDuration.wholeNanoseconds
        progress = limits.progressDuration.wholeNanoseconds
        stall = limits.stallDuration.wholeNanoseconds
        settle = limits.settleDuration.wholeNanoseconds
        linger = limits.lingerDuration.wholeNanoseconds
        wholeLinger = limits.wholeLingerDuration.wholeNanoseconds
        `await` = limits.awaitDuration.wholeNanoseconds
        unreportedAwait = limits.unreportedAwaitDuration.wholeNanoseconds
    }
}
