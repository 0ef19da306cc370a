import ProctorBase

/// Reads a chunk-size line byte by byte (RFC 9112 §7.1), so that an illegal byte is refused at once.
struct ChunkLine: Sendable {
    private(set) var size = 0
    private(set) var extensions: [UInt8] = []
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

    /// Reads bytes up to the end of the line or of the input.
    mutating func read(_ input: Span<UInt8>, _ index: inout Int, limit: Int) -> Outcome {
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
        // A bare LF may end only a start line or a field line (RFC 9112 §2.2). In a chunk-size line, recipients differ
        // on whether it ends the line, so it is refused; other controls are illegal in extensions anyway.
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

/// The grammar after a chunk size: `*( BWS ";" BWS name [ BWS "=" BWS value ] )` (RFC 9112 §7.1.1).
///
/// Unknown extensions are ignored, so a malformed one is accepted: the size and the line end are clear.
struct ChunkExtensions {
    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reports the first illegal byte and the first whitespace, which senders MUST NOT write.
    static func check(_ extensions: [UInt8], at offset: Int, findings: inout Findings) {
        guard !extensions.isEmpty else { return }
        var parser = Self(extensions)
        if let blank = parser.firstBlankOutsideQuotes {
            findings.report(.whitespaceInChunkLine, at: offset + blank, extensions.span.excerpt(0..<extensions.count))
        }
        if !parser.parse() {
            findings.report(
                .badChunkExtension, at: offset + parser.index, extensions.span.excerpt(0..<extensions.count))
        }
    }

    private var firstBlankOutsideQuotes: Int? {
        var isQuoted = false
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if bytes[index].isBlank, !isQuoted { return index }
            index += isQuoted && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// False at the first illegal byte; `index` stays there.
    private mutating func parse() -> Bool {
        while true {
            skipBlanks()
            guard index < bytes.count else { return true }
            guard consume(UInt8(ascii: ";")) else { return false }
            skipBlanks()
            guard takeToken() else { return false }
            skipBlanks()
            guard consume(UInt8(ascii: "=")) else { continue }
            skipBlanks()
            guard takeQuotedString() || takeToken() else { return false }
        }
    }

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index].isBlank { index += 1 }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func takeToken() -> Bool {
        let start = index
        while index < bytes.count, bytes[index].isTokenByte { index += 1 }
        return index > start
    }

    /// Moves `index` only if the string is closed.
    private mutating func takeQuotedString() -> Bool {
        let start = index
        guard consume(UInt8(ascii: "\"")) else { return false }
        while index < bytes.count {
            if consume(UInt8(ascii: "\"")) { return true }
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
            index += 1
        }
        index = start
        return false
    }
}
