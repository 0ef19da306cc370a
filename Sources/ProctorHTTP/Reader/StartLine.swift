/// What a request line and a status line have in common: words parted by blanks, before a line end.
enum StartLine {
    /// The offset of the line end; a bare LF is noted, a bare CR refused.
    static func endOfContent(
        _ head: Span<UInt8>, end: Int, findings: inout Findings
    ) throws(Violation) -> Int {
        let hasCR = end >= 2 && head[end - 2] == .carriageReturn
        let lineEnd = hasCR ? end - 2 : end - 1
        if let bare = (0..<lineEnd).first(where: { head[$0] == .carriageReturn }) {
            try findings.judge(.bareCR, at: bare, head.excerpt(0..<lineEnd))
        }
        if !hasCR { findings.note(.bareLF, at: lineEnd, head.excerpt(0..<lineEnd)) }
        return lineEnd
    }

    /// Behind the whitespace at `index`, which is noted as `kind` when it is anything but one SP.
    static func separator(
        _ head: Span<UInt8>, _ index: Int, before lineEnd: Int, kind: Violation.Kind, findings: inout Findings
    ) -> Int {
        var end = index
        skipBlanks(head, &end, before: lineEnd)
        // At the end of the line it is trailing whitespace, which is noted there.
        if end < lineEnd, end - index != 1 || head[index] != .space {
            findings.note(kind, at: index, head.excerpt(index..<end))
        }
        return end
    }

    static func skipBlanks(_ head: Span<UInt8>, _ index: inout Int, before end: Int) {
        while index < end, head[index].isStartLineBlank { index += 1 }
    }

    static func endOfWord(_ head: Span<UInt8>, _ start: Int, before lineEnd: Int) -> Int {
        var index = start
        while index < lineEnd, !head[index].isStartLineBlank { index += 1 }
        return index
    }
}

/// The empty lines before a start line.
///
/// RFC 9112 §2.2 asks a server to pass over at least one, for old clients that end content with an extra CRLF, and
/// forbids clients to send any; §9.2 lets a client discard those that come between replies. Some are passed over, each
/// with a finding; endless ones are not.
struct EmptyLines: Sendable {
    private(set) var count = 0
    /// A CR was read that must be followed by LF.
    private(set) var hasCR = false

    enum Outcome {
        case consumed
        case startLineBegins
        case bareCR
        case tooMany
    }

    mutating func take(_ byte: UInt8, at position: Int, limit: Int, findings: inout Findings) -> Outcome {
        switch byte {
        case .lineFeed:
            guard count < limit else { return .tooMany }
            let kind: Violation.Kind = findings.message == .request ? .emptyLineBeforeRequest : .emptyLineBeforeReply
            findings.note(kind, at: hasCR ? position - 1 : position)
            if !hasCR { findings.note(.bareLF, at: position) }
            count += 1
            hasCR = false
            return .consumed
        case _ where hasCR: return .bareCR
        case .carriageReturn:
            hasCR = true
            return .consumed
        default: return .startLineBegins
        }
    }
}
