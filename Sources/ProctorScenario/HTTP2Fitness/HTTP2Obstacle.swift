package import ProctorBase
import ProctorHTTP

/// A reason why a scenario or a case that was written for HTTP/1.1 means nothing over HTTP/2.
package struct HTTP2Obstacle: Sendable, Equatable, CustomStringConvertible {
    /// The part of the fixture that is tied to HTTP/1.1.
    package let location: SourceLocation
    /// Without a full stop: `a raw reply has the bytes of HTTP/1.1`.
    package let sentence: String

    init(_ location: SourceLocation, _ sentence: String) {
        self.location = location
        self.sentence = sentence
    }

    /// As compilers print it: `file:line:column: sentence`.
    package var description: String { "\(location): \(sentence)" }
}

/// What HTTP/2 has of the fields of HTTP/1.1.
enum HTTP2Fields {
    /// Whether it is a field of one connection, in any letter case; HTTP2-Settings belongs to an Upgrade.
    static func isOfConnections(_ name: [UInt8]) -> Bool {
        ConnectionSpecificFields.contain(name)
            || name.lazy.map(\.asciiLowercased).elementsEqual("http2-settings".utf8)
    }

    static func isOfConnections(_ name: String) -> Bool { isOfConnections(Array(name.utf8)) }

    /// Half a sentence: why a field makes a message malformed; nil where it does not.
    ///
    /// Letter case is no reason, since the server writes names in lower case.
    static func fault(of field: ReplyField) -> String? {
        let name = EscapedText.of(field.name, limit: 80)
        if isOfConnections(field.name) {
            return "the field \(name) is about a connection of HTTP/1.1 (RFC 9113 §8.2.2)"
        }
        guard !field.name.isEmpty, field.name.allSatisfy(\.isTokenByte) else {
            return "HTTP/2 has no field with the name \"\(name)\" (RFC 9113 §8.2.1)"
        }
        return hasMalformed(field.value)
            ? "HTTP/2 has no field with such a value as that of \(name) (RFC 9113 §8.2.1)" : nil
    }

    /// Whether the value has a control, or white space at an end.
    ///
    /// NUL, CR and LF make a message malformed; for the other controls a client may take it so, since it may hold fields
    /// to RFC 9110 §5.5 (RFC 9113 §8.2.1).
    private static func hasMalformed(_ value: Template) -> Bool {
        func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
        func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
        for case .literal(let bytes) in value.parts where bytes.contains(where: isControl) { return true }
        if case .literal(let bytes)? = value.parts.first, isSpace(bytes.first) { return true }
        if case .literal(let bytes)? = value.parts.last, isSpace(bytes.last) { return true }
        return false
    }
}
