import ProctorBase

/// A chunk-size line as it comes in, byte by byte (RFC 9112 §7.1): it is short, and a wrong byte is to be refused at
/// once.
struct ChunkLine: Sendable {
    private(set) var size = 0
    private(set) var extensions: [UInt8] = []
    /// Bytes of the line so far, the line end among them.
    private(set) var byteCount = 0
    private var stage = Stage.size

    private enum Stage: Sendable {
        case size, extensions, lineEnd
    }

    enum Outcome {
        case needsMore
        case complete
        /// `at` counts from the line's first byte.
        case refused(Violation.Kind, at: Int)
    }

    /// Takes bytes up to the end of the line or of the input.
    mutating func take(_ input: Span<UInt8>, _ index: inout Int, limit: Int) -> Outcome {
        while index < input.count {
            let byte = input[index]
            if stage == .lineEnd {
                guard byte == .lineFeed else { return .refused(.bareCR, at: byteCount - 1) }
                index += 1
                byteCount += 1
                return .complete
            }
            if byte == .carriageReturn, byteCount > 0 {
                stage = .lineEnd
            } else if let refusal = takeContent(byte, limit: limit) {
                return .refused(refusal, at: byteCount)
            }
            index += 1
            byteCount += 1
        }
        return .needsMore
    }

    private mutating func takeContent(_ byte: UInt8, limit: Int) -> Violation.Kind? {
        // A bare LF may end only a start line or a field line (RFC 9112 §2.2). Here one recipient's line end is
        // another's extension byte, so it is refused; so are other controls, which no extension can hold.
        if byte == .lineFeed, byteCount > 0 { return .bareLFInChunkLine }
        guard byteCount < limit else { return .chunkLineTooLong }
        if stage == .size {
            if let digit = byte.hexadecimalValue {
                guard size >> (Int.bitWidth - 5) == 0 else { return .chunkSizeOverflow }
                size = size << 4 | Int(digit)
                return nil
            }
            guard byteCount > 0, byte == UInt8(ascii: ";") || byte.isBlank else { return .badChunkSize }
            stage = .extensions
        }
        if byte.isControl, byte != .tab { return .controlInChunkLine }
        extensions.append(byte)
        return nil
    }
}
