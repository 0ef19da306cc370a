internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorWebSocket

/// The turns of a WebSocket behind its opening handshake, on a connection or on a stream of HTTP/2; on the loop's thread
/// only.
///
/// Pings and the Close of the client are answered while a turn reads, unless the script says otherwise. A frame that
/// departs from the specification ends the conversation by the Close that it demands.
final class WebSocketConversation<Carrier: Wire> {
    private let script: WebSocketScript
    private let wire: Carrier
    private let log: RequestLog
    private var player: Player<Carrier>
    private var input: WebSocketInput
    private let lead: WebSocketLead
    private var output: WebSocketOutput { lead.output }
    private var hasSentClose = false

    /// `lead` was sent, with the head of the reply.
    init(
        _ script: WebSocketScript, on wire: Carrier, _ log: RequestLog, by player: Player<Carrier>,
        behind lead: WebSocketLead
    ) {
        self.lead = lead
        self.script = script
        self.wire = wire
        self.log = log
        self.player = player
        input = WebSocketInput(script, keeping: wire.bounds.keptBodyByteCount)
        log.append(
            .webSocket(
                WebSocketNote(
                    .opened(
                        protocolName: script.agreement?.protocolName, extensions: script.agreement?.extensions ?? []))))
        noteSent(lead.written)
    }

    /// Plays the turns, then reads until the client leaves.
    func run() async throws(ConnectionEnd) -> Never {
        do throws(ConnectionEnd) {
            for (index, turn) in script.turns.enumerated().dropFirst(lead.turnCount) {
                try await perform(turn, at: index)
            }
            if wire.isHalfClosed {
                try await wire.awaitPeerAfterHalfClose()
                throw .serverEnded(.closed)
            }
            wire.comeToRest()
            // Behind both Closes the server ends the connection first (RFC 6455 §7.1.1).
            while !(hasSentClose && input.hasClosed) {
                _ = try await nextArrival(within: hasSentClose ? wire.bounds.await : wire.bounds.idle)
            }
            throw .serverCloses
        } catch {
            if error.isOfPeer, let violation = input.finish() { noteViolation(violation, code: nil) }
            throw error
        }
    }

    private func perform(_ turn: WebSocketTurn, at index: Int) async throws(ConnectionEnd) {
        switch turn {
        case .effect(let action):
            log.append(.effectPlayed(action.row.played(at: "turn \(index)")))
            do throws(ConnectionEnd) {
                try await player.perform(action)
            } catch {
                // What the client has sent before it left is read at once, up to its end.
                while error.isOfPeer { _ = try await nextArrival(within: wire.bounds.idle) }
                throw error
            }
            wire.flush()
        case .send, .control, .close, .frame:
            guard let written = try output.written(for: turn) else { return }
            if case .close = turn { hasSentClose = true }
            try await send(written)
        case .expect(let expectations, let limit): try await expect(expectations, within: limit)
        case .echo(let count): try await echo(count)
        }
    }

    // MARK: Sending

    private func send(_ written: WebSocketOutput.Written) async throws(ConnectionEnd) {
        try await player.sendBehindReply(written.bytes)
        noteSent(written)
    }

    private func noteSent(_ written: WebSocketOutput.Written) {
        for frame in written.notes { log.append(.webSocket(WebSocketNote(.frame(frame)))) }
    }

    private func sendClose(_ code: CloseCode?, reason: [UInt8] = []) async throws(ConnectionEnd) {
        hasSentClose = true
        try await send(output.single(.close(code, reason: reason)))
    }

    // MARK: Receiving

    /// What comes next and was not answered by itself; answers Pings and the Close as the script permits.
    private func nextArrival(within limit: UInt64) async throws(ConnectionEnd) -> WebSocketArrival {
        let deadline = Socket.deadline(within: limit)
        while true {
            let buffer = wire.input.buffer
            let count = buffer.unread.count
            let (taken, found) = input.read(buffer.bytes.span.extracting(buffer.start..<buffer.start + count))
            wire.input.consumeKept(taken)
            for frame in input.takeNotes() { log.append(.webSocket(WebSocketNote(.frame(frame)))) }
            switch found {
            case .arrival(let arrival)?:
                try await reply(to: arrival)
                return arrival
            case .violation(let violation)?: try await judge(violation)
            case .bound(let sentence)?: try await fail(.policyViolation, sentence)
            case nil:
                let now = MonotonicClock.nanoseconds
                guard now < deadline else { throw .timedOut }
                try await wire.awaitBytes(within: deadline - now)
            }
        }
    }

    private func reply(to arrival: WebSocketArrival) async throws(ConnectionEnd) {
        guard !hasSentClose, !wire.isHalfClosed else { return }
        switch arrival {
        case .control(.ping, let payload) where script.answersPings:
            try await send(output.single(WebSocketFrame(.pong, payload: payload)))
        // A receiver "typically echoes the status code" (RFC 6455 §5.5.1).
        case .close(let code, _) where script.answersClose: try await sendClose(code)
        default: break
        }
    }

    private func judge(_ violation: WebSocketViolation) async throws(ConnectionEnd) {
        let code = script.isStrict ? violation.closeCode : nil
        if code != nil, let frame = input.takeLastNote() { log.append(.webSocket(WebSocketNote(.frame(frame)))) }
        noteViolation(violation, code: code)
        if let code { try await fail(code, violation.kind.rawValue) }
    }

    private func noteViolation(_ violation: WebSocketViolation, code: CloseCode?) {
        log.append(.webSocket(WebSocketNote(violation, code: code)))
    }

    /// Fails the connection (RFC 6455 §7.1.7).
    private func fail(_ code: CloseCode, _ reason: String) async throws(ConnectionEnd) -> Never {
        if !hasSentClose, !wire.isHalfClosed { try await sendClose(code, reason: Array(reason.utf8.prefix(123))) }
        throw .serverCloses
    }

    // MARK: Expecting

    private func expect(
        _ expectations: [WebSocketExpectation], within limit: Duration?
    ) async throws(ConnectionEnd) {
        let deadline = Socket.deadline(within: limit?.wholeNanoseconds ?? wire.bounds.await)
        var open = expectations
        while !open.isEmpty {
            let wanted = open.map(\.words).joined(separator: " or ")
            let arrival: WebSocketArrival
            do throws(ConnectionEnd) {
                let now = MonotonicClock.nanoseconds
                guard now < deadline else { throw .timedOut }
                arrival = try await nextArrival(within: deadline - now)
            } catch {
                switch error {
                case .timedOut: noteExpected(.timedOut, wanted, got: "nothing in time")
                case .peerClosed, .peerReset, .streamReset:
                    noteExpected(.ended, wanted, got: "the end of the connection")
                case .serverCloses: noteExpected(.differed, wanted, got: "a frame that is wrong")
                default: break
                }
                throw error
            }
            if let index = try open.firstMatch(arrival) {
                noteExpected(.met, open[index].words, got: nil)
                open.remove(at: index)
            } else if !arrival.mayStandBetween {
                noteExpected(.differed, wanted, got: arrival.words)
                try await fail(.policyViolation, "this was not expected")
            }
        }
    }

    private func noteExpected(_ outcome: ExpectedBytes.Outcome, _ wanted: String, got: String?) {
        log.append(.webSocket(WebSocketNote(.expected(WebSocketExpectedNote(outcome, wanted: wanted, got: got)))))
    }

    /// Sends messages back as they came, until there were `count`, or the Close.
    private func echo(_ count: Int?) async throws(ConnectionEnd) {
        var rest = count ?? .max
        // It may last for ever, so a server that stops does not wait for it.
        if count == nil { wire.comeToRest() }
        while rest > 0, !input.hasClosed {
            guard case .message(let content, let isText) = try await nextArrival(within: wire.bounds.idle) else {
                continue
            }
            try await send(output.frames(of: WebSocketMessage(.literal([]), isText: isText), content: content))
            rest -= 1
        }
    }
}
