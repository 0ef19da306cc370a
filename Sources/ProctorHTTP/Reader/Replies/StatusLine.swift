import ProctorBase

/// The three words of a status line (RFC 9112 §4); the reason as a range into the head.
struct StatusLine: Sendable, Equatable {
    let version: HTTPVersion
    /// 0...999.
    let status: Int
    let reasonRange: Range<Int>
    /// The offset behind the line end.
    let end: Int

    /// Reads the line that ends before `end`.
    ///
    /// Version and status may be parted, and the version led, by any whitespace but a bare CR, as §4 allows. Behind the
    /// one byte that ends the status everything is reason, whitespace too: the grammar takes it, and nobody acts on it.
    init(_ head: Span<UInt8>, end: Int, findings: inout Findings) throws(Violation) {
        let lineEnd = try StartLine.endOfContent(head, end: end, findings: &findings)

        var index = 0
        StartLine.skipBlanks(head, &index, before: lineEnd)
        if index > 0 { findings.note(.statusLineWhitespace, at: 0, head.excerpt(0..<index)) }
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

    /// Three digits.
    ///
    /// Those outside 100...599 are to be processed as a 5xx (RFC 9110 §15), so there is one reading, and they are kept
    /// as they came.
    private static func status(
        _ head: Span<UInt8>, _ word: Range<Int>, version: HTTPVersion, findings: inout Findings
    ) throws(Violation) -> Int {
        guard word.count == 3, word.allSatisfy({ head[$0].isASCIIDigit }) else {
            throw findings.fatal(.badStatus, at: word.lowerBound, head.excerpt(word))
        }
        let status = word.reduce(0) { $0 * 10 + Int(head[$1] & 0x0F) }
        if !(100..<600 ~= status) { findings.note(.statusOutOfRange, at: word.lowerBound, head.excerpt(word)) }
        // A server MUST NOT send one to a client of HTTP/1.0 (RFC 9110 §15.2); what it means is clear all the same.
        if 100..<200 ~= status, !version.hasHTTP11Semantics {
            findings.note(.interimInHTTP10, at: word.lowerBound, head.excerpt(word))
        }
        return status
    }

    /// From behind the separator, which servers often leave out with an empty reason: with one reading, it is read over.
    private static func reason(
        _ head: Span<UInt8>, _ separator: Int, lineEnd: Int, findings: inout Findings
    ) -> Range<Int> {
        guard separator < lineEnd else {
            findings.note(.missingSpaceBeforeReason, at: lineEnd, head.excerpt(0..<lineEnd))
            return lineEnd..<lineEnd
        }
        if head[separator] != .space {
            findings.note(.statusLineWhitespace, at: separator, head.excerpt(separator..<separator + 1))
        }
        let reason = separator + 1..<lineEnd
        if let control = reason.first(where: { head[$0].isControl && head[$0] != .tab }) {
            findings.note(.controlInReason, at: control, [head[control]])
        }
        return reason
    }
}
