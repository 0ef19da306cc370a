internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario

/// The request that is coming in on a connection, as far as its bytes are here; it never waits.
///
/// On the loop's thread only.
final class RequestInput {
    private let endpoint: Endpoint
    private let bounds: ConnectionBounds
    private var reader: RequestReader
    var request = IncomingRequest()
    /// Bytes behind those that the reader has seen.
    private(set) var buffer = InputBuffer()
    /// When requests began.
    var arrival: RequestArrival
    /// Bytes of the current request that the reader has seen.
    private(set) var byteCount = 0
    /// Bytes of the request before the current one; nil before the first request is over.
    private(set) var previousByteCount: Int?
    /// What the reader has seen and no event of it holds: a head, or a line within chunked content, that is not whole.
    var unfinished = UnreadBytes()
    /// MonotonicClock nanoseconds; `.max` before the head has begun.
    private var headDeadline: UInt64 = .max
    /// Whether the reading of requests came to the peer's end, so that all that the peer sent was seen.
    var wasReadToEnd = false

    /// How far a request must have arrived.
    enum Goal {
        /// The head, and the end of the request if it has no content.
        case head
        /// This many bytes of content, or the end.
        case content(Int)
        case end
        /// This many bytes of content and no more, or the end, with nothing more taken from the system.
        case portion(Int)
        /// The end, by such portions at fixed moments.
        case endInPortions(byteCount: Int, interval: Duration)

        /// The end of content, as an exchange has it read.
        static func end(reading policy: Exchange.ReadPolicy) -> Goal {
            guard case .paced(let byteCount, let interval) = policy else { return .end }
            return .endInPortions(byteCount: byteCount, interval: interval)
        }
    }

    /// `opening` is when the connection was opened at the latest, in MonotonicClock nanoseconds.
    init(_ endpoint: Endpoint, _ bounds: ConnectionBounds, opening: UInt64) {
        self.endpoint = endpoint
        self.bounds = bounds
        reader = endpoint.reader(bounds.request)
        arrival = RequestArrival(opening: opening)
    }

    var isBetweenRequests: Bool {
        buffer.isEmpty && (request.isAwaited || request.head == nil && reader.isBetweenRequests)
    }

    func isReached(_ goal: Goal) -> Bool {
        if request.refusal != nil || request.isComplete { return true }
        switch goal {
        case .head: return request.head.map { $0.framing != .none } ?? false
        case .content(let count), .portion(let count): return request.contentByteCount >= count
        case .end, .endInPortions: return false
        }
    }

    /// Where the current request stands for connection effects.
    var scriptPosition: ConnectionScript.Position {
        guard let head = request.head else { return .head(byteCount) }
        return .body(byteCount - head.precedingByteCount - head.bytes.count)
    }

    /// How many bytes may be taken from the system at once.
    func room(before goal: Goal) -> Int {
        switch goal {
        case .portion(let count): max(1, count - request.contentByteCount)
        case .head: endpoint.headPortionByteCount
        case .content, .end, .endInPortions: .max
        }
    }

    /// Nanoseconds that the next wait for bytes may take.
    func patience() -> UInt64 {
        if request.head != nil { return bounds.progress }
        guard headDeadline != .max else { return bounds.idle }
        let now = MonotonicClock.nanoseconds
        return headDeadline > now ? headDeadline - now : 0
    }

    // MARK: Feeding

    /// Takes the events that wait in the reader and need no bytes; between requests there are none.
    func takeWaitingEvents(until goal: Goal) {
        if request.head != nil { feed([UInt8]().span, until: goal) }
    }

    /// Hands bytes that were just read to the reader, and keeps what is pipelined behind the goal.
    func take(_ bytes: Span<UInt8>, until goal: Goal) {
        let taken = feed(bytes, until: goal)
        if taken < bytes.count { keep(bytes.extracting(taken..<bytes.count)) }
    }

    /// Hands at most `limit` kept bytes to the reader.
    func takeKept(until goal: Goal, upTo limit: Int) {
        if byteCount == 0 { arrival.beginWithKept() }
        // Content is not longer than its framing, so a portion bounds the bytes of a request too.
        let most = if case .portion = goal { min(limit, room(before: goal)) } else { limit }
        let bytes = buffer.bytes
        let start = buffer.start
        let end = most < bytes.count - start ? start + most : bytes.count
        let taken = feed(bytes.span.extracting(start..<end), until: goal)
        buffer.consume(taken)
    }

    /// Hands bytes to the reader until the goal is reached; returns how many it took.
    @discardableResult
    private func feed(_ bytes: Span<UInt8>, until goal: Goal) -> Int {
        var offset = 0
        // Behind the last event that holds its bytes.
        var start = 0
        while !isReached(goal), let event = reader.next(bytes, at: &offset) {
            request.take(event, bytes, keeping: request.keptLimit ?? bounds.keptBodyByteCount)
            switch event {
            case .violation, .refused: continue
            case .chunk:
                var line = unfinished.kept
                line.append(bytes.extracting(start..<offset))
                request.take(chunkLine: line)
            case .head, .content, .trailers, .end: break
            }
            start = offset
            if !unfinished.isEmpty { unfinished.removeAll() }
        }
        if start < offset { unfinished.take(bytes.extracting(start..<offset)) }
        byteCount += offset
        if request.head == nil, offset > 0, headDeadline == .max {
            let now = MonotonicClock.nanoseconds
            arrival.begin(at: now)
            headDeadline = now &+ bounds.head
        }
        return offset
    }

    func keep(_ bytes: Span<UInt8>) {
        arrival.didKeep(at: MonotonicClock.nanoseconds)
        buffer.append(bytes)
    }

    /// Takes bytes of content that is not kept; returns how many of them are the request's.
    func skipContent(_ bytes: Span<UInt8>) -> Int {
        var offset = 0
        while request.hasUnreadContent, let event = reader.next(bytes, at: &offset) {
            request.take(event, bytes, keeping: 0)
        }
        byteCount += offset
        return offset
    }

    // MARK: Kept bytes

    /// Lends the kept bytes to `body` and forgets them.
    func drainKept(_ body: (Span<UInt8>) -> Void) {
        var kept = buffer
        buffer = InputBuffer()
        kept.drain(body)
    }

    func consumeKept(_ count: Int) { buffer.consume(count) }

    /// Puts bytes in the place of the kept ones that were read before any request.
    func replaceKept(with bytes: [UInt8]) { buffer = InputBuffer(bytes) }

    /// What was read already and is not read as a request stands behind what was refused.
    func takeRest() { drainKept { unfinished.take($0) } }

    // MARK: Ends

    /// The request is answered, and the next one may begin.
    func beginNextRequest() {
        request = IncomingRequest()
        arrival.end()
        previousByteCount = byteCount
        byteCount = 0
        headDeadline = .max
    }

    /// Leaves out the content of a request that the client may have kept back.
    func leaveContent() { reader.leaveContent() }

    /// The client has kept the content back: the next byte begins a request.
    func readNextInPlaceOfContent() { reader = endpoint.reader(bounds.request) }

    /// The beginning of a head that is not whole.
    var partialHead: [UInt8] { reader.partialHead }

    /// What is wrong with bytes behind which the peer has left.
    func violationsAtEnd() -> [Violation] { reader.violationsAtEnd() }

    /// Whether nothing says yet that the content of the current request will come: the client has asked for
    /// 100 (Continue) and was answered without it (RFC 9110 §10.1.1).
    ///
    /// Bytes that came with the head are content: a client that sends them has not waited for a reply.
    var mayBeWithheld: Bool {
        guard let head = request.head, head.expectsContinue, !request.wasContinued else { return false }
        return request.hasUnreadContent && request.contentByteCount == 0 && unfinished.isEmpty && buffer.isEmpty
    }
}

extension RequestReader {
    /// What is wrong with the bytes so far, since no more will come.
    mutating func violationsAtEnd() -> [Violation] {
        var found: [Violation] = []
        while let event = end() {
            switch event {
            case .violation(let violation), .refused(let violation): found.append(violation)
            case .head, .content, .chunk, .trailers, .end: break
            }
        }
        return found
    }
}
