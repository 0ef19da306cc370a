import Foundation

/// What a child wrote to one of its streams, up to a bound; for one thread at a time.
struct BoundedStream {
    /// Not read by anybody yet.
    private(set) var bytes: [UInt8] = []
    let descriptor: Int32
    /// Nobody holds the other end any more.
    private(set) var isAtEnd = false
    private(set) var isOverflown = false

    /// 16 MiB: more than any program under test has to say.
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
