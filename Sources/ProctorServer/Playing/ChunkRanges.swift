internal import ProctorScenario

/// Cuts content into chunks: at the sizes the fixture gives, else one for each piece of the body.
struct ChunkRanges {
    let content: ContentWalk
    let sizes: [Int]
    /// More chunks are not made: the last size becomes larger instead.
    let bound: Int

    init(content: ContentWalk, style: ChunkStyle) {
        self.content = content
        sizes = style.sizes
        bound = style.chunkBound
    }

    /// A piece without given sizes is sent in chunks of this size, as common servers do.
    private static let defaultByteCount = 65_536

    var ranges: [Range<Int>] {
        let total = content.byteCount
        var ranges: [Range<Int>] = []
        var start = 0
        if sizes.isEmpty {
            let size = max(Self.defaultByteCount, total / bound)
            for piece in content.pieces {
                let end = start + piece.range.count
                while start < end {
                    let next = min(start + size, end)
                    ranges.append(start..<next)
                    start = next
                }
            }
        } else {
            func add(_ size: Int) {
                let next = size < total - start ? start + size : total
                ranges.append(start..<next)
                start = next
            }
            for size in sizes.dropLast().prefix(bound - 1) where start < total { add(max(1, size)) }
            // Rounded up, so that what is left fits.
            let (least, rest) = (total - start).quotientAndRemainder(dividingBy: bound - ranges.count)
            let last = max(sizes[sizes.count - 1], rest > 0 ? least + 1 : least, 1)
            while start < total { add(last) }
        }
        return ranges
    }
}

extension ChunkStyle {
    /// The chunk-size line of chunk `index`, counted from 0; what stands before `digitCount` is the size itself.
    ///
    /// The last chunk, of 0 bytes, is spelled like the others: RFC 9112 §7.1 lets it have extensions too.
    func head(index: Int, byteCount: Int) -> (bytes: [UInt8], digitCount: Int) {
        var digits = Array(String(byteCount, radix: 16, uppercase: usesCapitals).utf8)
        if digits.count < digitCount {
            digits = Array(repeating: UInt8(ascii: "0"), count: digitCount - digits.count) + digits
        }
        let note = extensions.isEmpty ? [] : extensions[min(index, extensions.count - 1)]
        return (digits + note + [0x0D, 0x0A], digits.count)
    }
}
