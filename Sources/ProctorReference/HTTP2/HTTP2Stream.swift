internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorLoop

/// One request and its reply on a shared connection (RFC 9113 §5); loop thread only.
///
/// Made as a reservation among the streams that the server permits; ``begin(_:method:contentByteCount:)`` gives it its
/// number. The owner must call ``release()``. Content waits here, and its window is not credited, until the transfer
/// takes it.
final class HTTP2Stream: Sendable {
    let connection: HTTP2Connection
    /// Whether the connection carried an earlier stream, so that the server may be about to close it.
    let isReused: Bool
    private let loopState: LoopBound<State>

    final class State {
        /// nil before HEADERS was sent.
        fileprivate(set) var number: UInt32?
        /// Heads that the transfer has not taken.
        fileprivate var heads: [ReplyHead] = []
        /// The request was a HEAD.
        fileprivate var isHead = false
        fileprivate var interimCount = 0
        /// Content that the transfer has not taken.
        fileprivate var content: [UInt8] = []
        fileprivate var isComplete = false
        fileprivate var failure: HTTP2Failure?
        fileprivate var isReleased = false
        /// Bytes that were taken, and that the server was not told of.
        fileprivate var owed = 0
        /// Bytes of content until END_STREAM; nil for content of unknown length.
        fileprivate var unsentByteCount: Int?
        fileprivate var hasEndedSending = false
        /// The server wants no more content (RFC 9113 §8.1), or the connection takes none.
        fileprivate var isUnwanted = false
        fileprivate var wasWoken = false
        fileprivate let arrival: LoopPause
        fileprivate let room: LoopPause

        fileprivate init(on loop: EventLoop) {
            arrival = LoopPause(on: loop)
            room = LoopPause(on: loop)
        }
    }

    /// As for replies of HTTP/1.1.
    private static let interimLimit = ReplyLimits().interimCount
    /// A window is credited by portions of this size: a quarter of the usual one.
    private static let leastCredit = Int(FlowWindow.usual / 4)

    init(on connection: HTTP2Connection, isReused: Bool) {
        self.connection = connection
        self.isReused = isReused
        loopState = LoopBound(State(on: connection.loop), on: connection.loop)
    }

    private var state: State { loopState.value }

    var number: UInt32? { state.number }

    /// For a sentence.
    var name: String { state.number.map(String.init) ?? "without a number" }

    /// Gives the place on the connection back; a stream that is not complete is reset with CANCEL.
    func release() {
        guard !state.isReleased else { return }
        state.isReleased = true
        state.content = []
        connection.release(self)
        wake()
    }

    /// Ends the present waits of both directions.
    func wake() {
        state.wasWoken = true
        state.arrival.end()
        state.room.end()
    }
}

/// What arrives.
extension HTTP2Stream {
    func take(_ head: ReplyHead) {
        if head.isInterim {
            state.interimCount += 1
            guard state.interimCount <= Self.interimLimit else {
                return connection.refuse(
                    self, .enhanceYourCalm, "sent more than \(Self.interimLimit) interim replies on stream \(name)")
            }
        }
        state.heads.append(head)
        state.arrival.end()
    }

    func take(_ content: ArraySlice<UInt8>) {
        state.content += content
        state.arrival.end()
    }

    func complete() {
        state.isComplete = true
        state.arrival.end()
    }

    /// The first failure counts; a complete reply stays complete (RFC 9113 §8.1).
    func fail(_ failure: HTTP2Failure) {
        state.isUnwanted = true
        if !state.isComplete, state.failure == nil { state.failure = failure }
        wake()
    }

    /// Waits until something can be taken; false when `limit` nanoseconds are over.
    func waitForArrival(within limit: UInt64) async -> Bool {
        let deadline = Socket.deadline(within: limit)
        while !hasArrived {
            guard await state.arrival.wait(until: deadline) else { return hasArrived }
        }
        state.wasWoken = false
        return true
    }

    private var hasArrived: Bool {
        !state.heads.isEmpty || !state.content.isEmpty || state.isComplete || state.failure != nil || state.wasWoken
    }

    /// Moves heads, else content, else the end; returns the failure where nothing else is left.
    func move(into arrival: inout Arrival) -> HTTP2Failure? {
        if !state.heads.isEmpty {
            for head in state.heads { arrival.take(head, byteCount: head.bytes.count) }
            state.heads = []
        } else if !state.content.isEmpty {
            let content = state.content
            state.content = []
            arrival.take(content)
            credit(content.count)
        } else if let failure = state.failure {
            return failure
        }
        if state.isComplete, state.content.isEmpty { arrival.complete() }
        return nil
    }

    /// Lets the server send as many bytes more on the stream (RFC 9113 §6.9).
    func credit(_ byteCount: Int) {
        state.owed += byteCount
        guard state.owed >= Self.leastCredit, let number = state.number, !state.isComplete,
            connection.fault != .noWindowUpdates
        else { return }
        connection.send(.windowUpdate(UInt32(state.owed), on: number))
        connection.flush()
        state.owed = 0
    }
}

/// What is sent.
extension HTTP2Stream {
    /// Sends HEADERS; `contentByteCount` is nil for content of unknown length.
    ///
    /// Where the connection can open no stream any more, the stream fails as unprocessed.
    func begin(_ fields: [HeaderField], method: [UInt8], isEmpty: Bool, contentByteCount: Int?) {
        guard !state.isReleased, state.failure == nil else { return }
        state.unsentByteCount = contentByteCount
        state.isHead = method == Array("HEAD".utf8)
        state.hasEndedSending = isEmpty
        state.number = connection.open(self, fields, method: method, endsStream: isEmpty)
        if state.number == nil {
            fail(.unprocessed("\(connection.socket.peer) takes no more streams on its connection", isUnsent: true))
        }
    }

    /// Sends what the windows have room for; returns how many bytes.
    func writeAtOnce(_ bytes: [UInt8], from start: Int) -> Int {
        guard start < bytes.count, isSending, let number = state.number else { return 0 }
        let count = min(bytes.count - start, connection.room(on: number))
        guard count > 0 else { return 0 }
        var endsStream = false
        if let unsent = state.unsentByteCount {
            state.unsentByteCount = unsent - count
            endsStream = count >= unsent
        }
        state.hasEndedSending = endsStream
        connection.send(bytes[start..<start + count], on: number, endsStream: endsStream)
        return count
    }

    /// Sends some bytes, waiting until the windows have room; nil where the stream takes no more.
    func writeSome(_ bytes: [UInt8], from start: Int) async -> Int? {
        while isSending {
            let count = writeAtOnce(bytes, from: start)
            if count > 0 {
                connection.flush()
                return count
            }
            _ = await state.room.wait(until: .max)
        }
        return nil
    }

    /// Sends END_STREAM, unless it was sent.
    func finish() {
        guard isSending, let number = state.number else { return }
        state.hasEndedSending = true
        connection.send([], on: number, endsStream: true)
        connection.flush()
    }

    /// The windows or the room for output have grown.
    func roomHasGrown() { state.room.end() }

    private var isSending: Bool { !state.isReleased && !state.isUnwanted && !state.hasEndedSending }

    var hasEndedSending: Bool { state.hasEndedSending }

    /// The server has reset the stream behind its complete reply: the rest of the content is not wanted.
    func stopSending() {
        state.isUnwanted = true
        state.room.end()
    }

    var isComplete: Bool { state.isComplete }

    /// Whether the reply has no content because the request was a HEAD (RFC 9110 §9.3.2).
    var isHead: Bool { state.isHead }
}
