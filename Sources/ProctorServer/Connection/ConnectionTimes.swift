internal import ProctorBase

/// The server's limits of time in the unit that waits take.
struct ConnectionTimes: Sendable {
    let head: UInt64
    let idle: UInt64
    let progress: UInt64
    let stall: UInt64
    let settle: UInt64
    let linger: UInt64

    init(_ limits: ServerLimits) {
        head = limits.headDuration.wholeNanoseconds
        idle = limits.idleDuration.wholeNanoseconds
        progress = limits.progressDuration.wholeNanoseconds
        stall = limits.stallDuration.wholeNanoseconds
        settle = limits.settleDuration.wholeNanoseconds
        linger = limits.lingerDuration.wholeNanoseconds
    }
}
