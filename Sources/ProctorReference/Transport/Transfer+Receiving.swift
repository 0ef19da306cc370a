internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS

extension Transfer {
    /// Reads the reply to its end, or as far as the host wants it.
    func receive() async -> TransferEnd {
        do throws(TransferEnd) {
            let head = try await receiveHead()
            stopSendingIfUnwanted(by: head)
            try beginDecoding(of: head)
            if let connection = state.connection { connection.secured?.wasAccepted(by: connection.destination) }
            tell(.head(head))
            try requireWanted()
            var step = try await ask()
            while true {
                switch step {
                case .abort: return .silence
                case .drain:
                    state.decoding = nil
                    return await drain(head)
                case .readOn: break
                }
                if let piece = try nextPiece() {
                    tell(.content(piece))
                    try requireWanted()
                    step = try await ask()
                } else if state.arrival.isComplete {
                    try finishDecoding()
                    return .complete
                } else {
                    try await readMore()
                }
            }
        } catch {
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
            // Nothing here asks for an upgrade, so what follows is no protocol that could be spoken.
            guard head.framing != .tunnel else {
                throw failure(
                    .badServerResponse,
                    "\(peer) switches to another protocol, which nobody asked for (\(head.status), RFC 9110 §15.2.2)")
            }
            return head
        }
    }

    /// Interim heads are told as they come, and nothing is asked after them; the reader bounds their number.
    func tellInterims() throws(TransferEnd) {
        while let head = state.arrival.takeInterim() {
            tell(.head(head))
            try requireWanted()
        }
    }

    /// A server that refuses and closes does not want the rest of the content (RFC 9112 §9.5).
    private func stopSendingIfUnwanted(by head: ReplyHead) {
        if !state.sending.isComplete, head.status >= 300, !head.keepsConnection { state.sending.isStopped = true }
    }

    // MARK: Reading

    /// Reads until something arrived that can be passed on.
    func readMore() async throws(TransferEnd) {
        if let violation = state.arrival.violation { throw failure(of: violation) }
        while true {
            guard let limit = state.host?.idleLimit else { throw .silence }
            // Bytes in either direction are activity: content may still be on its way out.
            guard let time = pool.waitTime(since: &state.lastActivity, within: limit) else {
                throw timedOut(after: limit)
            }
            if try await readInTime(within: time) { return }
        }
    }

    /// One read; false when the time is over.
    func readInTime(within limit: UInt64) async throws(TransferEnd) -> Bool {
        guard let connection = state.connection else { throw .silence }
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await connection.socket.read(within: limit) { bytes in
                state.arrival.take(bytes, by: &connection.reader)
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
            state.arrival.takeEnd(by: &connection.reader)
            guard state.arrival.isComplete else { throw lost("\(peer) closed the connection") }
            if state.arrival.head?.framing == .untilClose, connection.secured?.session.report.wasTruncated == true {
                throw lost(
                    "\(peer) closed the connection without close_notify (RFC 8446 §6.1), so that anybody may have cut it,"
                )
            }
        }
        state.lastActivity = MonotonicClock.nanoseconds
        return true
    }

    // MARK: Draining

    /// Reads what is left if that is little and comes soon, so that the connection can be used again.
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
            // Cut or not, it is out of the way; unless the host has turned away meanwhile.
            return isOver ? .silence : .drained
        }
        return .drained
    }

    private func isWorthDraining(_ head: ReplyHead) -> Bool {
        guard head.keepsConnection, state.sending.isComplete, !state.sending.asksToClose else { return false }
        switch head.framing {
        case .length(let byteCount): return byteCount - state.arrival.contentByteCount <= pool.limits.drainByteCount
        case .untilClose, .tunnel: return false
        case .none, .chunked: return true
        }
    }
}

/// Between framing and host: what of the content is coded is decoded, as fast as the host takes it and no faster.
extension Transfer {
    func beginDecoding(of head: ReplyHead) throws(TransferEnd) {
        guard head.framing != .none else { return }
        let codings = ReplyCodings(of: head)
        guard !codings.isEmpty else { return }
        do throws(CodingFailure) {
            state.decoding = try ContentDecoding(codings.content + codings.transfer)
        } catch {
            throw failure(of: error)
        }
    }

    /// Content that has arrived; nil: more has to be read first.
    func nextPiece() throws(TransferEnd) -> [UInt8]? {
        guard let decoding = state.decoding else { return state.arrival.hasContent ? state.arrival.takeContent() : nil }
        do throws(CodingFailure) {
            while true {
                if let piece = try decoding.next() { return piece }
                guard state.arrival.hasContent else { return nil }
                decoding.take(state.arrival.takeContent())
            }
        } catch {
            throw failure(of: error)
        }
    }

    /// The reply is whole; its coded content has to be, too.
    func finishDecoding() throws(TransferEnd) {
        do throws(CodingFailure) {
            try state.decoding?.finish()
        } catch {
            throw failure(of: error)
        }
    }
}

/// What has been read of a reply and was not passed on yet; one read brings 64 KiB at most, so it is bounded.
struct Arrival {
    private var interims: [ReplyHead] = []
    /// The final one; stays.
    private(set) var head: ReplyHead?
    private var content: [UInt8] = []
    private(set) var isComplete = false
    /// Nothing can be read after it.
    private(set) var violation: Violation?
    /// Bytes came behind the end of the reply.
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
