internal import ProctorBase
internal import ProctorLoop

extension Socket {
    /// Behind ``halfClose()``: reads on for a bounded while, then closes.
    ///
    /// Closing at once would turn unread bytes into an RST that destroys what the peer has not read yet. A peer that
    /// still sends is given time as long as it sends: `limit` is for each wait, `wholeLimit` for all of them. Records
    /// that were written go first, as long as the peer takes some within `drainLimit`. All are nanoseconds.
    func linger(
        draining drainLimit: UInt64, within limit: UInt64, inAll wholeLimit: UInt64, upTo byteLimit: Int
    ) async {
        await drainLayer(within: drainLimit)
        let start = MonotonicClock.nanoseconds
        var left = byteLimit
        while left > 0 {
            let passed = MonotonicClock.nanoseconds &- start
            guard passed < wholeLimit else { break }
            do throws(SocketError) {
                guard let got = try await read(within: min(limit, wholeLimit - passed), { $0.count }) else { break }
                left -= got
            } catch {
                // What can't be understood any more is read over as it comes.
                guard case .layerFailed = error, layer?.unsentByteCount == 0 else { break }
                layer = nil
            }
        }
        close()
    }
}
