import ProctorBase

/// The first bytes of a reply, up to where it is clear that they are `HTTP/` or what else they are.
///
/// HTTP/0.9, where content comes without a status line, is not read: RFC 9112 knows it no longer, and any banner would
/// be a reply.
struct Opening: Sendable {
    /// Whitespace before it, which RFC 9112 §4 lets a reader pass over.
    private(set) var blankCount = 0
    /// What came behind the whitespace: a few bytes.
    private(set) var seen: [UInt8] = []
    private(set) var isStatusLine = false

    /// Bytes looked at so far.
    var byteCount: Int { blankCount + seen.count }

    /// What the bytes are instead of a status line, once that is clear; nil while they can be one.
    mutating func take(_ byte: UInt8) -> Violation.Kind? {
        if seen.isEmpty, byte.isStartLineBlank {
            blankCount += 1
            return nil
        }
        seen.append(byte)
        if zip(seen, Self.statusLine).allSatisfy({ $0.asciiLowercased == $1 }) {
            isStatusLine = seen.count == Self.statusLine.count
            return nil
        }
        let candidates = Self.otherProtocols.filter { $0.begins(with: seen) }
        if let whole = candidates.first(where: { $0.pattern.count == seen.count }) { return whole.kind }
        return candidates.isEmpty ? .missingStatusLine : nil
    }

    /// The other protocol whose first bytes these are, for a person.
    static func name(of bytes: [UInt8]) -> String? {
        otherProtocols.first { $0.pattern.count == bytes.count && $0.begins(with: bytes) }?.name
    }

    private static let statusLine = Array("http/".utf8)
}

extension Opening {
    /// A protocol that is met where HTTP was expected.
    struct OtherProtocol: Sendable {
        let name: String
        let kind: Violation.Kind
        /// Nil stands for any byte but LF, so that no line ends before it is clear what the bytes are.
        let pattern: [UInt8?]

        init(_ name: String, _ text: String) {
            self.init(name, .otherProtocol, pattern: text.utf8.map { $0 })
        }

        init(_ name: String, _ kind: Violation.Kind, pattern: [UInt8?]) {
            self.name = name
            self.kind = kind
            self.pattern = pattern
        }

        func begins(with bytes: [UInt8]) -> Bool {
            bytes.count <= pattern.count && zip(bytes, pattern).allSatisfy { $1 == nil ? $0 != .lineFeed : $0 == $1 }
        }
    }

    static let otherProtocols: [OtherProtocol] = [
        // Records of TLS 1.0 to 1.3: an alert, which is how a server refuses plain HTTP, and a handshake.
        OtherProtocol("TLS", .tlsRecord, pattern: [0x15, 0x03]),
        OtherProtocol("TLS", .tlsRecord, pattern: [0x16, 0x03]),
        // A SETTINGS frame on stream 0, which a server sends first (RFC 9113 §3.4); settings of 6 bytes each, no LF many.
        OtherProtocol("HTTP/2", .http2Frame, pattern: [0x00, 0x00, nil, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00]),
        OtherProtocol("SSH", "SSH-"),
        OtherProtocol("SMTP or FTP", "220 "),
        OtherProtocol("SMTP or FTP", "220-"),
        OtherProtocol("POP3", "+OK"),
        OtherProtocol("Redis or POP3", "-ERR"),
        OtherProtocol("IMAP", "* OK"),
        OtherProtocol("RTSP", "RTSP/"),
        OtherProtocol("RFB", "RFB "),
        // Streams of Shoutcast. Browsers read it as HTTP/1.0; it promises none of its rules.
        OtherProtocol("ICY", "ICY "),
    ]
}
