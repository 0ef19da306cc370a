internal import ProctorBase

/// What this end sends; no frame is refused, since a server may break rules on purpose.
extension ConnectionState {
    /// Records a frame that this end sends, in the order of the wire.
    package mutating func willSend(_ frame: Frame) { willSend(ReadFrame(sent: frame, at: 0)) }

    /// Records a frame that this end sends and that has been parsed.
    package mutating func willSend(_ read: ReadFrame) {
        let frame = read.frame
        let stream = frame.stream
        guard let content = read.content else { return }
        switch content {
        case .data(let range, _):
            _ = sendWindow.consume(frame.payload.count)
            _ = streams.change(stream) { $0.sendWindow.consume(frame.payload.count) }
            if !range.isEmpty { floods.windowUpdates.earn() }
            if frame.endsStream { endSending(stream) }
        case .headers: willSendHead(on: stream, endsStream: frame.endsStream)
        case .pushPromise(let promised, _, _):
            guard role == .server, !isOfPeer(promised), promised > highestOfOurs, promised != 0 else { return }
            highestOfOurs = promised
            streams[promised] = StreamState(
                receiving: .ended, sending: .reserved, receiveWindow: FlowWindow(ours.initialWindowSize),
                sendWindow: FlowWindow(peers.initialWindowSize))
        case .resetStream: if !isIdle(stream) { close(stream, .resetByUs) }
        case .settings(let settings):
            // Bounded, since some code never waits for acknowledgements.
            if !frame.isAck, unacknowledged.count < 1_000 { unacknowledged.append(settings) }
        case .goAway(let last, _, _): ourLastStream = min(ourLastStream ?? last, last)
        case .ping(let opaque): if !frame.isAck, ourLastStream != nil { proof = opaque }
        case .windowUpdate(let increment):
            if stream == 0 {
                _ = receiveWindow.grow(increment)
            } else {
                _ = streams.change(stream) { $0.receiveWindow.grow(increment) }
            }
        case .priority, .continuation, .priorityUpdate, .unknown: break
        }
    }

    /// Records DATA without padding, whose bytes are elsewhere.
    package mutating func willSendData(ofByteCount byteCount: Int, on stream: UInt32, endsStream: Bool) {
        _ = sendWindow.consume(byteCount)
        _ = streams.change(stream) { $0.sendWindow.consume(byteCount) }
        if byteCount > 0 { floods.windowUpdates.earn() }
        if endsStream { endSending(stream) }
    }

    /// The stream that a server can promise next; nil if it cannot promise one (RFC 9113 §5.1.1, §6.8, §8.4).
    ///
    /// Either the client permits none, or it has sent GOAWAY, or there are no more identifiers.
    package var nextPromisedStream: UInt32? {
        guard role == .server, peers.enablePush, peersLastStream == nil else { return nil }
        let openCount = streams.keys.count { !isOfPeer($0) }
        guard openCount < peers.maxConcurrentStreams.map(Int.init) ?? bounds.streams, streams.count < bounds.streams
        else { return nil }
        return highestOfOurs < Frame.streamMask - 2 ? highestOfOurs + 2 : nil
    }

    /// Records HEADERS.
    package mutating func willSendHead(on stream: UInt32, endsStream: Bool) {
        if role == .client, streams[stream] == nil, !isOfPeer(stream), stream > highestOfOurs {
            highestOfOurs = stream
            streams[stream] = StreamState(
                receiveWindow: FlowWindow(ours.initialWindowSize), sendWindow: FlowWindow(peers.initialWindowSize))
        }
        _ = streams.change(stream) { if $0.sending == .reserved { $0.sending = .open } }
        if endsStream { endSending(stream) }
    }

    private mutating func endSending(_ stream: UInt32) { endDirection(of: stream) { $0.sending = .ended } }

    /// Records the method that a client sent in HEADERS, on which the form of the response depends.
    package mutating func sentRequest(_ method: [UInt8], on stream: UInt32) {
        _ = streams.change(stream) { $0.method = method }
    }

    /// Records that a server accepts a CONNECT with 2xx (RFC 9113 §8.5).
    package mutating func acceptedTunnel(on stream: UInt32) {
        _ = streams.change(stream) { state in
            state.isTunnel = true
            state.contentLength = nil
        }
    }

    /// Whether DATA can be sent on the stream: the stream is open and END_STREAM was not sent.
    package func canSend(on stream: UInt32) -> Bool { streams[stream]?.sending == .open }

    /// Begins a new interval for the bounds against floods.
    package mutating func clearFloods() { floods = Floods() }
}
