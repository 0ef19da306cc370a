internal import ProctorBase
internal import ProctorHTTP
import ProctorJournal
internal import ProctorLoop

/// How the bytes of requests are read, within the server's bounds and with the origin's connection effects.
extension Connection {
    @inline(never)
    func readHeadAtOnce() throws(ConnectionEnd) -> ReadAtOnce {
        if hasEffects { return .needsTurn }
        if !input.buffer.isEmpty {
            input.takeKept(until: .head, upTo: .max)
            return .bytes
        }
        do throws(SocketError) {
            return try socket.readAtOnce(upTo: input.room(before: .head)) { input.read($0, until: .head) }
        } catch {
            throw connectionEnd(by: error)
        }
    }

    /// Reads until the goal is reached; a refusal by the reader also ends the call.
    package func read(until goal: RequestInput.Goal) async throws(ConnectionEnd) {
        input.takeWaitingEvents(until: goal)
        while !input.isReached(goal) {
            if hasEffects {
                try await receiveByScript(goal)
            } else if !input.buffer.isEmpty {
                input.takeKept(until: goal, upTo: .max)
            } else {
                try await read(before: goal) { input.read($0, until: goal) }
            }
        }
    }

    /// One step with connection effects: plays the effects that are due, then reads at most to the next position; an
    /// effect before a byte is played when that byte has come; a peer that leaves between requests sees none.
    private func receiveByScript(_ goal: RequestInput.Goal) async throws(ConnectionEnd) {
        if input.buffer.isEmpty { try await read(before: goal) { input.store($0) } }
        try await playEffects(at: input.scriptPosition)
        input.takeKept(until: goal, upTo: effects?.allowance(at: input.scriptPosition) ?? .max)
    }

    private func read(
        before goal: RequestInput.Goal, _ take: (Span<UInt8>) -> Void
    ) async throws(ConnectionEnd) {
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await socket.read(within: input.patience(), upTo: input.room(before: goal), take)
        } catch {
            throw connectionEnd(by: error)
        }
        if isOpen == nil { try endOfInput() }
    }

    func connectionEnd(by error: SocketError) -> ConnectionEnd {
        if case .failed = error { input.wasReadToEnd = true }
        return ConnectionEnd(error)
    }

    func endOfInput() throws(ConnectionEnd) -> Never {
        // FIN is correct between requests. An unfinished head is noted when the connection ends.
        input.wasReadToEnd = true
        if input.request.head != nil {
            for violation in input.violationsAtEnd() { journals.append(.violation(violation)) }
        }
        throw .peerClosed
    }

    /// Waits for bytes without reading them into the request; `limit` nanoseconds of silence or FIN end the
    /// connection.
    package func awaitBytes(within limit: UInt64) async throws(ConnectionEnd) {
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await socket.read(within: limit) { input.store($0) }
        } catch {
            throw ConnectionEnd(error)
        }
        if isOpen == nil { throw .peerClosed }
    }

    /// Waits, after a reply, and returns whether the next bytes are another request in place of the content.
    ///
    /// `note` is called when they are, or when the client leaves or stays silent; the reader then expects a new
    /// request.
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
                    // Bytes that only began like a request are content.
                    if !input.buffer.isEmpty { return false }
                    note()
                    throw error
                }
            }
        }
    }
}
