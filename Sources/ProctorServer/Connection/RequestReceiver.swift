internal import ProctorBase
internal import ProctorHTTP
import ProctorJournal
internal import ProctorLoop

/// Waits for the bytes of requests, within the server's bounds and under the origin's connection effects.
///
/// On the loop's thread only.
final class RequestReceiver {
    private let socket: Socket
    private let bounds: ConnectionBounds
    private let input: RequestInput
    private let effects: ConnectionEffects
    private let journals: ConnectionJournals

    init(
        socket: Socket, bounds: ConnectionBounds, input: RequestInput, effects: ConnectionEffects,
        journals: ConnectionJournals
    ) {
        self.socket = socket
        self.bounds = bounds
        self.input = input
        self.effects = effects
        self.journals = journals
    }

    /// Reads until the goal is reached; a refusal by the reader reaches every goal.
    func receive(_ goal: RequestInput.Goal) async throws(ConnectionEnd) {
        if case .endInPortions(let byteCount, let interval) = goal {
            return try await receivePortions(of: byteCount, every: interval)
        }
        input.takeWaitingEvents(until: goal)
        while !input.isReached(goal) {
            if effects.hasScript {
                try await receiveByScript(goal)
            } else if !input.buffer.isEmpty {
                input.takeKept(until: goal, upTo: .max)
            } else {
                try await read(before: goal) { input.take($0, until: goal) }
            }
        }
    }

    /// One turn under connection effects: plays what is due, then moves at most to the next position.
    ///
    /// What is due before a byte is played when that byte has come, so a peer that leaves between requests sees none.
    private func receiveByScript(_ goal: RequestInput.Goal) async throws(ConnectionEnd) {
        if input.buffer.isEmpty { try await read(before: goal) { input.keep($0) } }
        try await effects.play(at: input.scriptPosition)
        input.takeKept(until: goal, upTo: effects.allowance(at: input.scriptPosition))
    }

    private func read(
        before goal: RequestInput.Goal, _ take: (Span<UInt8>) -> Void
    ) async throws(ConnectionEnd) {
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await socket.read(within: input.patience(), upTo: input.room(before: goal), take)
        } catch {
            if case .failed = error { input.wasReadToEnd = true }
            throw ConnectionEnd(error)
        }
        guard isOpen == nil else { return }
        // FIN is in order between requests. A head that began is told of where the connection ends.
        input.wasReadToEnd = true
        if input.request.head != nil {
            for violation in input.violationsAtEnd() { journals.note(.violation(violation)) }
        }
        throw .peerClosed
    }

    /// Reads the content so many bytes at a time; what has not had its moment stays with the system and shuts the
    /// peer's window.
    private func receivePortions(of byteCount: Int, every interval: Duration) async throws(ConnectionEnd) {
        let step = interval.wholeNanoseconds
        var moment = MonotonicClock.nanoseconds
        var goal = 0
        while !input.isReached(.end) {
            goal = goal.addingReportingOverflow(byteCount).overflow ? .max : goal + byteCount
            try await receive(.portion(goal))
            guard !input.isReached(.end) else { return }
            // A peer that was late is not read faster for it.
            moment = max(moment &+ step, MonotonicClock.nanoseconds)
            guard await socket.loop.sleep(until: moment) else { throw .stopped }
        }
    }

    /// Waits for bytes, which are kept and not read yet; silence for `limit` nanoseconds and the peer's FIN end the
    /// connection.
    func awaitBytes(within limit: UInt64) async throws(ConnectionEnd) {
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await socket.read(within: limit) { input.keep($0) }
        } catch {
            throw ConnectionEnd(error)
        }
        if isOpen == nil { throw .peerClosed }
    }

    /// Waits, behind a reply, for what comes next, and tells whether it is another request in place of the content.
    ///
    /// The reader then stands before that request, and `note` is called, which it is for the client's end and for its
    /// silence too.
    func isContentWithheld(_ note: () -> Void) async throws(ConnectionEnd) -> Bool {
        let method = input.request.head?.methodBytes ?? []
        while true {
            switch RequestStart.finding(input.buffer.unread, after: method) {
            case .other: return false
            case .request:
                note()
                input.readNextInPlaceOfContent()
                return true
            case .undecided:
                do throws(ConnectionEnd) {
                    input.request.isAwaited = true
                    defer { input.request.isAwaited = false }
                    try await awaitBytes(within: bounds.idle)
                } catch {
                    // What began like a request and is none has come as content.
                    if !input.buffer.isEmpty { return false }
                    note()
                    throw error
                }
            }
        }
    }
}
