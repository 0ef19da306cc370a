internal import ProctorBase
internal import ProctorHTTP

/// Messages on streams (RFC 9113 §5.1, §8.1).
extension ConnectionState {
    /// Whether the stream is idle (§5.1.1).
    func isIdle(_ stream: UInt32) -> Bool {
        stream > (isOfPeer(stream) ? highestOfPeer : highestOfOurs)
    }

    func isOfPeer(_ stream: UInt32) -> Bool { (stream % 2 == 1) == (role == .server) }

    /// Reports why DATA or HEADERS cannot be accepted on a stream that is not open, unless that is lawful.
    private mutating func refuse(_ stream: UInt32, _ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        switch closed[stream] {
        // The peer may not have received our RST_STREAM yet.
        case .resetByUs: break
        case .resetByPeer: report(.frameOnClosedStream, .stream, in: frame, on: stream, &events)
        case .ended: report(.frameOnClosedStream, in: frame, on: stream, &events)
        case nil where closed.hasForgotten: report(.frameOnClosedStream, in: frame, on: stream, &events)
        case nil: report(.streamNumberNotHigher, in: frame, on: stream, detail: "\(stream)", &events)
        }
    }

    mutating func head(
        _ open: OpenBlock, _ section: HeaderDecoder.Section, _ frame: ReadFrame, _ events: inout [ConnectionEvent]
    ) {
        if let state = streams[open.stream] {
            if state.receiving == .ended {
                report(.frameOnHalfClosedStream, in: frame, on: open.stream, &events)
            } else if state.isTunnel {
                report(.headersInTunnel, in: frame, on: open.stream, &events)
            } else if state.hasHead {
                trailers(open, section, frame, &events)
            } else {
                response(open, section, frame, &events)
            }
        } else if !isIdle(open.stream) {
            refuse(open.stream, frame, &events)
        } else if role == .client {
            report(.frameOnIdleStream, in: frame, on: open.stream, &events)
        } else if !isOfPeer(open.stream) {
            report(.wrongStreamParity, in: frame, on: open.stream, detail: "\(open.stream)", &events)
        } else {
            request(open, section, frame, &events)
        }
    }

    private mutating func request(
        _ open: OpenBlock, _ section: HeaderDecoder.Section, _ frame: ReadFrame, _ events: inout [ConnectionEvent]
    ) {
        let stream = open.stream
        highestOfPeer = stream
        if let last = ourLastStream, stream > last {
            if goAwayIsSeen {
                report(.streamAfterGoAway, in: frame, on: stream, detail: "\(stream) after \(last)", &events)
            }
            closed.add(stream, .resetByUs)
            return
        }
        guard hasRoom(for: stream, frame, &events) else { return }
        let fields = fieldBlock(open, section, as: .request)
        var state = StreamState(
            receiveWindow: FlowWindow(ours.initialWindowSize), sendWindow: FlowWindow(peers.initialWindowSize))
        state.hasHead = true
        state.method = fields.check.method
        state.contentLength = fields.check.method == Self.connect ? nil : fields.check.contentLength
        streams.add(state, of: stream)
        openOfPeer += 1
        floods.earn()
        noteFaults(of: fields, on: stream, frame, &events)
        events.append(.head(stream: stream, fields))
        if open.endsStream { endStream(stream, frame, &events) }
    }

    static let connect = Array("CONNECT".utf8)
    static let headMethod = Array("HEAD".utf8)

    /// Whether one more stream of the peer can be kept; reports a violation if not.
    private mutating func hasRoom(
        for stream: UInt32, _ frame: ReadFrame, _ events: inout [ConnectionEvent]
    ) -> Bool {
        var most = ours.maxConcurrentStreams.map(Int.init) ?? bounds.streams
        var isAcknowledged = true
        for settings in unacknowledged {
            for setting in settings where setting.identifier == .maxConcurrentStreams && Int(setting.value) < most {
                (most, isAcknowledged) = (Int(setting.value), false)
            }
        }
        guard openOfPeer >= most else { return streams.count < bounds.streams }
        let why = isAcknowledged ? "" : ", which the peer has not acknowledged yet"
        report(.tooManyStreams, in: frame, on: stream, detail: "more than \(most)\(why)", &events)
        closed.add(stream, .resetByUs)
        return false
    }

    private mutating func response(
        _ open: OpenBlock, _ section: HeaderDecoder.Section, _ frame: ReadFrame, _ events: inout [ConnectionEvent]
    ) {
        let stream = open.stream
        let fields = fieldBlock(open, section, as: .response)
        noteFaults(of: fields, on: stream, frame, &events)
        let status = fields.check.status ?? 0
        if fields.check.kind == .interim {
            if open.endsStream { report(.interimEndsStream, in: frame, on: stream, &events) }
        } else {
            _ = streams.change(stream) { state in
                state.receiving = .open
                state.hasHead = true
                state.isTunnel = state.method == Self.connect && 200..<300 ~= status
                state.hasNoContent = state.method == Self.headMethod || status == 204 || status == 304
                state.contentLength = state.hasNoContent || state.isTunnel ? nil : fields.check.contentLength
            }
        }
        floods.earn()
        events.append(.head(stream: stream, fields))
        if open.endsStream { endStream(stream, frame, &events) }
    }

    private mutating func trailers(
        _ open: OpenBlock, _ section: HeaderDecoder.Section, _ frame: ReadFrame, _ events: inout [ConnectionEvent]
    ) {
        let fields = fieldBlock(open, section, as: .trailers)
        if !open.endsStream { report(.trailersWithoutEnd, in: frame, on: open.stream, &events) }
        noteFaults(of: fields, on: open.stream, frame, &events)
        events.append(.trailers(stream: open.stream, fields))
        if open.endsStream { endStream(open.stream, frame, &events) }
    }

    mutating func data(_ range: Range<Int>, _ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        let stream = frame.frame.stream
        let flow = frame.payloadByteCount
        let left = receiveWindow.size
        if !receiveWindow.consume(flow) {
            report(.connectionWindowExceeded, in: frame, detail: "\(flow) bytes into \(left)", &events)
        }
        guard let state = streams[stream] else {
            if isIdle(stream) {
                report(.frameOnIdleStream, in: frame, &events)
            } else {
                refuse(stream, frame, &events)
            }
            return
        }
        switch state.receiving {
        case .ended:
            report(.frameOnHalfClosedStream, in: frame, &events)
            return
        case .reserved:
            report(.frameOnReservedStream, in: frame, &events)
            return
        case .open: break
        }
        if range.isEmpty {
            if !frame.frame.endsStream {
                spend(\.emptyFrames, bounds.emptyFrames, .emptyFrameFlood, frame, &events)
            }
        } else {
            floods.earn()
        }
        if streams.change(stream, { $0.receiveWindow.consume(flow) }) == false {
            report(.streamWindowExceeded, in: frame, detail: "\(flow) bytes into \(state.receiveWindow.size)", &events)
        }
        if !state.hasHead { report(.dataBeforeHead, in: frame, &events) }
        let count = state.contentByteCount + range.count
        _ = streams.change(stream) { $0.contentByteCount = count }
        if state.hasNoContent, state.contentByteCount == 0, !range.isEmpty {
            report(.contentNotAllowed, in: frame, &events)
        }
        // Reported once, at the first byte too many; too few bytes are reported at the end of the stream.
        if let length = state.contentLength, state.contentByteCount <= length, count > length {
            report(.contentLengthDiffers, in: frame, detail: "\(count) bytes or more for \(length)", &events)
        }
        events.append(.data(stream: stream, range, flowByteCount: flow, endsStream: frame.frame.endsStream))
        if frame.frame.endsStream { endStream(stream, frame, &events) }
    }

    /// The peer has sent END_STREAM.
    private mutating func endStream(_ stream: UInt32, _ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        guard let state = streams[stream] else { return }
        if !state.hasHead { report(.endWithoutHead, in: frame, on: stream, &events) }
        if let length = state.contentLength, state.contentByteCount < length {
            report(
                .contentLengthDiffers, in: frame, on: stream,
                detail: "\(Plural.count(state.contentByteCount, "byte")) for \(length)",
                &events)
        }
        endDirection(of: stream) { $0.receiving = .ended }
    }

    /// One direction of the stream ends, and the stream with it where the other has ended.
    mutating func endDirection(of stream: UInt32, _ direction: (inout StreamState) -> Void) {
        let isClosed = streams.change(stream) { state in
            direction(&state)
            return state.isClosed
        }
        guard isClosed == true else { return }
        close(stream, .ended)
        floods.resets.earn()
    }

    mutating func close(_ stream: UInt32, _ end: ClosedStreams.End) {
        guard streams.remove(stream) != nil else { return closed.change(stream, end) }
        if isOfPeer(stream) { openOfPeer -= 1 }
        closed.add(stream, end)
    }

    mutating func reset(_ code: ErrorCode, _ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        let stream = frame.frame.stream
        guard !isIdle(stream) else {
            report(.frameOnIdleStream, in: frame, &events)
            return
        }
        spend(\.resets, bounds.resets, .resetFlood, frame, &events)
        // The peer sent it on a closed stream before it knew that the stream was closed (§5.1).
        guard streams[stream] != nil else { return }
        close(stream, .resetByPeer)
        events.append(.reset(stream: stream, code))
    }

    mutating func push(
        _ promised: UInt32, _ open: OpenBlock, _ section: HeaderDecoder.Section, _ frame: ReadFrame,
        _ events: inout [ConnectionEvent]
    ) {
        guard role == .client else {
            report(.pushByClient, in: frame, on: open.stream, &events)
            return
        }
        if !ours.enablePush { report(.pushNotEnabled, in: frame, on: open.stream, &events) }
        let parent = streams[open.stream]
        let isOpen = parent.map { $0.receiving == .open } ?? (closed[open.stream] == .resetByUs)
        if !isOpen || isOfPeer(open.stream) { report(.pushOnWrongStream, in: frame, on: open.stream, &events) }
        guard promised != 0 else { return }
        guard isOfPeer(promised) else {
            report(.wrongStreamParity, in: frame, on: open.stream, detail: "\(promised)", &events)
            return
        }
        guard promised > highestOfPeer else {
            report(
                .streamNumberNotHigher, in: frame, on: open.stream, detail: "\(promised) after \(highestOfPeer)",
                &events)
            return
        }
        highestOfPeer = promised
        guard hasRoom(for: promised, frame, &events) else { return }
        var state = StreamState(
            receiving: .reserved, sending: .ended, receiveWindow: FlowWindow(ours.initialWindowSize),
            sendWindow: FlowWindow(peers.initialWindowSize))
        let fields = fieldBlock(open, section, as: .promise)
        state.method = fields.check.method
        streams[promised] = state
        openOfPeer += 1
        noteFaults(of: fields, on: promised, frame, &events)
        if let method = fields.check.method, !RegisteredMethods.isSafe(method) || fields.check.contentLength ?? 0 > 0 {
            report(.unsafePush, in: frame, on: promised, &events)
        }
        events.append(.push(stream: open.stream, promised: promised, fields))
    }
}
