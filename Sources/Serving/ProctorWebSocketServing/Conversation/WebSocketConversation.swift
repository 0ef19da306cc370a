internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing
internal import ProctorWebSocket

/// The turns of a WebSocket behind its opening handshake, on a connection or on a stream of HTTP/2; on the loop's thread
/// only.
///
/// Pings and the Close of the client are answered while a turn reads, unless the script says otherwise. A frame that
/// departs from the specification ends the conversation by the Close that it demands.
///
/// All that does not wait is done by ``next()``, also where bytes come while the task waits; what waits, apart from that
/// for the client, has a task of its own, so that a WebSocket that waits holds no frames of it.
final class WebSocketConversation: HeldWebSocket {
    private let turns: [WebSocketTurn]
    private let answersPings: Bool
    private let answersClose: Bool
    private let isStrict: Bool
    let wire: any ConversationWire
    /// Bytes that came and were not taken; held, since each message asks for it.
    let received: RequestInput
    let log: RequestLog
    /// nil where the bytes alone are played.
    private let player: ReplyPlayer?
    let input: WebSocketInput
    let output: WebSocketOutput
    /// What is to go out.
    var written = WebSocketOutput.Written()
    /// Bytes of it that went out.
    var sentByteCount = 0
    var phase = Phase.turn
    /// The present turn.
    private var index: Int
    /// For the scripts of turns; nil where no turn is one.
    private let request: ConversationRequest?
    /// The script of the present turn.
    var running: TurnScript?
    /// Messages that are still sent back.
    private var echoCount = 0
    /// What must still come.
    private var expected: [WebSocketExpectation] = []
    /// When the present wait for the client is too long; nil before it has begun.
    var deadline: UInt64?
    /// What the task is to do; nil: to find that out.
    private var outcome: Result<Step, ConnectionEnd>?
    /// How the conversation ends when everything has gone out; nil: it goes on.
    private var ending: ConnectionEnd?
    var hasSentClose = false
    /// Whether something waits apart from the client.
    private(set) var isApart = false
    /// Whether a frame was sent that does not end where its head says, or bytes that are no frame.
    private(set) var isWithinFrame = false
    /// Whether nothing could be done without more bytes when the last step ended.
    private var isDrained = false
    /// Whether the Close was sent because the server stops.
    private(set) var isLeaving = false

    /// `lead` was sent, with the head of the reply.
    init(
        _ script: WebSocketScript, on wire: any ConversationWire, _ log: RequestLog, by player: ReplyPlayer?,
        behind lead: WebSocketLead, for request: ConversationRequest?
    ) {
        (self.player, self.request) = (player, request)
        output = lead.output
        index = lead.turnCount
        turns = script.turns
        (answersPings, answersClose, isStrict) = (script.answersPings, script.answersClose, script.isStrict)
        (self.wire, self.log, received) = (wire, log, wire.input)
        input = WebSocketInput(script, wire.bounds.usage, keeping: wire.bounds.keptBodyByteCount)
        log.append(
            .webSocket(
                WebSocketNote(
                    .opened(
                        protocolName: script.agreement?.protocolName, extensions: script.agreement?.extensions ?? []))))
        noteSent(lead.written.notes)
        for turn in script.turns.prefix(lead.turnCount) { noteTurn(turn) }
    }

    /// Plays the turns, then reads until the client leaves; returns how the connection ends.
    func run() async -> ConnectionEnd {
        while true {
            do throws(ConnectionEnd) {
                if try isToWait() {
                    try await wire.awaitInput(until: waitDeadline()) { self.answerInput() }
                } else {
                    try await performOutcome()
                }
            } catch {
                if let end = connectionEnd(by: error) { return end }
            }
        }
    }

    // Steps are never inlined into `run`, in whose frame a WebSocket waits for most of its life.

    /// False where something else than bytes of the client is to be waited for, which is the ``outcome`` then.
    @inline(never)
    private func isToWait() throws(ConnectionEnd) -> Bool {
        let step = try next()
        if case .wait = step { return true }
        outcome = .success(step)
        return false
    }

    @inline(never)
    private func performOutcome() async throws(ConnectionEnd) {
        switch try outcome.take()?.get() {
        case .giveTurn: try await wire.giveTurn(until: waitDeadline())
        case .yield: await wire.loop.yieldToOthers()
        case .apart(let rest):
            let part = ConversationPart(rest)
            isApart = true
            await part.run(on: wire.loop)
            try part.requireSuccess()
            isApart = false
        case .wait, nil: break
        }
    }

    /// How the connection ends; nil where a script goes on.
    @inline(never)
    private func connectionEnd(by error: ConnectionEnd) -> ConnectionEnd? {
        isApart = false
        if case .timedOut = error, endScriptsWait() { return nil }
        conclude(error)
        if isLeaving, case .timedOut = error { return unansweredEnd }
        return error
    }

    /// Whether bytes go out without a player.
    var sendsAtOnce: Bool { player?.isPlain != false && wire.isWritable }

    /// Sends bytes with the pace and the cuts of the reply.
    func sendByPlayer(_ bytes: [UInt8], from start: Int) async throws(ConnectionEnd) {
        do throws(ConnectionEnd) {
            try await wire.sendBytes(bytes, from: start, by: player)
        } catch {
            try await readWhatCame(before: error)
        }
    }

    // MARK: Steps

    /// Goes on with bytes that came while the task waits for them.
    private func answerInput() -> InputWait {
        do throws(ConnectionEnd) {
            let step = try next()
            switch step {
            case .wait: return .beginsAnew(until: waitDeadline())
            case .yield: return .goesOnLater(until: waitDeadline())
            case .giveTurn where !wire.hasTurn: return .goesOnLater(until: waitDeadline())
            case .giveTurn, .apart: outcome = .success(step)
            }
        } catch {
            outcome = .failure(error)
        }
        return .ends
    }

    /// Goes on as far as nothing waits.
    @inline(never)
    private func next() throws(ConnectionEnd) -> Step {
        if let outcome = outcome.take() { return try outcome.get() }
        input.beginTurn()
        // Most turns begin where everything that came before was read.
        let hasNothingKept = isDrained && received.buffer.isEmpty && !wire.isStopping && running == nil
        isDrained = false
        var step: Step = hasNothingKept ? .wait : try advanceByKept()
        while case .wait = step {
            var result: Result<Step, ConnectionEnd> = .success(.wait)
            let read = try wire.readAtOnce { bytes in
                var position = 0
                do throws(ConnectionEnd) {
                    result = .success(try self.advance(by: bytes, at: &position))
                } catch {
                    result = .failure(error)
                }
                if position < bytes.count { self.received.store(bytes.extracting(position..<bytes.count)) }
            }
            switch read {
            case .bytes: step = try result.get()
            case .nothing:
                if let deadline, MonotonicClock.nanoseconds >= deadline { throw .timedOut }
                isDrained = true
                return .wait
            case .end: throw .peerClosed
            case .needsTurn: return .giveTurn
            }
        }
        return step
    }

    /// Goes on with bytes that were read before, as far as nothing waits.
    private func advanceByKept() throws(ConnectionEnd) -> Step {
        let buffer = received.buffer
        var position = 0
        defer { received.consumeKept(position) }
        let bytes = buffer.bytes
        return try advance(by: bytes.span.extracting(buffer.start..<bytes.count), at: &position)
    }

    /// Plays turns, and reads what they ask for, up to the end of the bytes.
    private func advance(by bytes: Span<UInt8>, at position: inout Int) throws(ConnectionEnd) -> Step {
        while true {
            if let step = flushBeyondBound() { return step }
            if let ending {
                if let step = flush() { return step }
                throw ending
            }
            if phase == .turn {
                if let step = try beginTurn() { return step }
                continue
            }
            if let script = running {
                if phase != .scripting { answerByWhatIsKept(script) }
                if phase == .scripting {
                    if let step = try playStep(of: script) { return step }
                    continue
                }
                if phase == .pausing, script.isFull, let deadline { return waitWithoutReading(until: deadline) }
            }
            if isOver {
                if phase == .resting { throw .serverCloses }
                endTurn()
                continue
            }
            let (taken, result) = input.read(bytes.extracting(position..<bytes.count))
            position += taken
            input.takeNotes { log.append(.webSocket(WebSocketNote(.frame($0)))) }
            switch result {
            case .arrival(let arrival)?:
                if let step = try accept(arrival) { return step }
            case .whole(let note, let content, let isText)?:
                log.append(.webSocket(WebSocketNote(.frame(note))))
                if let step = try accept(.message(content, isText: isText)) { return step }
            case .violation(let violation)?: judge(violation)
            case .bound(let code, let sentence)?: fail(code, sentence, got: sentence)
            case .turnIsOver?: return flush() ?? .yield
            case nil:
                if let step = flush() { return step }
                guard wire.isStopping, mayRest, sendGoingAway() else { return .wait }
            }
        }
    }

    /// Whether nothing more is read in the present phase; behind both Closes the server ends the connection first
    /// (RFC 6455 §7.1.1).
    private var isOver: Bool {
        switch phase {
        case .turn, .scripting, .receiving, .listening, .pausing: false
        case .expecting: expected.isEmpty
        case .echoing: echoCount == 0 || input.hasClosed
        case .resting: hasSentClose && input.hasClosed
        }
    }

    /// The next turn; nil where the phase says how it goes on.
    private func beginTurn() throws(ConnectionEnd) -> Step? {
        guard index < turns.count else {
            if let step = flush() { return step }
            if wire.isHalfClosed {
                return .apart { () async throws(ConnectionEnd) in
                    try await self.wire.awaitPeerAfterHalfClose()
                    throw .serverEnded(.closed)
                }
            }
            received.isAtRest = true
            phase = .resting
            return nil
        }
        let turn = turns[index]
        switch turn {
        case .effect(let action):
            if let step = flush() { return step }
            noteTurn(turn)
            let place = index
            endTurn()
            return .apart { () async throws(ConnectionEnd) in try await self.perform(action, at: "turn \(place)") }
        case .send, .control, .close, .frame:
            if let step = flushBeforeLong() { return step }
            noteTurn(turn)
            endTurn()
            if case .send(let message) = turn {
                let content = try message.content.readBytes()
                if output.isDeflatedInTurns(message, content) { return sendApart(message, content) }
                try output.append(message, content: content, to: &written)
            } else {
                _ = try output.appendTurn(turn, to: &written)
            }
            return sendsAtOnce ? nil : flush()
        case .expect(let expectations, let limit):
            expected = expectations
            deadline = Socket.deadline(within: limit?.wholeNanoseconds ?? wire.bounds.await)
            phase = .expecting
        case .echo(let count):
            echoCount = count ?? .max
            // It may last for ever, so a server that stops does not wait for it.
            if count == nil { received.isAtRest = true }
            phase = .echoing
        case .script(let script):
            guard let begun = request.flatMap({ TurnScript(script, of: $0, log) }) else {
                throw .sourceFailed("the scenario has no scripts")
            }
            running = begun
            phase = .scripting
        }
        return nil
    }

    func endTurn() {
        index += 1
        phase = .turn
        deadline = nil
    }

    /// What a turn that sends makes of the connection.
    private func noteTurn(_ turn: WebSocketTurn) {
        switch turn {
        case .close: hasSentClose = true
        case .frame(let template):
            if template.frame.opcode == .close { hasSentClose = true }
            isWithinFrame = isWithinFrame || template.frame.departures != WebSocketFrame.Departures()
        case .effect(.send): isWithinFrame = true
        default: break
        }
    }

    func perform(_ action: Effect.Action, at place: String) async throws(ConnectionEnd) {
        log.append(.effectPlayed(action.row.played(at: place)))
        do throws(ConnectionEnd) {
            if let player { try await wire.perform(action, by: player) }
        } catch {
            try await readWhatCame(before: error)
        }
        wire.flush()
    }

    // MARK: Waiting

    private func waitDeadline() -> UInt64 {
        if let deadline { return deadline }
        let limit =
            isLeaving
            ? wire.bounds.linger
            : (phase == .resting || phase == .listening) && hasSentClose ? wire.bounds.await : wire.bounds.idle
        let new = Socket.deadline(within: limit)
        deadline = new
        return new
    }

    /// Notes what the end means for the present turn.
    private func conclude(_ end: ConnectionEnd) {
        running.take()?.finish(after: end)
        if phase == .expecting, !expected.isEmpty, ending == nil {
            let wanted = wantedWords
            switch end {
            case .timedOut: noteExpected(.timedOut, wanted, got: "nothing in time")
            case .peerClosed, .peerReset, .streamReset:
                noteExpected(.ended, wanted, got: "the end of the connection")
            default: break
            }
        }
        if end.isOfPeer, let violation = input.finish() { noteViolation(violation, code: nil) }
    }

    // MARK: Receiving

    /// Answers what has come, as the script permits, and does what the present turn does with it.
    private func accept(_ arrival: WebSocketArrival) throws(ConnectionEnd) -> Step? {
        if !phase.hasOwnLimit { deadline = nil }
        if !hasSentClose, !wire.isHalfClosed {
            switch arrival {
            case .control(.ping, let payload) where answersPings:
                output.append(WebSocketFrame(.pong, payload: payload), to: &written)
            // A receiver "typically echoes the status code" (RFC 6455 §5.5.1).
            case .close(let code, _) where answersClose: sendClose(code)
            default: break
            }
        }
        switch phase {
        case .expecting: try compare(arrival)
        case .echoing:
            guard case .message(let content, let isText) = arrival else { break }
            echoCount -= 1
            let message = WebSocketMessage(.literal([]), isText: isText)
            if output.isDeflatedInTurns(message, content) { return sendApart(message, content) }
            try output.append(message, content: content, to: &written)
            return sendsAtOnce && written.tail.isEmpty ? nil : flush()
        case .receiving, .listening, .pausing: giveToScript(arrival)
        case .turn, .scripting, .resting: break
        }
        if written.tail.isEmpty { input.releaseMessage() }
        return sendsAtOnce ? nil : flush()
    }

    private func compare(_ arrival: WebSocketArrival) throws(ConnectionEnd) {
        if let place = try expected.firstMatch(arrival) {
            noteExpected(.met, expected[place].words, got: nil)
            expected.remove(at: place)
        } else if !arrival.mayStandBetween {
            fail(
                .policyViolation, "this was not expected", got: arrival.words + expected.differences(of: arrival))
        }
    }

    private var wantedWords: String { expected.map(\.words).joined(separator: " or ") }

    private func noteExpected(_ outcome: ExpectedBytes.Outcome, _ wanted: String, got: String?) {
        log.append(.webSocket(WebSocketNote(.expected(WebSocketExpectedNote(outcome, wanted: wanted, got: got)))))
    }

    private func judge(_ violation: WebSocketViolation) {
        let code = isStrict ? violation.closeCode : nil
        if code != nil, let frame = input.takeLastNote() { log.append(.webSocket(WebSocketNote(.frame(frame)))) }
        noteViolation(violation, code: code)
        if let code { fail(code, violation.kind.rawValue, got: "a frame that is wrong") }
    }

    func noteViolation(_ violation: WebSocketViolation, code: CloseCode?) {
        log.append(.webSocket(WebSocketNote(violation, code: code)))
    }

    /// Fails the connection (RFC 6455 §7.1.7); `got` came in place of what is expected, where something is.
    func fail(_ code: CloseCode, _ reason: String, got: String) {
        if phase == .expecting, !expected.isEmpty { noteExpected(.differed, wantedWords, got: got) }
        if !hasSentClose, !wire.isHalfClosed { sendClose(code, reason: Array(reason.utf8.prefix(123))) }
        ending = .serverCloses
        input.dropMessage()
    }

    // MARK: Sending

    func sendClose(_ code: CloseCode?, reason: [UInt8] = []) {
        hasSentClose = true
        output.append(.close(code, reason: reason), to: &written)
    }

    /// For a message that is deflated in several turns of the loop.
    func sendApart(_ message: WebSocketMessage, _ content: [UInt8]) -> Step {
        .apart { () async throws(ConnectionEnd) in
            try await self.flushApart()
            var more = WebSocketOutput.Written()
            try await self.output.appendInTurns(message, content: content, to: &more, of: self.wire.loop)
            self.written = more
            try await self.flushApart()
        }
    }

    /// The server stops: sends the Close that says so (RFC 6455 §7.4.1), where that is possible between two frames and
    /// without a wait, and then waits for the client's; false where it isn't, or where a Close was sent or came.
    package func sendGoingAway() -> Bool {
        guard !isApart, !hasSentClose, !input.hasClosed, !isWithinFrame, !wire.isHalfClosed, written.byteCount == 0,
            ending == nil, sendsAtOnce
        else { return false }
        sendClose(.goingAway)
        isLeaving = true
        phase = .resting
        deadline = nil
        if flush() != nil {
            // The client reads nothing, so that it can't be told.
            written = WebSocketOutput.Written()
            ending = unansweredEnd
        }
        wire.endWaits()
        return true
    }

    /// The connection stops, or the stream is reset: nothing more is waited for.
    private var unansweredEnd: ConnectionEnd { wire.isStream ? .timedOut : .stopped }

    /// Whether no turn is left that the server has to play.
    var mayRest: Bool { phase == .resting || phase == .listening || phase == .echoing && echoCount > Int.max / 2 }
}
