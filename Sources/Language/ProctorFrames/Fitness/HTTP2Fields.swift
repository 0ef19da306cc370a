internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

/// The rules of HTTP/2 for field lines that are written for HTTP/1.1.
enum HTTP2Fields {
    /// Whether the name is that of a connection-specific field (RFC 9113 §8.2.2), in any letter case; HTTP2-Settings is
    /// one too.
    static func isOfConnections(_ name: [UInt8]) -> Bool {
        ConnectionSpecificFields.contain(name)
            || name.lazy.map(\.asciiLowercased).elementsEqual("http2-settings".utf8)
    }

    static func isOfConnections(_ name: String) -> Bool { isOfConnections(Array(name.utf8)) }

    /// Why a field makes a message malformed, half a sentence; nil when it does not.
    ///
    /// Letter case is no reason, since the server writes names in lower case.
    static func fault(of field: ReplyField) -> String? {
        let name = EscapedText.escape(field.name, limit: 80)
        if isOfConnections(field.name) {
            return "the field \(name) is about a connection of HTTP/1.1 (RFC 9113 §8.2.2)"
        }
        guard !field.name.isEmpty, field.name.allSatisfy(\.isTokenByte) else {
            return "HTTP/2 has no field with the name \"\(name)\" (RFC 9113 §8.2.1)"
        }
        return hasMalformed(field.value)
            ? "HTTP/2 has no field with such a value as that of \(name) (RFC 9113 §8.2.1)" : nil
    }

    /// Whether the value contains a control character, or white space at its beginning or end.
    ///
    /// NUL, CR and LF make a message malformed; a client may treat one with other control characters as malformed too,
    /// since it may apply RFC 9110 §5.5 (RFC 9113 §8.2.1).
    private static func hasMalformed(_ value: Template) -> Bool {
        func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
        func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
        for case .literal(let bytes) in value.parts where bytes.contains(where: isControl) { return true }
        if case .literal(let bytes)? = value.parts.first, isSpace(bytes.first) { return true }
        if case .literal(let bytes)? = value.parts.last, isSpace(bytes.last) { return true }
        return false
    }
}
