internal import ProctorBase
internal import ProctorLoop

extension Socket {
    /// FIN, then reading on for a bounded while, then close.
    ///
    /// Closing at once would turn unread bytes into an RST that destroys what the peer has not read yet. A peer that
    /// still sends is given time as long as it sends: `limit` is for each wait, `wholeLimit` for all of them.
    func linger(within limit: UInt64, inAll wholeLimit: UInt64, upTo byteLimit: Int) async {
        halfClose()
        let start = MonotonicClock.nanoseconds
        var left = byteLimit
        while left > 0 {
            let passed = MonotonicClock.nanoseconds &- start
            guard passed < wholeLimit,
                let got = try? await read(within: min(limit, wholeLimit - passed), { $0.count })
            else { break }
            left -= got
        }
        close()
    }
}
