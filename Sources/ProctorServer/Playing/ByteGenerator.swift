internal import ProctorScenario

/// Makes the bytes of a generated source piece by piece.
struct ByteGenerator {
    private let source: ByteSource
    /// Some repetitions of a unit, so that short units are not sent one by one.
    private let tile: [UInt8]

    private static let pieceByteCount = 128 << 10

    init(_ source: ByteSource) {
        self.source = source
        guard case .repeated(let unit, let byteCount) = source, !unit.isEmpty else {
            tile = []
            return
        }
        // By doubling, and not beyond what will be sent: a short body must not cost what a long one does.
        var tile = unit
        while tile.count < min(byteCount, Self.pieceByteCount) { tile += tile }
        self.tile = tile
    }

    /// One piece from `start` on, not empty and not beyond `end`.
    func bytes(from start: Int, upTo end: Int) -> [UInt8] {
        let count = min(end - start, Self.pieceByteCount)
        switch source {
        case .repeated(let unit, _):
            let offset = start % unit.count
            if offset == 0, tile.count <= end - start { return tile }
            return Array(tile[offset..<min(tile.count, offset + count)])
        case .pattern(let pattern, _):
            return unsafe Array(unsafeUninitializedCapacity: count) { buffer, initialized in
                for index in 0..<count { unsafe buffer[index] = pattern.byte(at: start + index) }
                initialized = count
            }
        case .literal(let bytes):
            return Array(bytes[start..<start + count])
        case .template, .file:
            return []
        }
    }
}
