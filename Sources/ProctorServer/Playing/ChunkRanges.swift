internal import ProctorScenario

/// Cuts content into chunks: at the sizes the fixture gives, else one for each piece of the body.
struct ChunkRanges {
    let content: ContentWalk
    let sizes: [Int]

    /// A piece without given sizes is sent in chunks of this size, as common servers do.
    private static let defaultByteCount = 65_536
    /// More content than this many such chunks is sent in larger ones, so that a plan stays small.
    private static let mostDefaultChunks = 65_536

    var ranges: [Range<Int>] {
        let total = content.byteCount
        var ranges: [Range<Int>] = []
        var start = 0
        if sizes.isEmpty {
            let size = max(Self.defaultByteCount, total / Self.mostDefaultChunks)
            for piece in content.pieces {
                let end = start + piece.boundByteCount
                while start < end {
                    let next = min(start + size, end)
                    ranges.append(start..<next)
                    start = next
                }
            }
        } else {
            while start < total {
                let size = max(1, sizes[min(ranges.count, sizes.count - 1)])
                let next = min(start + size, total)
                ranges.append(start..<next)
                start = next
            }
        }
        return ranges
    }
}
