import Foundation
import ProctorBase

/// What a child wrote to one of its streams, up to a bound; for one thread at a time.
struct BoundedStream {
    private(set) var bytes: [UInt8] = []
    let descriptor: Int32
    /// Whether every process has closed the other end.
    private(set) var isAtEnd = false
    private(set) var isOverflown = false

    /// 16 MiB, more than any program under test writes.
    private static let limit = 16 << 20

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Takes what is there now, without waiting.
    mutating func drain() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isAtEnd {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                if bytes.count + count > Self.limit { isOverflown = true } else { bytes += buffer[..<count] }
                continue
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            isAtEnd = true
        }
    }

    /// Takes a whole line, without its end.
    mutating func takeLine() -> [UInt8]? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { bytes.removeSubrange(...end) }
        return Array(bytes[..<end])
    }

    /// Closes the descriptor; what was taken stays.
    mutating func end() {
        isAtEnd = true
        _ = close(descriptor)
    }
}

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

    /// We write without waiting, a child reads; a socket, because writing to one whose reader is gone can be told to
    /// raise no SIGPIPE.
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

    /// Each end has its own status flags, so the child's end stays blocking.
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
