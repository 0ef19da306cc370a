import ProctorBase

/// The parts of a status line (RFC 9112 §4); the reason as a range of the head.
struct StatusLine: Sendable, Equatable {
    let version: HTTPVersion
    /// 0...999.
    let status: Int
    let reasonRange: Range<Int>
    let end: Int

    /// Makes the status line of a reply on a stream, which has no reason.
    init(status: Int, version: HTTPVersion, end: Int) {
        (self.version, self.status) = (version, status)
        reasonRange = end - 2..<end - 2
        self.end = end
    }

    /// Reads the line that ends before `end`.
    ///
    /// Any whitespace except a bare CR may precede or separate the words (§4). All text after the byte that ends the
    /// status is the reason, also whitespace.
    init(_ head: Span<UInt8>, end: Int, findings: inout Findings) throws(Violation) {
        let lineEnd = try StartLine.endOfContent(head, end: end, findings: &findings)

        var index = 0
        StartLine.skipBlanks(head, &index, before: lineEnd)
        if index > 0 { findings.report(.statusLineWhitespace, at: 0, head.excerpt(0..<index)) }
        let versionRange = index..<StartLine.endOfWord(head, index, before: lineEnd)
        version = try HTTPVersion(head, versionRange, findings: &findings)
        guard version.major == 1 else {
            throw findings.fatal(.unsupportedVersion, at: index, head.excerpt(versionRange))
        }

        let statusStart = StartLine.separator(
            head, versionRange.upperBound, before: lineEnd, kind: .statusLineWhitespace, findings: &findings)
        guard statusStart < lineEnd else {
            throw findings.fatal(.missingStatus, at: lineEnd, head.excerpt(0..<lineEnd))
        }
        let statusRange = statusStart..<StartLine.endOfWord(head, statusStart, before: lineEnd)
        status = try Self.status(head, statusRange, version: version, findings: &findings)

        reasonRange = Self.reason(head, statusRange.upperBound, lineEnd: lineEnd, findings: &findings)
        self.end = end
    }

    /// Reads three digits.
    ///
    /// Values outside 100...599 count as 5xx (RFC 9110 §15) and are returned as sent.
    private static func status(
        _ head: Span<UInt8>, _ word: Range<Int>, version: HTTPVersion, findings: inout Findings
    ) throws(Violation) -> Int {
        guard word.count == 3, word.allSatisfy({ head[$0].isASCIIDigit }) else {
            throw findings.fatal(.badStatus, at: word.lowerBound, head.excerpt(word))
        }
        let status = word.reduce(0) { $0 * 10 + Int(head[$1] & 0x0F) }
        if !(100..<600 ~= status) { findings.report(.statusOutOfRange, at: word.lowerBound, head.excerpt(word)) }
        // A server MUST NOT send one to an HTTP/1.0 client (RFC 9110 §15.2); its meaning is clear.
        if 100..<200 ~= status, !version.hasHTTP11Semantics {
            findings.report(.interimInHTTP10, at: word.lowerBound, head.excerpt(word))
        }
        return status
    }

    /// Reads the reason after the separator, which servers often omit together with the reason; that is accepted.
    private static func reason(
        _ head: Span<UInt8>, _ separator: Int, lineEnd: Int, findings: inout Findings
    ) -> Range<Int> {
        guard separator < lineEnd else {
            findings.report(.missingSpaceBeforeReason, at: lineEnd, head.excerpt(0..<lineEnd))
            return lineEnd..<lineEnd
        }
        if head[separator] != .space {
            findings.report(.statusLineWhitespace, at: separator, head.excerpt(separator..<separator + 1))
        }
        let reason = separator + 1..<lineEnd
        if let control = reason.first(where: { head[$0].isControl && head[$0] != .tab }) {
            findings.report(.controlInReason, at: control, [head[control]])
        }
        return reason
    }
}

/// The first bytes of a reply, until it is clear whether they are `HTTP/`.
///
/// HTTP/0.9 is not supported: RFC 9112 no longer has it, and the greeting of any other protocol would be a reply.
struct Opening: Sendable {
    private(set) var blankCount = 0
    /// The few bytes after the whitespace.
    private(set) var seen: [UInt8] = []
    private(set) var isStatusLine = false

    var byteCount: Int { blankCount + seen.count }

    /// The violation once it is clear that the bytes are no status line; nil while they may be one.
    mutating func read(_ byte: UInt8) -> Violation.Kind? {
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

    /// The name of another protocol that begins with these bytes, for messages.
    static func name(of bytes: [UInt8]) -> String? {
        otherProtocols.first { $0.pattern.count == bytes.count && $0.begins(with: bytes) }?.name
    }

    private static let statusLine = Array("http/".utf8)
}

extension Opening {
    struct OtherProtocol: Sendable {
        let name: String
        let kind: Violation.Kind
        /// nil matches any byte except LF, so that the decision is made before a line end.
        let pattern: [UInt8?]

        init(_ name: String, _ text: String) {
            self.init(name, .otherProtocol, pattern: text.utf8.map { $0 })
        }

        init(_ name: String, _ kind: Violation.Kind, pattern: [UInt8?]) {
            (self.name, self.kind, self.pattern) = (name, kind, pattern)
        }

        func begins(with bytes: [UInt8]) -> Bool {
            bytes.count <= pattern.count && zip(bytes, pattern).allSatisfy { $1 == nil ? $0 != .lineFeed : $0 == $1 }
        }
    }

    static let otherProtocols: [OtherProtocol] = [
        // TLS 1.0 to 1.3: a handshake, or an alert, with which a server refuses plain HTTP.
        OtherProtocol("TLS", .tlsRecord, pattern: [0x15, 0x03]),
        OtherProtocol("TLS", .tlsRecord, pattern: [0x16, 0x03]),
        // A SETTINGS frame on stream 0, which a server sends first (RFC 9113 §3.4).
        OtherProtocol("HTTP/2", .http2Frame, pattern: [0x00, 0x00, nil, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00]),
        OtherProtocol("SSH", "SSH-"),
        OtherProtocol("SMTP or FTP", "220 "),
        OtherProtocol("SMTP or FTP", "220-"),
        OtherProtocol("POP3", "+OK"),
        OtherProtocol("Redis or POP3", "-ERR"),
        OtherProtocol("IMAP", "* OK"),
        OtherProtocol("RTSP", "RTSP/"),
        OtherProtocol("RFB", "RFB "),
        // Shoutcast streams: browsers read ICY as HTTP/1.0, but it follows none of its rules.
        OtherProtocol("ICY", "ICY "),
    ]
}
