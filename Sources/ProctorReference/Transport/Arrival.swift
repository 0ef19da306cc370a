internal import ProctorBase
internal import ProctorHTTP

/// What has been read of a reply and was not passed on yet; one read brings 64 KiB at most, so it is bounded.
struct Arrival {
    private var interims: [ReplyHead] = []
    /// The final one; stays.
    private(set) var head: ReplyHead?
    private var content: [UInt8] = []
    private(set) var isComplete = false
    /// Nothing can be read after it.
    private(set) var violation: Violation?
    /// Bytes came behind the end, which nobody asked for.
    private(set) var hasSurplus = false
    /// Whether a 100 has come (RFC 9110 §15.2.1).
    private(set) var mayContinue = false

    /// Bytes of this reply, heads and framing with them.
    private(set) var byteCount = 0
    /// Decoded content, passed on or not.
    private(set) var contentByteCount = 0
    /// Content is counted and thrown away from now on.
    var isDraining = false { didSet { content = [] } }

    var hasContent: Bool { !content.isEmpty }

    /// Takes all of one read.
    mutating func take(_ bytes: Span<UInt8>, by reader: inout ReplyReader) {
        byteCount += bytes.count
        var offset = 0
        while !isOver, let event = reader.next(bytes, at: &offset) { take(event, bytes) }
        if isComplete, offset < bytes.count { hasSurplus = true }
    }

    /// The peer has sent FIN, which ends some content in order.
    mutating func takeEnd(by reader: inout ReplyReader) {
        while !isOver, let event = reader.end() { take(event, [UInt8]().span) }
    }

    private var isOver: Bool { isComplete || violation != nil }

    private mutating func take(_ event: ReplyEvent, _ bytes: Span<UInt8>) {
        switch event {
        case .head(let head): take(head)
        case .content(let range):
            contentByteCount += range.count
            if !isDraining { content.append(bytes.extracting(range)) }
        case .chunk, .trailers: break
        case .violation(let violation): if violation.isFatal { self.violation = violation }
        case .end: isComplete = true
        }
    }

    private mutating func take(_ head: ReplyHead) {
        guard head.isInterim else {
            self.head = head
            return
        }
        if head.status == 100 { mayContinue = true }
        interims.append(head)
    }

    // MARK: Passing on

    mutating func takeInterim() -> ReplyHead? { interims.isEmpty ? nil : interims.removeFirst() }

    mutating func takeContent() -> [UInt8] {
        defer { content = [] }
        return content
    }
}
