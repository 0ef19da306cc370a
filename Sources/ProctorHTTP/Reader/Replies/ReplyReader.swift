import ProctorBase

/// Reads HTTP/1.0 and HTTP/1.1 replies from the bytes of one connection, however they are cut: the twin of
/// `RequestReader`.
///
/// Pure: bytes in, events out. Between replies it holds no buffer. The same bytes give the same events at any split,
/// except that content ranges end where the input ends.
public struct ReplyReader: Sendable {
    let limits: ReplyLimits
    let undoesCodings: Bool
    let headRules: SectionReader.Rules
    var state = State.head
    /// Bytes of this reply, or interim reply, before its head.
    var position = 0
    var section = SectionReader()
    var opening = Opening()
    var statusLine: StatusLine?
    var findings = Findings(of: .reply)
    var emptyLines = EmptyLines()
    var content: ContentReader
    /// The requests without a final reply, first the one that is answered now.
    var expected: [RepliedMethod] = []
    /// Interim replies to the first of `expected`.
    var interimCount = 0
    /// A reply said that it was the last one.
    var isLastReplyRead = false
    var keepsConnection = true
    /// Events that were found together, last first.
    var pending: [ReplyEvent] = []

    enum State: Sendable, Equatable {
        /// Next: head (behind an interim one), content, refused.
        case head
        /// Also for a reply without any, whose end is to be given out. Next: head, refused.
        case content
        case refused
    }

    /// Stands before the first reply of a connection, and expects none yet.
    ///
    /// Where the caller `undoesCodings` of Transfer-Encoding, gzip, x-gzip and deflate are no violation (RFC 9112 §7.2),
    /// and content comes with them; no coding but `chunked` is undone here.
    public init(limits: ReplyLimits = ReplyLimits(), undoesCodings: Bool = false) {
        self.limits = limits
        self.undoesCodings = undoesCodings
        headRules = limits.head
        content = ContentReader(limits: limits.content, of: .reply)
    }

    /// The method of the request whose reply comes next; HEAD has no content, a 2xx to CONNECT ends HTTP (RFC 9112 §6.3).
    ///
    /// Called once for each request, before the first byte of its reply; pipelined requests queue up.
    public mutating func expectReply(to method: [UInt8]) {
        expected.append(RepliedMethod(method))
    }

    /// Reads on from `input[offset]` and moves `offset` past what was consumed.
    ///
    /// Nil: all input was consumed and more is needed. To be called until nil, since one byte can end more than one
    /// thing; after a fatal violation it swallows everything. Behind a head with `tunnel` framing the bytes are another
    /// protocol's: who speaks it takes them from `offset` on, else they come as content.
    public mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> ReplyEvent? {
        if let event = pending.popLast() { return event }
        switch state {
        case .head: return readHead(input, &offset)
        case .content: return take(content.next(input, at: &offset))
        case .refused:
            offset = max(offset, input.count)
            return nil
        }
    }

    /// The peer sent FIN: ends content that runs until close, tells what else was cut short; to be called until nil.
    ///
    /// Before the first byte of a reply a peer may close at any time (RFC 9112 §9.5): that is nil, and whether the
    /// request can be sent again is the caller's to know. Empty lines that no reply followed come as a `.violation`.
    public mutating func end() -> ReplyEvent? {
        if let event = pending.popLast() { return event }
        switch state {
        case .head: return endInHead()
        case .content: return take(content.end())
        case .refused: return nil
        }
    }

    /// Requests whose final reply has not ended.
    public var expectedCount: Int { expected.count }

    /// Whether the peer sent a byte of the reply that is expected next, or an interim one; empty lines count as none.
    public var hasBegunReply: Bool {
        switch state {
        case .head: section.byteCount > 0 || interimCount > 0
        case .content: true
        case .refused: false
        }
    }

    private mutating func take(_ event: ContentReader.Event?) -> ReplyEvent? {
        switch event {
        case .content(let range): return .content(range)
        case .chunk(let byteCount, let extensions): return .chunk(byteCount: byteCount, extensions: extensions)
        case .trailers(let fields): return .trailers(fields)
        case .violation(let violation): return .violation(violation)
        case .end:
            state = .head
            position = 0
            expected.removeFirst()
            isLastReplyRead = !keepsConnection
            return .end
        case .refused(let violation):
            state = .refused
            return .violation(violation)
        case nil: return nil
        }
    }

    /// Gives out what was found before, then the fatal one; nothing is read after it.
    mutating func refuse(_ violation: Violation) -> ReplyEvent? {
        state = .refused
        section = SectionReader()
        pending = [.violation(violation)] + findings.take().reversed().map { .violation($0) }
        return pending.popLast()
    }
}

extension ReplyReader {
    mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int) -> ReplyEvent? {
        do throws(Violation) {
            if section.byteCount == 0 {
                guard try findStatusLine(input, &offset) else { return nil }
            }
            if statusLine == nil { try checkOpening(input, from: offset) }
            let start = offset
            while true {
                switch section.next(in: input, from: start, at: &offset, rules: headRules) {
                case .needsMore: return nil
                case .startLine: try readStatusLine(input.extracting(start..<offset))
                case .complete: return .head(try completeHead(input.extracting(start..<offset)))
                case .refused(let bound, let at):
                    throw Violation(bound.kind, in: .reply, at: position + at, bound: bound.most)
                }
            }
        } catch {
            return refuse(error)
        }
    }

    /// Passes over empty lines, which a client may discard (RFC 9112 §9.2); true at another byte, if a reply is expected.
    ///
    /// Any other byte between replies belongs to no request of ours: it MUST NOT be taken for a reply (§9.2), since a
    /// peer or somebody between may have put it there to be taken for the next one.
    private mutating func findStatusLine(_ input: Span<UInt8>, _ offset: inout Int) throws(Violation) -> Bool {
        while offset < input.count {
            let byte = input[offset]
            let isExpected = !expected.isEmpty && !isLastReplyRead
            switch emptyLines.take(byte, at: position, limit: limits.emptyLineCount, findings: &findings) {
            case .consumed:
                offset += 1
                position += 1
            case .bareCR:
                throw Violation(
                    isExpected ? .bareCR : .bytesAfterReply, in: .reply, at: position - 1,
                    detail: [.carriageReturn, byte])
            case .tooMany:
                throw Violation(
                    .tooManyEmptyLines, in: .reply, at: emptyLines.hasCR ? position - 1 : position,
                    bound: limits.emptyLineCount)
            case .startLineBegins:
                guard isExpected else { throw Violation(.bytesAfterReply, in: .reply, at: position, detail: [byte]) }
                findings.base = position
                return true
            }
        }
        return false
    }

    /// Looks at what begins a reply, before the line is complete: a peer that speaks anything else may send no line.
    ///
    /// Bytes over a limit are left to the section, so that it makes no difference how much is already there.
    private mutating func checkOpening(_ input: Span<UInt8>, from start: Int) throws(Violation) {
        let limit = min(headRules.startLine?.most ?? 0, headRules.section.most)
        var index = start
        while index < input.count, !opening.isStatusLine, opening.byteCount < limit {
            if let kind = opening.take(input[index]) {
                throw Violation(kind, in: .reply, at: position + opening.blankCount, detail: opening.seen)
            }
            index += 1
        }
    }

    /// The line is complete, at the end of `arrived`; it is judged now, so that a client whose peer sends no more learns it.
    private mutating func readStatusLine(_ arrived: Span<UInt8>) throws(Violation) {
        let line: StatusLine
        if let joined = section.joined(arrived) {
            line = try StatusLine(joined.span, end: joined.count, findings: &findings)
        } else {
            line = try StatusLine(arrived, end: arrived.count, findings: &findings)
        }
        if ReplyHead.isInterim(line.status), interimCount >= limits.interimCount {
            throw findings.fatal(.tooManyInterimReplies, at: 0, bound: limits.interimCount)
        }
        statusLine = line
    }

    /// The head is complete, at the end of `arrived`.
    private mutating func completeHead(_ arrived: Span<UInt8>) throws(Violation) -> ReplyHead {
        guard let line = statusLine, let method = expected.first else {
            throw Violation(.missingStatusLine, in: .reply, at: position)
        }
        var parser = FieldParser(lineCount: section.fieldCount)
        let bytes = section.finish(arrived)
        try parser.parse(bytes.span, from: line.end, findings: &findings)
        let meaning = try ReplyMeaning(
            bytes.span, line: line, to: method, entries: parser.entries, unfolded: parser.unfolded.span,
            limits: limits, undoesCodings: undoesCodings, findings: &findings)
        let head = ReplyHead(
            fields: FieldSection(bytes: bytes, unfolded: parser.unfolded, entries: parser.entries),
            precedingByteCount: position, line: line, meaning: meaning, violations: findings.take())

        statusLine = nil
        opening = Opening()
        emptyLines = EmptyLines()
        if head.isInterim {
            // The fields of an interim reply do not belong to the final one, and neither does a close among them.
            interimCount += 1
            position = 0
        } else {
            interimCount = 0
            keepsConnection = meaning.keepsConnection
            content.begin(
                meaning.framing.content, at: position + bytes.count,
                objection: meaning.forbidsContent ? .contentIn205 : nil)
            state = .content
        }
        return head
    }

    mutating func endInHead() -> ReplyEvent? {
        if emptyLines.hasCR, expected.isEmpty || isLastReplyRead {
            return refuse(Violation(.bytesAfterReply, in: .reply, at: position - 1, detail: [.carriageReturn]))
        }
        if section.byteCount > 0 || emptyLines.hasCR {
            let byteCount = section.byteCount + (emptyLines.hasCR ? 1 : 0)
            return refuse(
                Violation(.incompleteHead, in: .reply, at: position + section.byteCount, bound: byteCount))
        }
        if interimCount > 0 { return refuse(Violation(.missingFinalReply, in: .reply, at: position)) }
        pending = findings.take().reversed().map { .violation($0) }
        return pending.popLast()
    }
}

/// What a reader found next; a reply is any number of interim heads, `head`, the others, and `end`.
public enum ReplyEvent: Sendable, Equatable {
    /// A complete head; `end` follows a final one, also without content, and never an interim one.
    case head(ReplyHead)
    /// Content bytes, as a range of the input handed in; not copied. Behind a `tunnel` head they are no longer HTTP.
    case content(Range<Int>)
    /// A chunk-size line was read, the last one (0) too; `extensions` are its raw bytes after the size.
    case chunk(byteCount: Int, extensions: [UInt8])
    /// The trailer fields, only when there are any.
    case trailers(FieldSection)
    /// A fatal one ends the reading, and everything after is swallowed; the others are read over.
    case violation(Violation)
    /// The final reply is complete; the next byte belongs to another one.
    case end
}
