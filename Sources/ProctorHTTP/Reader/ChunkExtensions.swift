import ProctorBase

/// The grammar of what follows a chunk size: `*( BWS ";" BWS name [ BWS "=" BWS value ] )` (RFC 9112 §7.1.1).
///
/// Unknown extensions are to be ignored, so a malformed one is read over: the size before it and the line end behind it
/// stand.
struct ChunkExtensions {
    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Notes the first byte that does not fit and the first whitespace, which senders MUST NOT write.
    static func check(_ extensions: [UInt8], at offset: Int, findings: inout Findings) {
        guard !extensions.isEmpty else { return }
        var parser = Self(extensions)
        if let blank = parser.firstBlankOutsideQuotes {
            findings.note(.whitespaceInChunkLine, at: offset + blank, extensions.span.excerpt(0..<extensions.count))
        }
        if !parser.parse() {
            findings.note(
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

    /// False at the first byte that does not fit, where `index` then stands.
    private mutating func parse() -> Bool {
        while true {
            skipBlanks()
            guard index < bytes.count else { return true }
            guard take(UInt8(ascii: ";")) else { return false }
            skipBlanks()
            guard takeToken() else { return false }
            skipBlanks()
            guard take(UInt8(ascii: "=")) else { continue }
            skipBlanks()
            guard takeQuotedString() || takeToken() else { return false }
        }
    }

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index].isBlank { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func takeToken() -> Bool {
        let start = index
        while index < bytes.count, bytes[index].isTokenByte { index += 1 }
        return index > start
    }

    /// Leaves `index` alone unless the string is closed.
    private mutating func takeQuotedString() -> Bool {
        let start = index
        guard take(UInt8(ascii: "\"")) else { return false }
        while index < bytes.count {
            if take(UInt8(ascii: "\"")) { return true }
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
            index += 1
        }
        index = start
        return false
    }
}
