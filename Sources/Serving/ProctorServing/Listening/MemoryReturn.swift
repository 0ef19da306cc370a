import ProctorLoop
internal import ProctorReplies
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Returns freed memory of large bodies, and of many connections and streams, from the allocator to the system; one for
/// the process.
///
/// Safe from any thread.
package enum MemoryReturn {
    private static let freedByteCount = Atomic(0)
    /// Has a thread only while a return is due; a return takes milliseconds, so it is not for a loop's thread.
    private static let thread = WorkThreads(mostThreads: 1)

    /// Freed bytes after which a return is worth its time.
    private static let worth = 4 << 20
    /// Shorter bodies are not counted.
    private static let leastByteCount = 32 << 10
    /// Microseconds from the note that makes a return worth it, in which more is freed.
    private static let pause: UInt32 = 250_000
    /// Microseconds behind a return, after which what was freed meanwhile is returned too where it is this much; so until
    /// it is less, since a crowd of connections may take seconds to leave.
    private static let nextPause: UInt32 = 750_000
    private static let nextWorth = 256 << 10
    private static let isUnderWay = Atomic(false)

    /// Notes a body that is freed soon after the call.
    package static func noteFreed(_ byteCount: Int) {
        if byteCount >= leastByteCount { add(byteCount) }
    }

    /// Notes a stream of HTTP/2 that waited, and is freed soon after the call.
    package static func noteFreedStream() { add(streamByteCount) }

    /// Notes a connection that was accepted, and is freed soon after the call.
    package static func noteFreedConnection(isSecured: Bool) { add(isSecured ? securedByteCount : connectionByteCount) }

    /// Notes a handshake of QUIC that is over.
    package static func noteFreedHandshake() { add(securedByteCount) }

    /// Notes a connection of QUIC that is idle, and has given back what it needs only while it is used.
    package static func noteRested() { add(restedByteCount) }

    /// About what a stream takes, with its part of its connection and of its task.
    private static let streamByteCount = 4 << 10
    /// About what a connection takes.
    private static let connectionByteCount = 16 << 10
    private static let securedByteCount = 64 << 10
    private static let restedByteCount = 8 << 10

    @inline(never)
    private static func add(_ byteCount: Int) {
        let sum = freedByteCount.wrappingAdd(byteCount, ordering: .relaxed)
        guard sum.newValue >= worth, !isUnderWay.exchange(true, ordering: .relaxed) else { return }
        let caller = currentThread()
        thread.add(within: .ofInput) { _ in
            // Where the system gives no thread, the job is done by the caller's, which must not sleep.
            if currentThread() == caller {
                giveBack()
            } else {
                usleep(pause)
                repeat {
                    giveBack()
                    usleep(nextPause)
                } while freedByteCount.load(ordering: .relaxed) >= nextWorth
            }
            isUnderWay.store(false, ordering: .relaxed)
        }
    }

    private static func giveBack() {
        freedByteCount.store(0, ordering: .relaxed)
        Heap.giveBack()
    }
}
