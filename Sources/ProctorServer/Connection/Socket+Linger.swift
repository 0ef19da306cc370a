internal import ProctorBase
internal import ProctorLoop

extension Socket {
    /// Behind ``halfClose()``: reads on for a bounded while, then closes.
    ///
    /// Closing at once would turn unread bytes into an RST that destroys what the peer has not read yet. A peer that
    /// still sends is given time as long as it sends: `limit` is for each wait, `wholeLimit` for all of them. Records
    /// that were written go first, as long as the peer takes some within `drainLimit`. All are nanoseconds.
    ///
    /// `take` is lent what is read, as long as it is understood.
    func linger(
        draining drainLimit: UInt64, within limit: UInt64, inAll wholeLimit: UInt64, upTo byteLimit: Int,
        _ take: (Span<UInt8>) -> Void = { _ in }
    ) async {
        await drainLayer(within: drainLimit)
        let start = MonotonicClock.nanoseconds
        var left = byteLimit
        var isUnderstood = true
        while left > 0 {
            let passed = MonotonicClock.nanoseconds &- start
            guard passed < wholeLimit else { break }
            do throws(SocketError) {
                let got = try await read(within: min(limit, wholeLimit - passed)) { bytes in
                    if isUnderstood { take(bytes) }
                    return bytes.count
                }
                guard let got else { break }
                left -= got
            } catch {
                // What can't be understood any more is read over as it comes.
                guard case .layerFailed = error, layer?.unsentByteCount == 0 else { break }
                layer = nil
                isUnderstood = false
            }
        }
        close()
    }
}
