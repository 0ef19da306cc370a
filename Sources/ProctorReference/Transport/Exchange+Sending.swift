internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

extension Exchange {
    /// Why sending ends before its end.
    enum SendingEnd: Error {
        /// The connection does not take it, or nobody wants it any more; reading tells what there is to tell.
        case gone
        case failure(LoadError)
    }

    /// What the system takes without waiting: for most requests that is all.
    func sendAtOnce() {
        guard let socket = connection?.socket else { return }
        note(start: socket.writeAtOnce(sending.start))
        finishIfNothingIsLeft()
    }

    /// The rest of the request, while the reply may be coming already; ends when the connection is closed.
    func sendRest() async {
        do throws(SendingEnd) {
            try await sendStart()
            switch sending.rest {
            case .none: break
            case .bytes(let bytes): try await send(bytes)
            case .file(let file): try await send(file)
            case .stream(let stream): try await send(stream)
            }
            sending.isComplete = true
        } catch {
            guard case .failure(let failure) = error, !isOver else { return }
            sending.failure = failure
            // Wakes the reading side, which ends the exchange.
            connection?.socket.cancel()
        }
    }

    /// The head goes out alone; then 100, a final head or the end of the patience is waited for (RFC 9110 §10.1.1).
    func awaitContinue() async throws(ExchangeEnd) {
        let continueTime = pool.limits.continueTime.wholeNanoseconds
        do throws(SendingEnd) {
            try await sendStart(within: continueTime)
        } catch {
            return
        }
        let start = MonotonicClock.nanoseconds
        while !arrival.mayContinue, arrival.head == nil, arrival.violation == nil {
            let passed = MonotonicClock.nanoseconds &- start
            guard passed < continueTime else { return }
            guard try await readInTime(within: continueTime - passed) else { return }
            try tellInterims()
        }
        // A final status instead of a 100 says that the content is not wanted.
        if !arrival.mayContinue { sending.isStopped = true }
    }

    // MARK: Progress

    func usableSocket() throws(SendingEnd) -> Socket {
        guard !isOver, !sending.isStopped, let socket = connection?.socket else { throw .gone }
        return socket
    }

    func note(start count: Int) {
        note(content: sending.moveOn(by: count))
    }

    func note(content count: Int) {
        lastActivity = MonotonicClock.nanoseconds
        guard count > 0 else { return }
        sending.count(count)
        tell(.bodySent(byteCount: count, expected: sending.expected))
    }

    private func finishIfNothingIsLeft() {
        guard sending.startOffset == sending.start.count, case .none = sending.rest else { return }
        sending.begin([])
        sending.isComplete = true
    }
}
