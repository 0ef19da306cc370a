internal import ProctorBase
internal import ProctorScenario

/// Makes the bytes of a generated source piece by piece.
package struct ByteGenerator: Sendable {
    private let kind: Kind
    let byteCount: Int

    private enum Kind {
        /// Several repetitions of a unit of this many bytes, so that short units are not sent one by one.
        case tile([UInt8], unit: Int)
        case pattern(OffsetPattern)
        case nothing
    }

    private static let pieceByteCount = 128 << 10

    init(_ source: ByteSource) {
        switch source {
        case .repeated(let unit, let byteCount) where !unit.isEmpty:
            // Doubled up to the wanted length: a short body must not cost as much as a long one.
            var tile = unit
            while tile.count < min(byteCount, Self.pieceByteCount) { tile += tile }
            kind = .tile(tile, unit: unit.count)
            self.byteCount = byteCount
        case .pattern(let pattern, let byteCount):
            kind = .pattern(pattern)
            self.byteCount = byteCount
        case .literal, .template, .file, .repeated:
            kind = .nothing
            byteCount = 0
        }
    }

    /// All bytes at once; for short sources.
    var all: [UInt8] {
        var bytes: [UInt8] = []
        var buffer: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        while bytes.count < byteCount { bytes += buffer[piece(from: bytes.count, upTo: byteCount, in: &buffer)] }
        return bytes
    }

    /// Writes one piece from `start`, at most to `end`, into `buffer`; returns its range in the buffer, never empty.
    ///
    /// The caller keeps the buffer for the next piece.
    package func piece(from start: Int, upTo end: Int, in buffer: inout [UInt8]) -> Range<Int> {
        switch kind {
        case .tile(let tile, let unit):
            buffer = tile
            let offset = start % unit
            return offset..<min(tile.count, offset + (end - start))
        case .pattern(let pattern):
            let count = min(end - start, Self.pieceByteCount)
            if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
            var bytes = buffer.mutableSpan
            pattern.fill(&bytes, count: count, from: start)
            return 0..<count
        case .nothing:
            preconditionFailure("a source that is not generated was asked for bytes")
        }
    }
}

extension OffsetPattern {
    /// Writes the bytes from `start`; the loop has no branches, so that the compiler can vectorize it.
    fileprivate func fill(_ bytes: inout MutableSpan<UInt8>, count: Int, from start: Int) {
        switch self {
        case .offset:
            let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
            var product = UInt64(bitPattern: Int64(start)) &* factor
            unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                for index in 0..<min(count, buffer.count) {
                    unsafe buffer[index] = UInt8(truncatingIfNeeded: product >> 56)
                    product &+= factor
                }
            }
        }
    }
}
