import ProctorHTTP

extension PythonLiteral {
    static let dateByteCount = 29
    /// Seconds; a date that is further away stays in the future without a change.
    private static let farFuture = 10 * 365 * 86_400

    /// The offsets of HTTP dates in the future, with the number of seconds until they are reached.
    static func dates(in bytes: [UInt8], after now: Int) -> [(start: Int, delay: Int)] {
        var places: [(start: Int, delay: Int)] = []
        var start = 0
        while start + dateByteCount <= bytes.count {
            let piece = Array(bytes[start..<start + dateByteCount])
            if piece[3] == UInt8(ascii: ","), piece.suffix(4).elementsEqual(" GMT".utf8),
                let date = try? HTTPDate.unixSeconds(of: piece, now: now), 1...farFuture ~= date - now
            {
                // Rounded to whole minutes, since the response was sent some time after the date was computed.
                places.append((start, (date - now + 30) / 60 * 60))
                start += dateByteCount
            } else {
                start += 1
            }
        }
        return places
    }
}
