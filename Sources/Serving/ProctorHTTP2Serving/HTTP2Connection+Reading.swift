internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorServing

/// How frames are read, and waited for.
extension HTTP2Connection {
    /// What a try to read leaves to do.
    private enum Next {
        case nothing
        /// Something has to come, until a moment of MonotonicClock in nanoseconds.
        case wait(until: UInt64)
        /// Something has to come, until that moment, and what was read already is taken behind other connections.
        case waitBehindOthers(until: UInt64, isNew: Bool)
        /// The layer or another task needs a turn first.
        case turn
        /// Nothing can come any more.
        case pause
    }

    /// Takes what has come, or waits until something comes.
    func readOnce() async {
        switch readAtOnce() {
        case .nothing: return
        case .wait(let deadline): await waitForInput(until: deadline)
        case .waitBehindOthers(let deadline, let isNew):
            await waitForInput(until: deadline, isBehind: true, isNew: isNew)
        case .turn: await giveTurn()
        case .pause: await waitWhilePeerStays()
        }
    }

    // Not inlined: what they hold would be in the frame of a connection that waits.

    @inline(never)
    private func readAtOnce() -> Next {
        guard !input.hasEnded else { return .pause }
        if input.isNew {
            input.isNew = false
            return .waitBehindOthers(until: patience, isNew: true)
        }
        do throws(SocketError) {
            switch try takeMore() {
            case .bytes:
                guard input.isTurnOver else { return .nothing }
                input.endTurn()
                return .waitBehindOthers(until: patience, isNew: false)
            case .nothing:
                input.didTakeAll()
                didReadAll()
                waitAmongOthers()
                return .wait(until: patience)
            case .end:
                inputEnded()
                return .nothing
            case .needsTurn: return .turn
            }
        } catch {
            didFail(error)
            return .nothing
        }
    }

    @inline(never)
    private func waitForInput(until deadline: UInt64, isBehind: Bool = false, isNew: Bool = false) async {
        do throws(SocketError) {
            try await socket.waitForInput(until: deadline, isBehind: isBehind, isNew: isNew) { self.takeWhatCame() }
        } catch {
            didFail(error)
        }
    }

    /// Behind FIN, while replies are under way.
    @inline(never)
    private func waitWhilePeerStays() async {
        do throws(ConnectionEnd) {
            try await connection.waitWhilePeerStays()
        } catch {
            close(with: error)
        }
    }

    /// The wait for input comes behind it, since ``wakeReader()`` ends no other: output may need a task meanwhile.
    @inline(never)
    private func giveTurn() async {
        do throws(SocketError) {
            try await socket.giveTurn(until: patience)
        } catch {
            didFail(error)
        }
    }

    private func didFail(_ error: SocketError) {
        guard error == .timedOut else { return close(with: ConnectionEnd(error)) }
        if MonotonicClock.nanoseconds >= input.settingsDeadline, !state.areSettingsAcknowledged {
            input.settingsDeadline = .max
            judge(HTTP2Violation(.settingsNotAcknowledged, at: input.reader.offset, frame: .settings, stream: 0))
        } else if MonotonicClock.nanoseconds >= waitingReplies.deadline {
            endOverdueReplies()
        } else {
            goAway(.noError)
            close(with: .timedOut)
        }
    }

    /// The client has sent FIN: what it asked before is answered, as far as that needs no more of it, and tunnels that
    /// it has not ended are lost.
    private func inputEnded() {
        input.hasEnded = true
        for stream in streams.values where stream.hasLeftHTTP && !stream.hasEnded {
            stream.close(with: .streamReset)
            streams[stream.id] = nil
        }
        waitingReplies.wantRoom = true
        wakeStreams()
    }

    /// Until when the next frame is waited for.
    private var patience: UInt64 {
        let idle = Socket.deadline(within: streams.isEmpty ? bounds.idle : .max)
        let end = min(idle, waitingReplies.deadline)
        return state.areSettingsAcknowledged ? end : min(end, input.settingsDeadline)
    }

    /// SETTINGS went out, which the client has to acknowledge.
    func expectAcknowledgement() { input.settingsDeadline = Socket.deadline(within: bounds.progress) }

    /// Reads and answers without the task, as far as no step waits.
    private func takeWhatCame() -> InputWait {
        input.beginTurn()
        do throws(SocketError) {
            while true {
                switch try takeMore() {
                case .bytes:
                    guard input.isTurnOver else { continue }
                    input.endTurn()
                    sendOut()
                    return needsTask || presentEnd != nil ? .ends : .goesOnLater(until: patience)
                case .nothing:
                    input.didTakeAll()
                    sendOut()
                    didReadAll()
                    waitAmongOthers()
                    return needsTask || presentEnd != nil ? .ends : .beginsAnew(until: patience)
                case .end:
                    inputEnded()
                    return .ends
                case .needsTurn: return .ends
                }
            }
        } catch {
            close(with: ConnectionEnd(error))
            return .ends
        }
    }

    /// Takes what is held of the last read, or reads.
    private func takeMore() throws(SocketError) -> ReadAtOnce {
        guard input.held.isEmpty else {
            let (held, moment) = input.takeHeld()
            readFrames(held.span, readAt: moment)
            return .bytes
        }
        return try socket.readAtOnce(upTo: input.readLimit) { didRead($0) }
    }

    func didRead(_ bytes: borrowing Span<UInt8>) {
        below.arrival.didRead(bytes.count)
        readFrames(bytes, readAt: MonotonicClock.nanoseconds)
    }

    /// Takes frames until the turn is over, and holds the rest.
    private func readFrames(_ bytes: borrowing Span<UInt8>, readAt moment: UInt64) {
        waiting.use(place)
        if moment &- input.floodsBegan > HTTP2Input.floodInterval {
            input.floodsBegan = moment
            state.clearFloods()
        }
        input.beginReading(at: moment)
        var position = 0
        while end == nil, !input.isTurnOver, let item = input.reader.next(bytes, at: &position) {
            switch item {
            case .preface: continue
            case .notHTTP2(let violation): judge(violation)
            case .frame(let frame): handleFrame(frame)
            }
            input.frameMoment = moment
        }
        noteRepeated()
        if position < bytes.count, end == nil {
            input.store(bytes.extracting(position..<bytes.count).array, readAt: moment)
        }
    }

    /// Nothing else has come so far.
    private func didReadAll() {
        if stopsWhenRead { stop() }
        guard below.arrival.hasWaiting, input.reader.isBetweenFrames, !socket.hasUnreadBytes else { return }
        below.arrival.didReadAll()
    }

    /// When the request began whose field block has ended.
    func takeArrival() -> RequestArrival {
        input.blockArrival.take() ?? below.arrival.takeStream(at: input.frameMoment, offset: 0)
    }

    private func handleFrame(_ frame: ReadFrame) {
        input.didTakeFrame(frame)
        let isData = frame.frame.type == .data
        // Its end may come later, in CONTINUATION.
        if frame.frame.type == .headers {
            input.blockArrival = below.arrival.takeStream(
                at: input.frameMoment, offset: frame.offset)
        }
        if !isData || streams[frame.frame.stream]?.isNoted(dataEndingStream: frame.frame.endsStream) != false {
            journalFrame(frame)
        }
        // Out of the property, so that its buffer has one owner and is used again.
        var events: [ConnectionEvent] = []
        swap(&events, &input.events)
        state.receive(frame, into: &events)
        // The connection's window is for all streams, so that one that is over, or whose content is not read, stops no
        // other (RFC 9113 §6.9).
        if isData, frame.payloadByteCount > 0, end == nil { credit(frame.payloadByteCount) }
        if events.count > 1 { events.reverse() }
        while let event = events.popLast() { if end == nil { handle(event, frame.frame.payload) } }
        writeNotes()
        // Of a stream that both sides have ended it is no event, but it ends what its reply still waits for.
        if frame.frame.type == .resetStream, !state.isOpen(frame.frame.stream) { didReset(frame.frame.stream) }
        swap(&events, &input.events)
    }
}
