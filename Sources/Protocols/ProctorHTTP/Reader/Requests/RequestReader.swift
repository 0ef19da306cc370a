import ProctorBase

package typealias RequestEvent = MessageEvent<RequestHead>

/// Reads HTTP/1.0 and HTTP/1.1 requests from the bytes of one connection.
///
/// A value without I/O that stores no bytes between requests but the last head. The same bytes give the same events however they are
/// split, except that content ranges end where the input ends.
package struct RequestReader: Sendable {
    private let rules: RequestRules
    private var base: MessageReader<RequestHead>
    private var requestLine: RequestLine?
    /// Whether the last request announced that it is the last one.
    package private(set) var asksToClose = false
    /// The last head that was read in one piece and without violations: most requests of a client are written like the one
    /// before, so that their bytes are compared and not read again.
    private var knownHead: RequestHead?
    /// A longer one is not kept, since a connection that waits holds it.
    private static let knownHeadByteLimit = 1 << 10
    /// The last valid value of Host: most clients repeat it on a connection, so it is checked once.
    private var knownHost: [UInt8] = []

    /// With `acceptsAnything` a head is refused only if it has no reading: no method, no target, another protocol (TLS,
    /// HTTP/2), or an exceeded limit.
    ///
    /// Other violations are reported with ``Violation/isReadOver``; malformed field lines are skipped. If the framing
    /// fields leave the end of the content undecided, no content is read and ``RequestHead/keepsConnection`` is false.
    /// `acceptsAnything` has no effect on reading content.
    package init(_ rules: RequestRules = usualRules, acceptsAnything: Bool = false) {
        self.rules = rules
        base = MessageReader(rules.message, of: .request, acceptsAnything: acceptsAnything)
    }

    /// With the limits that ``RequestLimits`` has by itself.
    package static let usualRules = RequestRules()

    private var limits: RequestLimits { rules.limits }

    /// Reads from `input[offset]` and moves `offset` after the consumed bytes.
    ///
    /// Call it until it returns nil, since one byte can cause several events; nil means that all input was consumed.
    /// After a refusal all input is consumed.
    package mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> RequestEvent? {
        if let event = base.pending.popLast() { return event }
        switch base.state {
        case .head: return readHead(input, &offset)
        case .content: return base.advance(by: base.content.next(input, at: &offset))
        case .refused:
            offset = max(offset, input.count)
            return nil
        }
    }

    /// Call it until it returns nil after the peer's FIN: reports a truncated message; nil between requests.
    ///
    /// Empty lines that no request followed are reported as `.violation`.
    package mutating func finish() -> RequestEvent? {
        if let event = base.pending.popLast() { return event }
        switch base.state {
        case .head: return base.refuseIncompleteHead() ?? base.giveFindings()
        case .content: return base.advance(by: base.content.finish())
        case .refused: return nil
        }
    }

    /// Whether nothing of a next request has arrived, apart from empty lines.
    package var isBetweenRequests: Bool { base.state == .head && !hasPartialHead && base.pending.isEmpty }

    /// Whether a head has begun and its empty line has not arrived.
    package var hasPartialHead: Bool { base.state == .head && base.section.byteCount > 0 }

    /// The bytes of an incomplete head, without empty lines before it.
    package var partialHead: [UInt8] { base.state == .head ? base.section.heldBytes : [] }
}

extension RequestReader {
    private mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int) -> RequestEvent? {
        do throws(Violation) {
            if base.section.byteCount == 0 {
                if let head = repeatedHead(input, &offset) { return .head(head) }
                guard try findRequestLine(input, &offset) else { return nil }
            }
            let start = offset
            while true {
                switch base.section.next(in: input, from: start, at: &offset, rules: base.rules.head) {
                case .needsMore: return nil
                case .startLine: try readRequestLine(input.extracting(start..<offset))
                case .complete: return .head(try completeHead(input.extracting(start..<offset)))
                case .refused(let bound, let at):
                    throw Violation(bound.kind, at: base.position + at, bound: bound.most)
                }
            }
        } catch {
            return base.refuse(error)
        }
    }

    /// The head before this one, where the next bytes are those of it.
    private mutating func repeatedHead(_ input: Span<UInt8>, _ offset: inout Int) -> RequestHead? {
        guard let head = knownHead, base.position == 0, !base.emptyLines.hasCR,
            head.begins(input.extracting(offset..<input.count))
        else { return nil }
        offset += head.byteCount
        base.content.prepare(head.framing.content, at: head.byteCount)
        base.state = .content
        return head
    }

    /// Skips empty lines; true at a byte that can begin a request line.
    ///
    /// Any other byte is refused at once: a peer of another protocol, such as TLS, would wait for an answer without
    /// sending a line end.
    private mutating func findRequestLine(_ input: Span<UInt8>, _ offset: inout Int) throws(Violation) -> Bool {
        guard let byte = try base.skipEmptyLines(input, &offset) else { return false }
        let position = base.position
        guard byte.isTokenByte || byte.isStartLineBlank || base.findings.acceptsAnything && !byte.isControl else {
            throw Violation(byte == 0x16 ? .tlsHandshake : .badMethod, at: position, detail: [byte])
        }
        // RFC 9112 §9.6 forbids to send after close; the server decides whether to read it.
        if asksToClose { base.findings.report(.requestAfterClose, at: position) }
        asksToClose = false
        base.findings.base = position
        return true
    }

    /// Called when the line is complete, at the end of `arrived`; checks it before the rest of the head arrives.
    private mutating func readRequestLine(_ arrived: Span<UInt8>) throws(Violation) {
        if let line = base.section.joined(arrived) {
            requestLine = try RequestLine(line.span, end: line.count, limits: limits, findings: &base.findings)
        } else {
            requestLine = try RequestLine(arrived, end: arrived.count, limits: limits, findings: &base.findings)
        }
    }

    /// Called when the head is complete, at the end of `arrived`.
    private mutating func completeHead(_ arrived: Span<UInt8>) throws(Violation) -> RequestHead {
        guard let line = requestLine else { throw Violation(.missingTarget, at: base.position) }
        let fields = try base.completeFields(arrived, from: line.end)
        let meaning = try RequestMeaning(
            fields, line: line, limits: limits, knownHost: &knownHost, findings: &base.findings)
        asksToClose = meaning.asksToClose
        requestLine = nil
        base.emptyLines = EmptyLines()
        base.content.prepare(meaning.framing.content, at: base.position + fields.bytes.count)
        base.state = .content
        let head = RequestHead(
            fields: fields, precedingByteCount: base.position, line: line, meaning: meaning,
            violations: base.findings.removeAll())
        let isKept = head.violations.isEmpty && !head.asksToClose && base.position == 0
        knownHead = isKept && head.byteCount <= Self.knownHeadByteLimit ? head : nil
        return head
    }
}
