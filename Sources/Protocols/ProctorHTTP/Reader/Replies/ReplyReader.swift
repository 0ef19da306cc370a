import ProctorBase

package typealias ReplyEvent = MessageEvent<ReplyHead>

/// Reads HTTP/1.0 and HTTP/1.1 replies from the bytes of one connection.
///
/// A value without I/O that stores no bytes between replies. The same bytes give the same events however they are
/// split, except that content ranges end where the input ends.
package struct ReplyReader: Sendable {
    private let limits: ReplyLimits
    private let undoesCodings: Bool
    private var base: MessageReader<ReplyHead>
    private var opening = Opening()
    private var statusLine: StatusLine?
    /// The methods of the requests without a final reply; the first is being answered.
    private var expected: [RepliedMethod] = []
    /// The number of interim replies to the first of `expected`.
    private var interimCount = 0
    /// Whether the last reply announced that it is the last one.
    private var isLastReplyRead = false
    private var keepsConnection = true

    /// Expects no reply yet.
    ///
    /// With `undoesCodings`, the caller decodes gzip, x-gzip and deflate of Transfer-Encoding (RFC 9112 §7.2), so they
    /// are no violation; this reader decodes only `chunked`.
    package init(limits: ReplyLimits = ReplyLimits(), undoesCodings: Bool = false) {
        (self.limits, self.undoesCodings) = (limits, undoesCodings)
        base = MessageReader(MessageRules(limits), of: .reply)
    }

    /// Call it once for each request before the first byte of its reply; pipelined requests are queued.
    ///
    /// A reply to HEAD has no content, a 2xx to CONNECT ends HTTP (RFC 9112 §6.3).
    package mutating func expectReply(to method: [UInt8]) {
        expected.append(RepliedMethod(method))
    }

    /// Reads from `input[offset]` and moves `offset` after the consumed bytes.
    ///
    /// Call it until it returns nil, since one byte can cause several events; nil means that all input was consumed.
    /// After a refusal all input is consumed. After a head with `tunnel` framing the caller reads the bytes from
    /// `offset` on by itself, or gets them as content.
    package mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> ReplyEvent? {
        if let event = base.pending.popLast() { return event }
        switch base.state {
        case .head: return readHead(input, &offset)
        case .content: return advance(by: base.content.next(input, at: &offset))
        case .refused:
            offset = max(offset, input.count)
            return nil
        }
    }

    /// Call it until it returns nil after the peer's FIN: ends content that runs until close, and reports a truncated
    /// message.
    ///
    /// Before the first byte of a reply a peer may close (RFC 9112 §9.5), which returns nil. Empty lines that no reply
    /// followed are reported as `.violation`.
    package mutating func finish() -> ReplyEvent? {
        if let event = base.pending.popLast() { return event }
        switch base.state {
        case .head: return endInHead()
        case .content: return advance(by: base.content.finish())
        case .refused: return nil
        }
    }

    /// The number of requests whose final reply has not ended.
    package var expectedCount: Int { expected.count }

    /// Whether a byte of the expected reply, or an interim reply, arrived; empty lines do not count.
    package var hasBegunReply: Bool {
        switch base.state {
        case .head: base.section.byteCount > 0 || interimCount > 0
        case .content: true
        case .refused: false
        }
    }

    private mutating func advance(by event: ReplyEvent?) -> ReplyEvent? {
        if case .end? = event {
            expected.removeFirst()
            isLastReplyRead = !keepsConnection
        }
        return base.advance(by: event)
    }
}

extension ReplyReader {
    private mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int) -> ReplyEvent? {
        do throws(Violation) {
            if base.section.byteCount == 0 {
                guard try findStatusLine(input, &offset) else { return nil }
            }
            if statusLine == nil { try checkOpening(input, from: offset) }
            let start = offset
            while true {
                switch base.section.next(in: input, from: start, at: &offset, rules: base.rules.head) {
                case .needsMore: return nil
                case .startLine: try readStatusLine(input.extracting(start..<offset))
                case .complete: return .head(try completeHead(input.extracting(start..<offset)))
                case .refused(let bound, let at):
                    throw Violation(bound.kind, in: .reply, at: base.position + at, bound: bound.most)
                }
            }
        } catch {
            return base.refuse(error)
        }
    }

    /// Skips empty lines, as RFC 9112 §9.2 permits; true at another byte if a reply is expected.
    ///
    /// Other bytes between replies MUST NOT be read as a reply (§9.2).
    private mutating func findStatusLine(_ input: Span<UInt8>, _ offset: inout Int) throws(Violation) -> Bool {
        let isExpected = !expected.isEmpty && !isLastReplyRead
        let bareCR: Violation.Kind = isExpected ? .bareCR : .bytesAfterReply
        guard let byte = try base.skipEmptyLines(input, &offset, bareCR: bareCR) else { return false }
        guard isExpected else { throw Violation(.bytesAfterReply, in: .reply, at: base.position, detail: [byte]) }
        base.findings.base = base.position
        return true
    }

    /// Checks the first bytes of a reply before the line is complete, since another protocol may send no line end.
    ///
    /// The section reader checks the limits, so that the result does not depend on how the bytes are split.
    private mutating func checkOpening(_ input: Span<UInt8>, from start: Int) throws(Violation) {
        let limit = min(base.rules.head.startLine?.most ?? 0, base.rules.head.section.most)
        var index = start
        while index < input.count, !opening.isStatusLine, opening.byteCount < limit {
            if let kind = opening.read(input[index]) {
                throw Violation(kind, in: .reply, at: base.position + opening.blankCount, detail: opening.seen)
            }
            index += 1
        }
    }

    /// Called when the line is complete, at the end of `arrived`; checks it before the rest of the head arrives.
    private mutating func readStatusLine(_ arrived: Span<UInt8>) throws(Violation) {
        let line: StatusLine
        if let joined = base.section.joined(arrived) {
            line = try StatusLine(joined.span, end: joined.count, findings: &base.findings)
        } else {
            line = try StatusLine(arrived, end: arrived.count, findings: &base.findings)
        }
        if ReplyHead.isInterim(line.status), interimCount >= limits.interimCount {
            throw base.findings.fatal(.tooManyInterimReplies, at: 0, bound: limits.interimCount)
        }
        statusLine = line
    }

    private mutating func completeHead(_ arrived: Span<UInt8>) throws(Violation) -> ReplyHead {
        guard let line = statusLine, let method = expected.first else {
            throw Violation(.missingStatusLine, in: .reply, at: base.position)
        }
        let fields = try base.completeFields(arrived, from: line.end)
        let meaning = try ReplyMeaning(
            fields, line: line, to: method, limits: limits, undoesCodings: undoesCodings, findings: &base.findings)
        let head = ReplyHead(
            fields: fields, precedingByteCount: base.position, line: line, meaning: meaning,
            violations: base.findings.removeAll())

        statusLine = nil
        opening = Opening()
        base.emptyLines = EmptyLines()
        if head.isInterim {
            // Fields and `close` of an interim reply do not apply to the final one.
            interimCount += 1
            base.position = 0
        } else {
            interimCount = 0
            keepsConnection = meaning.keepsConnection
            base.content.prepare(
                meaning.framing.content, at: base.position + fields.bytes.count,
                objection: meaning.forbidsContent ? .contentIn205 : nil)
            base.state = .content
        }
        return head
    }

    private mutating func endInHead() -> ReplyEvent? {
        let position = base.position
        if base.emptyLines.hasCR, expected.isEmpty || isLastReplyRead {
            return base.refuse(Violation(.bytesAfterReply, in: .reply, at: position - 1, detail: [.carriageReturn]))
        }
        if let refusal = base.refuseIncompleteHead() { return refusal }
        if interimCount > 0 { return base.refuse(Violation(.missingFinalReply, in: .reply, at: position)) }
        return base.giveFindings()
    }
}
