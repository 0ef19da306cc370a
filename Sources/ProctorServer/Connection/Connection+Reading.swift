internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

extension Connection {
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

    func isReached(_ goal: Goal) -> Bool {
        if request.refusal != nil || request.isComplete { return true }
        switch goal {
        case .head: return request.head.map { $0.framing != .none } ?? false
        case .content(let count), .portion(let count): return request.contentByteCount >= count
        case .end, .endInPortions: return false
        }
    }

    /// Reads until the goal is reached; a refusal by the reader reaches every goal.
    func receive(_ goal: Goal) async throws(ConnectionEnd) {
        if case .endInPortions(let byteCount, let interval) = goal {
            return try await receivePortions(of: byteCount, every: interval)
        }
        // Events that wait in the reader need no bytes; between requests there are none.
        if request.head != nil { feed([UInt8]().span, until: goal) }
        while !isReached(goal) {
            if script != nil {
                try await receiveByScript(goal)
            } else if pendingStart < pending.count {
                feedPending(until: goal, upTo: allowance(before: goal))
            } else {
                try await readAndFeed(goal)
            }
        }
    }

    private func readAndFeed(_ goal: Goal) async throws(ConnectionEnd) {
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await socket.read(within: patience(), upTo: room(before: goal)) { bytes in
                let taken = feed(bytes, until: goal)
                // Only what is pipelined behind the goal has to be kept.
                if taken < bytes.count { keep(bytes.extracting(taken..<bytes.count)) }
            }
        } catch {
            if case .failed = error { wasReadToEnd = true }
            throw ConnectionEnd(error)
        }
        if isOpen == nil { try peerFinished() }
    }

    /// One turn under connection effects: plays what is due, then moves at most to the next position.
    private func receiveByScript(_ goal: Goal) async throws(ConnectionEnd) {
        if pendingStart == pending.count {
            try await readIntoPending(before: goal)
        }
        try await playScript()
        let allowance = script?.allowance(at: scriptPosition) ?? .max
        feedPending(until: goal, upTo: min(allowance, self.allowance(before: goal)))
    }

    /// Where the current request stands for connection effects.
    var scriptPosition: ConnectionScript.Position {
        guard let head = request.head else { return .head(requestByteCount) }
        return .body(requestByteCount - head.precedingByteCount - head.bytes.count)
    }

    /// What is due before a byte is played when that byte has come, so a peer that leaves between requests sees none.
    private func readIntoPending(before goal: Goal) async throws(ConnectionEnd) {
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await socket.read(within: patience(), upTo: room(before: goal)) { keep($0) }
        } catch {
            if case .failed = error { wasReadToEnd = true }
            throw ConnectionEnd(error)
        }
        if isOpen == nil { try peerFinished() }
    }

    /// How many of the bytes that are here the reader may see: content is not longer than its framing.
    private func allowance(before goal: Goal) -> Int {
        guard case .portion = goal else { return .max }
        return room(before: goal)
    }

    // MARK: Feeding

    private func feedPending(until goal: Goal, upTo limit: Int) {
        if requestByteCount == 0 { arrival.beginWithKept() }
        let bytes = pending
        let end = limit < bytes.count - pendingStart ? pendingStart + limit : bytes.count
        pendingStart += feed(bytes.span.extracting(pendingStart..<end), until: goal)
        if pendingStart == bytes.count {
            pending = []
            pendingStart = 0
        }
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
        requestByteCount += offset
        if request.head == nil, offset > 0, headDeadline == .max {
            let now = MonotonicClock.nanoseconds
            arrival.begin(at: now)
            headDeadline = now &+ bounds.head
        }
        return offset
    }

    func keep(_ bytes: Span<UInt8>) {
        arrival.didKeep(at: MonotonicClock.nanoseconds)
        pending.append(bytes)
    }

    /// Nanoseconds that the next wait for bytes may take.
    private func patience() -> UInt64 {
        if request.head != nil { return bounds.progress }
        guard headDeadline != .max else { return bounds.idle }
        let now = MonotonicClock.nanoseconds
        return headDeadline > now ? headDeadline - now : 0
    }

    /// The peer's FIN: fine between requests, otherwise something was cut.
    private func peerFinished() throws(ConnectionEnd) {
        wasReadToEnd = true
        // A head that began is told of where the connection ends.
        guard request.head != nil else { throw .peerClosed }
        while let event = reader.end() {
            switch event {
            case .violation(let violation), .refused(let violation): note(.violation(violation))
            case .head, .content, .chunk, .trailers, .end: break
            }
        }
        throw .peerClosed
    }
}
