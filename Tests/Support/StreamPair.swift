import Foundation
import ProctorBase

/// Two connected descriptors, ours and a child's; neither is inherited by a program that others start.
struct StreamPair {
    let ours: Int32
    let theirs: Int32

    /// A child writes, we read without waiting.
    static func output() throws(CallFailure) -> StreamPair {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .system("pipe") }
        return StreamPair(ours: ends[0], theirs: ends[1]).prepared()
    }

    /// We write without waiting, a child reads.
    ///
    /// A socket, because writing to one whose reader is gone can be told to raise no SIGPIPE.
    static func input() throws(CallFailure) -> StreamPair {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system("socketpair") }
        #if canImport(Darwin)
            var on: Int32 = 1
            unsafe setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return StreamPair(ours: ends[0], theirs: ends[1]).prepared()
    }

    /// Each end has a status of its own, so the child's stays one that waits.
    private func prepared() -> StreamPair {
        for end in [ours, theirs] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ours, F_SETFL, fcntl(ours, F_GETFL) | O_NONBLOCK)
        return self
    }

    func close() {
        _ = Foundation.close(ours)
        _ = Foundation.close(theirs)
    }
}
