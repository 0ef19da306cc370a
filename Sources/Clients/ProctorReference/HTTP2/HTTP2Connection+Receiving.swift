internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorLoop

/// Handles the frames that the server sends.
extension HTTP2Connection {
    func readFrames(_ bytes: borrowing Span<UInt8>) {
        // As a frame, its first bytes would be the header of a long one.
        if state.reader.offset == 0, bytes.count >= Self.startOfHTTP1.count,
            Self.startOfHTTP1.indices.allSatisfy({ bytes[$0] == Self.startOfHTTP1[$0] })
        {
            return lose(.notHTTP2)
        }
        var position = 0
        while !isClosed, let item = state.reader.next(bytes, at: &position) {
            guard case .frame(let frame) = item else { continue }
            state.events.removeAll(keepingCapacity: true)
            state.frames.receive(frame, into: &state.events)
            let events = state.events
            for event in events where !isClosed { handle(event, frame.frame.payload) }
            // The violation at the end of a stream is handled first, since the stream is removed by it.
            if let ended = state.endedStream.take() { stream(ended)?.complete() }
        }
        if !isClosed { creditConnection() }
    }

    private static let startOfHTTP1 = Array("HTTP/1.".utf8)

    /// `payload` is that of the frame; some events have a range of it.
    private func handle(_ event: ConnectionEvent, _ payload: [UInt8]) {
        switch event {
        case .head(let number, let block): receiveHead(block, on: number)
        case .data(let number, let range, let flow, let endsStream):
            guard let stream = stream(number) else { return }
            // Padding counts towards the window, but the transfer does not receive it.
            if flow > range.count, fault != .forgetsPadding { stream.credit(flow - range.count) }
            if !range.isEmpty { stream.receiveContent(payload[range]) }
            if endsStream { state.endedStream = number }
        case .trailers(let number, let block):
            stream(number)?.receiveTrailers(block.section.fields)
            if block.endsStream { state.endedStream = number }
        case .reset(let number, let code): didReset(number, code)
        case .settings(let settings): receiveSettings(settings)
        case .ping(let opaque): if fault != .noPingAcknowledgement { send(.ping(opaque, isAck: true)) }
        case .goAway(let last, let code, let debug): takeGoAway(last, code, Array(payload[debug]))
        case .window(let number, _):
            if number == 0 { wakeSenders() } else { stream(number)?.roomHasGrown() }
        // This client's SETTINGS disable push; the server may have sent one before it received them.
        case .push(_, let promised, _): if fault != .takesPush { send(.resetStream(promised, .refusedStream)) }
        case .violation(let violation): judge(violation)
        case .pingAcknowledged(let opaque):
            if fault == .answersPingAcknowledgements { send(.ping(opaque, isAck: true)) }
        case .unknown:
            if fault == .refusesUnknownFrames {
                failConnection(with: .protocolError, "a frame of an unknown type came")
            }
        case .settingsAcknowledged, .priority, .priorityUpdate: break
        }
    }

    private func receiveHead(_ block: ConnectionEvent.FieldBlock, on number: UInt32) {
        guard let stream = stream(number), let status = block.check.status else { return }
        let fields = block.section.fields.filter { !$0.isPseudo }.map { (name: $0.name, value: $0.value) }
        stream.receiveHead(
            ReplyHead(
                status: status, fields: fields,
                contentLength: fault == .uncheckedLength ? nil : block.check.contentLength,
                hasNoContent: block.endsStream && block.check.contentLength ?? 0 == 0 || stream.isHead))
        if block.endsStream { state.endedStream = number }
    }

    private func receiveSettings(_ settings: [Setting]) {
        state.hasSettings = true
        if fault != .tableTooLarge { state.encoder.follow(settings) }
        if fault != .noSettingsAcknowledgement { send(.settingsAck) }
        wakeSenders()
        pool.placesHaveChanged(on: self)
    }

    private func didReset(_ number: UInt32, _ code: ErrorCode) {
        guard fault != .ignoresReset, let stream = stream(number) else { return }
        // After a complete reply, it means that the rest of the content is not wanted (RFC 9113 §8.1).
        guard !stream.isComplete else { return stream.stopSending() }
        places.streams[UInt64(number)] = nil
        let meaning: StreamReset =
            code == .refusedStream ? .isRefused : code == .http11Required ? .wantsHTTP1 : .other
        stream.fail(.reset(meaning, "RST_STREAM \(code), RFC 9113 §7"))
        pool.placesHaveChanged(on: self)
    }

    /// Handles GOAWAY: streams above `last` were not processed; the others continue (RFC 9113 §6.8).
    private func takeGoAway(_ last: UInt32, _ code: ErrorCode, _ debug: [UInt8]) {
        let text = debug.isEmpty ? "" : " \"\(EscapedText.escape(debug, limit: 200))\""
        let words = "GOAWAY \(code)\(text)"
        places.goAway = words
        guard fault != .streamsAfterGoAway else { return }
        goAway(words, lastIs: "\(last) as its last stream") { $0 > UInt64(last) || fault == .repeatsProcessed }
    }

    /// Handles a violation of the server: ends the stream or the connection (RFC 9113 §5.4).
    private func judge(_ violation: HTTP2Violation) {
        guard let code = violation.code, !overlooks(violation) else { return }
        switch violation.scope {
        case .none: return
        case .stream:
            if state.frames.isOpen(violation.stream) { send(.resetStream(violation.stream, code)) }
            // Too little content is found at the end of the stream; too much is found before.
            let isShort = violation.kind == .contentLengthDiffers && state.endedStream == violation.stream
            places.streams.removeValue(forKey: UInt64(violation.stream))?
                .fail(.violation("\(violation)", isShort: isShort))
            pool.placesHaveChanged(on: self)
        case .connection:
            if fault == .tellsErrorsAlone, state.output.hasGoAway { return }
            sendGoAway(code, "\(violation.kind.rawValue): \(violation.sentence) (\(violation.section))")
            guard fault != .tellsErrorsAlone else { return }
            lose(.violation("\(violation)", isShort: false))
        }
    }

    /// Whether a client with a deliberate fault ignores the violation.
    private func overlooks(_ violation: HTTP2Violation) -> Bool {
        switch fault {
        case .uncheckedLength: violation.kind == .contentLengthDiffers
        case .deliversMalformed: violation.scope == .stream && violation.kind != .contentLengthDiffers
        // A field section that can't be decoded can't be used.
        case .goesOnAfterErrors: violation.scope == .connection && violation.kind != .compressionError
        case .takesPush: violation.kind == .pushNotEnabled
        default: false
        }
    }

    /// Sends GOAWAY with the reason why this end closes the connection.
    private func sendGoAway(_ code: ErrorCode, _ text: String) {
        if fault == .noGoAway {
            state.isPeerGone = true
        } else {
            send(.goAway(lastStream: state.frames.lastStreamOfPeer, code, debug: Array(text.utf8.prefix(1_024))))
        }
        flush()
    }

    private func failConnection(with code: ErrorCode, _ sentence: String) {
        sendGoAway(code, sentence)
        lose(.lost(sentence))
    }

    func refuse(_ stream: SharedStream, _ sentence: String) {
        guard let id = stream.number else { return }
        let number = UInt32(id)
        if state.frames.isOpen(number) { send(.resetStream(number, .enhanceYourCalm)) }
        places.streams[id] = nil
        stream.fail(.tooMuch(sentence))
    }
}
