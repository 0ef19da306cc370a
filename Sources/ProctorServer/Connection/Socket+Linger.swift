internal import ProctorBase
internal import ProctorLoop

extension Socket {
    /// FIN, then reading on for a bounded while, then close.
    ///
    /// Closing at once would turn unread bytes into an RST that destroys what the peer has not read yet.
    func linger(within limit: UInt64, upTo byteLimit: Int) async {
        halfClose()
        let start = MonotonicClock.nanoseconds
        var left = byteLimit
        while left > 0 {
            let passed = MonotonicClock.nanoseconds &- start
            guard passed < limit, let got = try? await read(within: limit - passed, { $0.count }) else { break }
            left -= got
        }
        close()
    }
}
