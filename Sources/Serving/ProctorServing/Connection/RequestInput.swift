internal import ProctorBase
package import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// The request that arrives on a connection, as far as its bytes were read; never waits.
///
/// On the loop's thread only.
package final class RequestInput {
    private let endpoint: Endpoint
    private let bounds: ConnectionBounds
    private let isOfStream: Bool
    /// Made with the first byte, since it is larger than all else of an unused connection.
    private var madeReader: HeldReader?
    package var request = IncomingRequest()
    /// Bytes that the reader has not taken.
    package private(set) var buffer = InputBuffer()
    package var arrival: RequestArrival
    /// Nothing is to be sent any more; incoming bytes are only noted.
    package var isAtRest = false
    /// Whether each reply is to be preceded by a look at what waits behind its request.
    var looksForNext = false
    /// Bytes of the current request that the reader has taken.
    private(set) var byteCount = 0
    /// Bytes of the previous request; nil before the first request is over.
    private(set) var previousByteCount: Int?
    /// Bytes that the reader has taken without an event: an incomplete head, or an incomplete line within chunked
    /// content.
    var unfinished = UnreadBytes()
    /// MonotonicClock nanoseconds; `.max` before the head has begun.
    private var headDeadline: UInt64 = .max
    /// Whether requests were read up to the peer's FIN, so that every byte of the peer was seen.
    var wasReadToEnd = false
    /// How an effect has ended the connection by time; nil while none has.
    var endByTime: JournalEvent.Ending?

    /// The end as the journal has it: one by time is seen as a stop where something waits.
    package func cause(of end: ConnectionEnd) -> ConnectionEnd {
        guard case .stopped = end, let endByTime else { return end }
        return .serverEnded(endByTime)
    }

    package enum Goal {
        /// The head, and the end of a request without content.
        case head
        /// This many bytes of content, or the end of the content.
        case content(Int)
        case end
        /// Exactly this many bytes of content, or the end; no further byte is taken from the system.
        case portion(Int)
        /// Content behind this many bytes, or the end; no more than so many bytes are taken at once.
        case some(after: Int, upTo: Int)
        /// The end of the content, in such portions at fixed intervals.
        case endInPortions(byteCount: Int, interval: Duration)

        /// The end of the content, read by the exchange's policy.
        static func contentEnd(reading policy: Exchange.ReadPolicy) -> Goal {
            guard case .paced(let byteCount, let interval) = policy else { return .end }
            return .endInPortions(byteCount: byteCount, interval: interval)
        }
    }

    /// `opening` is the latest time at which the connection was opened, in MonotonicClock nanoseconds.
    init(_ endpoint: Endpoint, _ bounds: ConnectionBounds, opening: UInt64) {
        (self.endpoint, self.bounds) = (endpoint, bounds)
        arrival = RequestArrival(opening: opening)
        isOfStream = false
    }

    /// For a stream of HTTP/2 or HTTP/3, whose owner puts what comes behind the head into ``request``.
    package init(streamOf endpoint: Endpoint, _ bounds: ConnectionBounds, head: RequestHead, arrival: RequestArrival) {
        (self.endpoint, self.bounds, self.arrival) = (endpoint, bounds, arrival)
        isOfStream = true
        request.apply(.head(head), [UInt8]().span, keeping: 0)
        // A CONNECT has no content: what follows it is not part of the request (RFC 9110 §9.3.6).
        if !head.hasFraming { request.apply(.end, [UInt8]().span, keeping: 0) }
    }

    private final class HeldReader {
        var reader: RequestReader

        init(_ reader: RequestReader) { self.reader = reader }
    }

    private var held: HeldReader {
        if let madeReader { return madeReader }
        let new = HeldReader(endpoint.reader(bounds.request))
        madeReader = new
        return new
    }

    var isBetweenRequests: Bool {
        buffer.isEmpty
            && (request.isAwaited || request.head == nil && madeReader?.reader.isBetweenRequests ?? true)
    }

    func isReached(_ goal: Goal) -> Bool {
        if request.refusal != nil || request.isComplete { return true }
        switch goal {
        case .head: return request.head?.hasFraming ?? false
        case .content(let count), .portion(let count): return request.contentByteCount >= count
        case .some(let position, _): return request.contentByteCount > position
        case .end, .endInPortions: return false
        }
    }

    var scriptPosition: ConnectionScript.Position {
        guard let head = request.head else { return .head(byteCount) }
        return .body(byteCount - head.precedingByteCount - head.bytes.count)
    }

    /// The most bytes that may be taken from the system at once.
    func room(before goal: Goal) -> Int {
        switch goal {
        case .portion(let count): max(1, count - request.contentByteCount)
        case .some(_, let count): count
        case .head: endpoint.headPortionByteCount
        case .content, .end, .endInPortions: .max
        }
    }

    /// The longest next wait for bytes, in nanoseconds.
    func patience() -> UInt64 {
        if request.head != nil { return bounds.progress }
        guard headDeadline != .max else {
            // No other request may come; the connection is held so that one that comes all the same is seen.
            return madeReader?.reader.asksToClose == true ? min(bounds.linger, bounds.idle) : bounds.idle
        }
        let now = MonotonicClock.nanoseconds
        return headDeadline > now ? headDeadline - now : 0
    }

    // MARK: Feeding

    /// Takes events of the reader that need no more bytes; between requests there are none.
    func takeWaitingEvents(until goal: Goal) {
        if request.head != nil, !isOfStream { feed([UInt8]().span, until: goal) }
    }

    /// Gives new bytes to the reader, and keeps those after the goal.
    func read(_ bytes: Span<UInt8>, until goal: Goal) {
        let taken = feed(bytes, until: goal)
        if taken < bytes.count { store(bytes.extracting(taken..<bytes.count)) }
    }

    /// Gives at most `limit` kept bytes to the reader.
    func takeKept(until goal: Goal, upTo limit: Int) {
        if byteCount == 0 { arrival.beginWithKept() }
        // Content is not longer than its framing, so a portion also bounds the bytes of a request.
        let most =
            switch goal {
            case .portion, .some: min(limit, room(before: goal))
            case .head, .content, .end, .endInPortions: limit
            }
        let bytes = buffer.bytes
        let start = buffer.start
        let end = most < bytes.count - start ? start + most : bytes.count
        let taken = feed(bytes.span.extracting(start..<end), until: goal)
        buffer.consume(taken)
    }

    /// Gives bytes to the reader until the goal is reached; returns how many the reader took.
    @discardableResult
    private func feed(_ bytes: Span<UInt8>, until goal: Goal) -> Int {
        var offset = 0
        // The end of the last event in the bytes.
        var start = 0
        let held = held
        while !isReached(goal), let event = held.reader.next(bytes, at: &offset) {
            request.apply(event, bytes, keeping: request.keptLimit ?? bounds.keptBodyByteCount)
            switch event {
            case .violation, .refused: continue
            case .chunk:
                var line = unfinished.kept
                line.append(bytes.extracting(start..<offset))
                request.appendChunkLine(line)
            case .head, .content, .trailers, .end: break
            }
            start = offset
            if !unfinished.isEmpty { unfinished.removeAll() }
        }
        if start < offset { unfinished.append(bytes.extracting(start..<offset)) }
        byteCount += offset
        if request.head == nil, offset > 0, headDeadline == .max {
            let now = MonotonicClock.nanoseconds
            arrival.start(at: now)
            headDeadline = now &+ bounds.head
        }
        return offset
    }

    package func store(_ bytes: Span<UInt8>) {
        arrival.didKeep(at: MonotonicClock.nanoseconds)
        buffer.append(bytes)
    }

    /// Drops bytes of content that is not kept; returns how many belong to the request.
    func skipContent(_ bytes: Span<UInt8>) -> Int {
        var offset = 0
        let held = held
        while request.hasUnreadContent, let event = held.reader.next(bytes, at: &offset) {
            request.apply(event, bytes, keeping: 0)
        }
        byteCount += offset
        return offset
    }

    // MARK: Kept bytes

    /// Lends the kept bytes to `body`, then drops them.
    package func drainKept(_ body: (Span<UInt8>) -> Void) {
        var kept = buffer
        buffer = InputBuffer()
        kept.drain(body)
    }

    package func consumeKept(_ count: Int) { buffer.consume(count) }

    /// Replaces the kept bytes, which were read before any request.
    func replaceKept(with bytes: [UInt8]) { buffer = InputBuffer(bytes) }

    /// Notes the kept bytes after a refused request as unread.
    func takeRest() { drainKept { unfinished.append($0) } }

    // MARK: Ends

    func beginNextRequest() {
        request.removeAll()
        arrival.reset()
        previousByteCount = byteCount
        byteCount = 0
        headDeadline = .max
    }

    /// No request follows, so that nothing is kept for one.
    func leaveHTTP() {
        madeReader = nil
        request.removeAll()
    }

    /// The client did not send the content: the next byte begins a request.
    func readNextInPlaceOfContent() { madeReader = nil }

    /// The bytes of an incomplete head.
    var partialHead: [UInt8] { madeReader?.reader.partialHead ?? [] }

    func violationsAtEnd() -> [Violation] { madeReader?.reader.violationsAtEnd() ?? [] }

    /// Whether the content of the current request may still be omitted: the client asked for 100 (Continue) and got a
    /// final reply without it (RFC 9110 §10.1.1).
    ///
    /// Bytes that came with the head are content: a client that sends them has not waited for a reply.
    var mayBeWithheld: Bool {
        guard let head = request.head, head.expectsContinue, !request.wasContinued else { return false }
        return request.hasUnreadContent && request.contentByteCount == 0 && unfinished.isEmpty && buffer.isEmpty
    }
}

extension RequestReader {
    /// Violations of an incomplete request, when no more bytes will come.
    mutating func violationsAtEnd() -> [Violation] {
        var violations: [Violation] = []
        while let event = finish() {
            switch event {
            case .violation(let violation), .refused(let violation): violations.append(violation)
            case .head, .content, .chunk, .trailers, .end: break
            }
        }
        return violations
    }
}
