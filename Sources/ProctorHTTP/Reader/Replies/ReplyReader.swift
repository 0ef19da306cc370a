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
