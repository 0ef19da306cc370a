internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS

extension Transfer {
    func receive() async -> TransferEnd {
        do throws(TransferEnd) {
            let head = try await receiveHead()
            stopSendingIfUnwanted(by: head)
            if fault == .wire(.hasNoBounds) { state.excess.keepLines(of: head) }
            try beginDecoding(of: head)
            didAccept(head)
            report(.head(head))
            try requireWanted()
            var step = try await nextStep()
            while true {
                switch step {
                case .abort: return .silence
                case .drain:
                    if fault == .wire(.hasNoBounds), let content = try nextPiece() { state.excess.keepContent(content) }
                    state.decoding = nil
                    return await drain(head)
                case .readOn: break
                }
                if let piece = try nextPiece() {
                    report(.content(piece))
                    try requireWanted()
                    step = try await nextStep()
                } else if state.arrival.isComplete {
                    try finishDecoding()
                    if !state.arrival.trailers.isEmpty {
                        report(.trailers(state.arrival.trailers))
                        try requireWanted()
                    }
                    return .complete
                } else {
                    try await readMore()
                }
            }
        } catch {
            if fault == .wire(.takesAnyEnd), case .failure = error, state.arrival.head != nil { return .complete }
            return error
        }
    }

    private func receiveHead() async throws(TransferEnd) -> ReplyHead {
        while true {
            try tellInterims()
            guard let head = state.arrival.head else {
                try await readMore()
                continue
            }
            if !head.keepsConnection, let connection = state.connection {
                (connection.state.takesRequestsAhead, connection.state.wasToldToClose) = (false, true)
            }
            // Without a request for it, no known protocol can follow.
            guard head.framing != .tunnel || upgrade != nil else {
                throw makeFailure(
                    .badServerResponse,
                    "\(peer) switches to another protocol without being asked (\(head.status), RFC 9110 §15.2.2)")
            }
            return head
        }
    }

    /// Passes interim heads on as they arrive, without a question; the reader limits their number.
    func tellInterims() throws(TransferEnd) {
        while let head = state.arrival.takeInterim() {
            if fault == .wire(.hasNoBounds) { state.excess.keepLines(of: head) }
            report(.head(head))
            try requireWanted()
        }
    }

    /// Stops sending when the server refuses and closes, since it does not read the rest of the content (RFC 9112
    /// §9.5).
    private func stopSendingIfUnwanted(by head: ReplyHead) {
        if !state.sending.isComplete, head.status >= 300, !head.keepsConnection { state.sending.isStopped = true }
    }

    // MARK: Reading

    /// Reads until something arrives that can be passed on.
    func readMore() async throws(TransferEnd) {
        if let violation = state.arrival.violation { throw failure(of: violation) }
        while true {
            guard let limit = state.host?.idleLimit else { throw .silence }
            // Bytes in either direction are activity, also content that is still being sent.
            guard let time = pool.waitTime(since: &state.lastActivity, within: limit) else {
                throw timedOut(after: limit)
            }
            if try await readInTime(within: time) { return }
        }
    }

    /// One read; false when the time is over.
    func readInTime(within limit: UInt64) async throws(TransferEnd) -> Bool {
        if let stream = state.stream { return try await read(stream, within: limit) }
        guard let connection = state.connection else { throw .silence }
        if !connection.state.early.isEmpty {
            let early = connection.state.early
            connection.state.early = []
            state.arrival.readReply(early.span, by: &connection.state.reader)
            return true
        }
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await connection.socket.read(within: limit) { bytes in
                guard let lists = fault?.ofLists, state.arrival.head == nil else {
                    return state.arrival.readReply(bytes, by: &connection.state.reader)
                }
                var copy: [UInt8] = []
                copy.append(bytes)
                state.arrival.readReply(lists.misread(copy).span, by: &connection.state.reader)
            }
        } catch {
            switch error {
            case .timedOut: return false
            case .cancelled: throw ended()
            case .failed(let failure): throw lost("the connection to \(peer) broke (\(failure.text))")
            case .layerFailed(let sentence): throw insecure(sentence)
            }
        }
        if isOpen == nil {
            state.arrival.takeEnd(by: &connection.state.reader)
            guard state.arrival.isComplete else { throw lost("\(peer) closed the connection") }
            if state.arrival.head?.framing == .untilClose, connection.secured?.session?.report.wasTruncated == true {
                throw lost(
                    "\(peer) closed the connection without close_notify (RFC 8446 §6.1), so that anybody may have cut it,"
                )
            }
        }
        state.lastActivity = MonotonicClock.nanoseconds
        return true
    }

    // MARK: Draining

    /// Reads the rest of a reply if it is short and comes soon, so that the connection can be kept.
    func drain(_ head: ReplyHead) async -> TransferEnd {
        guard isWorthDraining(head) else { return .drained }
        state.arrival.isDraining = true
        let start = MonotonicClock.nanoseconds
        let drainTime = pool.limits.drainTime.wholeNanoseconds
        let bound = state.arrival.byteCount + pool.limits.drainByteCount
        do throws(TransferEnd) {
            while !state.arrival.isComplete, state.arrival.violation == nil, state.arrival.byteCount < bound {
                let passed = MonotonicClock.nanoseconds &- start
                guard passed < drainTime, try await readInTime(within: drainTime - passed) else { break }
            }
        } catch {
            // The reply is finished, complete or not, unless the host has ended the transfer.
            return isOver ? .silence : .drained
        }
        return .drained
    }

    private func isWorthDraining(_ head: ReplyHead) -> Bool {
        guard head.keepsConnection, state.sending.isComplete, !state.sending.asksToClose else { return false }
        switch head.framing {
        case .length(let byteCount): return byteCount - state.arrival.contentByteCount <= pool.limits.drainByteCount
        case .untilClose, .tunnel: return false
        case .none, .chunked, .stream: return true
        }
    }
}

/// Decodes content between framing and host, only as fast as the host takes it.
extension Transfer {
    func beginDecoding(of head: ReplyHead) throws(TransferEnd) {
        guard head.framing != .none, head.framing != .tunnel else { return }
        let codings = ReplyCodings(of: head)
        guard !codings.isEmpty else { return }
        try decode { () throws(CodingFailure) in
            state.decoding = try ContentDecoding(codings.content + codings.transfer)
        }
    }

    /// The next arrived content; nil: more bytes must be read first.
    func nextPiece() throws(TransferEnd) -> [UInt8]? {
        guard let decoding = state.decoding else { return state.arrival.hasContent ? state.arrival.takeContent() : nil }
        return try decode { () throws(CodingFailure) in
            while true {
                if fault == .wire(.hasNoBounds) { return try Excess.decodeAtOnce(decoding, &state.arrival) }
                if let piece = try decoding.next() { return try bounded(piece) }
                guard state.arrival.hasContent else { return nil }
                decoding.append(state.arrival.takeContent())
            }
        }
    }

    /// Fails the transfer where more was decoded than the client's limits permit.
    private func bounded(_ piece: [UInt8]) throws(CodingFailure) -> [UInt8] {
        state.decodedByteCount += piece.count
        let (limits, coded) = (pool.limits, state.arrival.contentByteCount)
        if let most = limits.decodedByteCount, state.decodedByteCount > most {
            throw CodingFailure(.tooLarge, "more than \(most) bytes, the client's limit, are decoded", offset: coded)
        }
        if let most = limits.decodedRatio, state.decodedByteCount / most > coded {
            throw CodingFailure(
                .tooLarge,
                "\(state.decodedByteCount) bytes were decoded of \(coded), and the client's limit is \(most) for each",
                offset: coded)
        }
        return piece
    }

    /// Called when the reply is complete; its coded content must be complete too.
    func finishDecoding() throws(TransferEnd) {
        try decode { () throws(CodingFailure) in try state.decoding?.finish() }
    }

    private func decode<Result>(_ body: () throws(CodingFailure) -> Result) throws(TransferEnd) -> Result {
        do throws(CodingFailure) {
            return try body()
        } catch {
            throw failure(of: error)
        }
    }
}

/// The part of a reply that was read and not yet passed on; one read returns at most 64 KiB, so it is limited.
struct Arrival {
    private var interims: [ReplyHead] = []
    /// The final head, which is kept after it was passed on.
    private(set) var head: ReplyHead?
    private var content: [UInt8] = []
    private(set) var isComplete = false
    /// The violation after which nothing can be read.
    private(set) var violation: Violation?
    /// The fields behind the content (RFC 9110 §6.5).
    var trailers: [HTTPField] = []
    /// The bytes that arrived after the end of the reply.
    private var surplus: [UInt8] = []
    var hasSurplus: Bool { !surplus.isEmpty }
    /// Whether a 100 has come (RFC 9110 §15.2.1).
    private(set) var mayContinue = false

    /// The bytes of this reply, with heads and framing.
    private(set) var byteCount = 0
    /// The bytes of decoded content, passed on or not.
    private(set) var contentByteCount = 0
    /// Whether further content is only counted and discarded.
    var isDraining = false { didSet { content = [] } }

    var hasContent: Bool { !content.isEmpty }

    mutating func readReply(_ bytes: Span<UInt8>, by reader: inout ReplyReader) {
        byteCount += bytes.count
        var offset = 0
        while !isOver, let event = reader.next(bytes, at: &offset) { apply(event, bytes) }
        if isComplete, offset < bytes.count { surplus.append(bytes.extracting(offset..<bytes.count)) }
    }

    /// Handles FIN of the peer, which is the regular end of content without a length.
    mutating func takeEnd(by reader: inout ReplyReader) {
        while !isOver, let event = reader.finish() { apply(event, [UInt8]().span) }
    }

    private var isOver: Bool { isComplete || violation != nil }

    private mutating func apply(_ event: ReplyEvent, _ bytes: Span<UInt8>) {
        switch event {
        case .head(let head): recordHead(head)
        case .content(let range):
            contentByteCount += range.count
            if !isDraining { content.append(bytes.extracting(range)) }
        case .trailers(let section): trailers = [HTTPField](section)
        case .chunk, .violation: break
        case .refused(let violation): self.violation = violation
        case .end: isComplete = true
        }
    }

    /// Handles the head of a reply on a stream.
    mutating func receiveHead(_ head: ReplyHead, byteCount: Int) {
        self.byteCount += byteCount
        recordHead(head)
    }

    mutating func receiveContent(_ content: [UInt8]) {
        byteCount += content.count
        contentByteCount += content.count
        if !isDraining { self.content += content }
    }

    mutating func complete() { isComplete = true }

    private mutating func recordHead(_ head: ReplyHead) {
        guard head.isInterim else {
            self.head = head
            return
        }
        if head.status == 100 { mayContinue = true }
        interims.append(head)
    }

    // MARK: Passing on

    mutating func takeInterim() -> ReplyHead? { interims.isEmpty ? nil : interims.removeFirst() }

    mutating func takeSurplus() -> [UInt8] {
        defer { surplus = [] }
        return surplus
    }

    mutating func takeContent() -> [UInt8] {
        defer { content = [] }
        return content
    }
}

/// The errors of a transfer; each names the request and the progress so far.
extension Transfer {
    var peer: String { state.carrier?.peer.description ?? request.url.origin.description }

    /// Method and URL, as part of a sentence.
    var subject: String {
        state.tunnelRequest.map { "\($0.method) \($0.url.origin.hostAndPort)" } ?? "\(request.method) \(request.url)"
    }

    func makeFailure(_ kind: LoadError.Kind, _ sentence: String) -> TransferEnd {
        .failure(TransferFailure(LoadError(kind, sentence)))
    }

    /// The connection was lost; before the first byte of a reply on a kept one, the server may have closed it before it
    /// read the request (RFC 9112 §9.3.1).
    func lost(_ what: String) -> TransferEnd {
        let mayBeRetried = state.arrival.byteCount == 0 && state.carrier?.isReused == true
        return .failure(
            TransferFailure(
                LoadError(.connectionLost, "\(what) \(progress)"), mayBeRetried: mayBeRetried,
                isUnsent: state.tunnelRequest != nil))
    }

    /// TLS cannot continue: the peer sent an alert, or bytes that are no valid record.
    func insecure(_ sentence: String) -> TransferEnd {
        guard let secured = state.carrier?.secured else {
            return lost("the connection to \(peer) broke: \(sentence)")
        }
        let kind = secured.failureKind
        let mayBeRetried = state.arrival.byteCount == 0 && state.carrier?.isReused == true
        return .failure(
            TransferFailure(
                LoadError(kind, "TLS with \(peer) can't go on: \(sentence), \(progress)"), mayBeRetried: mayBeRetried))
    }

    func timedOut(after limit: UInt64) -> TransferEnd {
        makeFailure(.timedOut, "nothing came from \(peer) for \(ConnectionPool.seconds(limit)), \(progress)")
    }

    func failure(of violation: Violation) -> TransferEnd {
        .failure(
            TransferFailure(
                LoadError(
                    .cannotParseResponse, "the reply of \(peer) to \(subject) can't be read: \(violation)",
                    violation: violation)))
    }

    func failure(of failure: CodingFailure) -> TransferEnd {
        self.makeFailure(
            .cannotDecodeRawData, "the content of \(request.method) \(request.url) can't be decoded: \(failure)")
    }

    /// The end of a transfer whose socket was closed or cancelled by this side: by the host, the sending task, or the
    /// pool.
    func ended() -> TransferEnd {
        if isOver { return .silence }
        if let failure = state.sending.failure { return .failure(TransferFailure(failure)) }
        return .failure(TransferFailure(ConnectionPool.closed))
    }

    private var streamEnd: String { state.stream?.connection.rules.end ?? StreamRules.http2.end }

    var progress: String {
        if state.tunnelRequest != nil { return "before its reply to \(subject) was complete" }
        guard state.arrival.byteCount > 0 else {
            return state.sending.isComplete
                ? "before any byte of a reply"
                : "before any byte of a reply, after \(state.sending.contentByteCount) bytes of the request's content were sent"
        }
        guard let head = state.arrival.head else {
            return "after \(state.arrival.byteCount) bytes of a reply, within its head"
        }
        return switch head.framing {
        case .length(let byteCount): "after \(state.arrival.contentByteCount) of \(byteCount) bytes of content"
        case .chunked: "after \(state.arrival.contentByteCount) bytes of content, before the last chunk (RFC 9112 §7.1)"
        case .stream: "after \(state.arrival.contentByteCount) bytes of content, before \(streamEnd)"
        case .none, .untilClose, .tunnel: "after \(state.arrival.contentByteCount) bytes of content"
        }
    }
}
