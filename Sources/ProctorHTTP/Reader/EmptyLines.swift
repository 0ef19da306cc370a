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
