internal import ProctorBase
internal import ProctorHTTP
import ProctorJournal
internal import ProctorLoop

/// Waits for the bytes of requests, within the server's bounds and with the origin's connection effects; on the loop's
/// thread only.
final class RequestReceiver {
    private let output: ConnectionOutput
    private let input: RequestInput
    private let effects: ConnectionEffectPlayer
    private let journals: ConnectionJournals
    /// Whether the last wait for a head ended with an answer.
    private var wasAnswered = false

    init(
        output: ConnectionOutput, input: RequestInput, effects: ConnectionEffectPlayer, journals: ConnectionJournals
    ) {
        self.output = output
        self.input = input
        self.effects = effects
        self.journals = journals
    }

    private var socket: Socket { output.socket }
    private var bounds: ConnectionBounds { output.bounds }

    /// Reads until the head is complete, with the smallest frames: idle connections wait in here.
    ///
    /// While it waits, `answer` gets what comes, and may answer it; where it returns nil, so does the call at once.
    func receiveHead(_ answer: @escaping () -> InputWait?) async throws(ConnectionEnd) {
        var deadline: UInt64?
        while !input.isReached(.head) {
            switch try readHeadAtOnce() {
            case .bytes: deadline = nil
            case .nothing:
                // A peer that sends only records without plaintext does not extend the wait.
                let end = deadline ?? Socket.deadline(within: input.patience())
                deadline = end
                if try await waitForInput(until: end, answer) { return }
            case .end: try endOfInput()
            case .needsTurn: return try await receive(.head)
            }
        }
    }

    /// True where the answer has ended the wait.
    private func waitForInput(
        until end: UInt64, _ answer: @escaping () -> InputWait?
    ) async throws(ConnectionEnd) -> Bool {
        wasAnswered = false
        do throws(SocketError) {
            try await socket.waitForInput(until: end) {
                let wait = answer()
                self.wasAnswered = wait == nil
                return wait ?? .ends
            }
        } catch {
            throw connectionEnd(by: error)
        }
        return wasAnswered
    }

    @inline(never)
    func readHeadAtOnce() throws(ConnectionEnd) -> ReadAtOnce {
        if effects.hasScript { return .needsTurn }
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
    func receive(_ goal: RequestInput.Goal) async throws(ConnectionEnd) {
        input.takeWaitingEvents(until: goal)
        while !input.isReached(goal) {
            if effects.hasScript {
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
        try await effects.playEffects(at: input.scriptPosition)
        input.takeKept(until: goal, upTo: effects.allowance(at: input.scriptPosition))
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

    private func connectionEnd(by error: SocketError) -> ConnectionEnd {
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
    func awaitBytes(within limit: UInt64) async throws(ConnectionEnd) {
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
