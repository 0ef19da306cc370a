import ProctorHTTP

extension LiteralText {
    static let dateByteCount = 29
    /// Seconds; a date that is further away stays ahead for long enough.
    private static let farFuture = 10 * 365 * 86_400

    /// Where dates of HTTP stand that have not come yet, and how many seconds ahead they are.
    static func dates(in bytes: [UInt8], after now: Int) -> [(start: Int, delay: Int)] {
        var found: [(start: Int, delay: Int)] = []
        var start = 0
        while start + dateByteCount <= bytes.count {
            let piece = Array(bytes[start..<start + dateByteCount])
            if piece[3] == UInt8(ascii: ","), piece.suffix(4).elementsEqual(" GMT".utf8),
                let date = try? HTTPDate.unixSeconds(of: piece, now: now), 1...farFuture ~= date - now
            {
                // In whole minutes, since some time has passed between the two.
                found.append((start, (date - now + 30) / 60 * 60))
                start += dateByteCount
            } else {
                start += 1
            }
        }
        return found
    }
}
