package import ProctorScenario

extension ChunkStyle {
    /// The chunk size without given sizes, as in common servers.
    private static let usualByteCount = 65_536

    /// Cuts content into chunks of the fixture's sizes, else one for each piece of the body.
    ///
    /// There are at most ``chunkBound``: the last size becomes larger instead.
    func ranges(of content: ReplyContent) -> [Range<Int>] {
        let total = content.byteCount
        var ranges: [Range<Int>] = []
        var start = 0
        func add(_ size: Int, upTo end: Int) {
            let next = size < end - start ? start + size : end
            ranges.append(start..<next)
            start = next
        }
        guard let lastSize = sizes.last else {
            let size = max(Self.usualByteCount, total / chunkBound)
            for piece in content.pieces {
                let end = start + piece.range.count
                while start < end { add(size, upTo: end) }
            }
            return ranges
        }
        for size in sizes.dropLast().prefix(chunkBound - 1) where start < total { add(max(1, size), upTo: total) }
        // Rounded up, so that the rest fits.
        let (least, rest) = (total - start).quotientAndRemainder(dividingBy: chunkBound - ranges.count)
        let last = max(lastSize, rest > 0 ? least + 1 : least, 1)
        while start < total { add(last, upTo: total) }
        return ranges
    }

    /// The chunk-size line of chunk `index`, from 0; the first `digitCount` bytes are the size.
    ///
    /// The last chunk, of 0 bytes, may have extensions too (RFC 9112 §7.1).
    package func head(index: Int, byteCount: Int) -> (bytes: [UInt8], digitCount: Int) {
        var digits = Array(String(byteCount, radix: 16, uppercase: usesCapitals).utf8)
        if digits.count < digitCount {
            digits = Array(repeating: UInt8(ascii: "0"), count: digitCount - digits.count) + digits
        }
        let note = extensions.isEmpty ? [] : extensions[min(index, extensions.count - 1)]
        return (digits + note + [0x0D, 0x0A], digits.count)
    }
}
