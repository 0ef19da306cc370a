internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS

extension Exchange {
    /// Reads the reply to its end, or as far as the host wants it.
    func receive() async -> ExchangeEnd {
        do throws(ExchangeEnd) {
            let head = try await receiveHead()
            stopSendingIfUnwanted(by: head)
            try beginDecoding(of: head)
            if let connection { connection.secured?.wasLetIn(by: connection.destination) }
            tell(.head(head))
            try requireWanted()
            var step = try await ask()
            while true {
                switch step {
                case .abort: return .silence
                case .drain:
                    decoding = nil
                    return await drain(head)
                case .readOn: break
                }
                if let piece = try nextPiece() {
                    tell(.content(piece))
                    try requireWanted()
                    step = try await ask()
                } else if arrival.isComplete {
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

    private func receiveHead() async throws(ExchangeEnd) -> ReplyHead {
        while true {
            try tellInterims()
            guard let head = arrival.head else {
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
    func tellInterims() throws(ExchangeEnd) {
        while let head = arrival.takeInterim() {
            tell(.head(head))
            try requireWanted()
        }
    }

    /// A server that refuses and closes does not want the rest of the content (RFC 9112 §9.5).
    private func stopSendingIfUnwanted(by head: ReplyHead) {
        if !sending.isComplete, head.status >= 300, !head.keepsConnection { sending.isStopped = true }
    }

    // MARK: Reading

    /// Reads until something arrived that can be passed on.
    func readMore() async throws(ExchangeEnd) {
        if let violation = arrival.violation { throw failure(of: violation) }
        while true {
            guard let limit = host?.idleLimit else { throw .silence }
            // Bytes in either direction are activity: content may still be on its way out.
            guard let nap = pool.nap(since: &lastActivity, within: limit) else { throw timedOut(after: limit) }
            if try await readInTime(within: nap) { return }
        }
    }

    /// One read; false when the time is over.
    func readInTime(within limit: UInt64) async throws(ExchangeEnd) -> Bool {
        guard let connection else { throw .silence }
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await connection.socket.read(within: limit) { bytes in
                arrival.take(bytes, by: &connection.reader)
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
            arrival.takeEnd(by: &connection.reader)
            guard arrival.isComplete else { throw lost("\(peer) closed the connection") }
            if arrival.head?.framing == .untilClose, connection.secured?.session.report.wasTruncated == true {
                throw lost(
                    "\(peer) closed the connection without close_notify (RFC 8446 §6.1), so that anybody may have cut it,"
                )
            }
        }
        lastActivity = MonotonicClock.nanoseconds
        return true
    }

    // MARK: Draining

    /// Reads what is left if that is little and comes soon, so that the connection can be used again.
    func drain(_ head: ReplyHead) async -> ExchangeEnd {
        guard isWorthDraining(head) else { return .drained }
        arrival.isDraining = true
        let start = MonotonicClock.nanoseconds
        let drainTime = pool.limits.drainTime.wholeNanoseconds
        let bound = arrival.byteCount + pool.limits.drainByteCount
        do throws(ExchangeEnd) {
            while !arrival.isComplete, arrival.violation == nil, arrival.byteCount < bound {
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
        guard head.keepsConnection, sending.isComplete, !sending.asksToClose else { return false }
        switch head.framing {
        case .length(let byteCount): return byteCount - arrival.contentByteCount <= pool.limits.drainByteCount
        case .untilClose, .tunnel: return false
        case .none, .chunked: return true
        }
    }
}
