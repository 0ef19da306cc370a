internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// One request and its reply on a shared connection (RFC 9113 §5, RFC 9114 §4.1); loop thread only.
///
/// It is made as a reservation among the streams that the server permits;
/// ``sendHeaders(_:method:isEmpty:contentByteCount:)`` gives it its id. The owner must call ``release()``. Content
/// waits here, and its window is not given back, until the transfer reads it.
final class SharedStream: Sendable {
    let connection: any SharedConnection
    /// Whether the connection carried an earlier stream, so that the server may be about to close it.
    let isReused: Bool
    private let loopState: LoopBound<State>

    final class State {
        /// The id; nil before the request was sent.
        fileprivate(set) var number: UInt64?
        /// Heads that the transfer has not read yet.
        fileprivate var heads: [ReplyHead] = []
        /// The request was a HEAD.
        fileprivate var isHead = false
        fileprivate var interimCount = 0
        /// Content that the transfer has not read yet.
        fileprivate var content: [UInt8] = []
        /// The fields behind the content.
        fileprivate var trailers: [HTTPField] = []
        fileprivate var isComplete = false
        fileprivate var failure: StreamFailure?
        fileprivate var isReleased = false
        /// Bytes that were read and whose window was not yet given back.
        fileprivate var owed = 0
        /// Bytes of content that are still to be sent; nil for content of unknown length.
        fileprivate var unsentByteCount: Int?
        fileprivate var hasEndedSending = false
        /// Bytes that the connection has queued, and that ``writeSome(_:from:)`` has not told of.
        fileprivate var queuedByteCount = 0
        /// Whether the server wants no more content (RFC 9113 §8.1), or the connection accepts none.
        fileprivate var isUnwanted = false
        fileprivate var wasWoken = false
        fileprivate let arrival: LoopPause
        fileprivate let room: LoopPause

        fileprivate init(on loop: EventLoop) {
            arrival = LoopPause(on: loop)
            room = LoopPause(on: loop)
        }
    }

    /// The most interim replies, as for HTTP/1.1.
    private static let interimLimit = ReplyLimits().interimCount
    /// The fewest bytes whose window is given back: a quarter of the usual window of HTTP/2.
    private static let leastCredit = 65_535 / 4

    init(on connection: any SharedConnection, isReused: Bool) {
        (self.connection, self.isReused) = (connection, isReused)
        loopState = LoopBound(State(on: connection.loop), on: connection.loop)
    }

    private var state: State { loopState.value }

    var number: UInt64? { state.number }

    /// The id as part of a sentence.
    var name: String { state.number.map(String.init) ?? "without a number" }

    /// Ends the reservation; a stream that is not complete is reset with CANCEL.
    func release() {
        guard !state.isReleased else { return }
        state.isReleased = true
        // What nobody reads any more counts for other streams of the connection no longer.
        if let number = state.number, !state.content.isEmpty || state.owed > 0 {
            connection.drop(state.owed + state.content.count, on: number)
        }
        state.content = []
        connection.release(self)
        wake()
    }

    /// Ends the present waits of both directions.
    func wake() {
        state.wasWoken = true
        state.arrival.resume()
        state.room.resume()
    }
}

/// Handles what arrives on the stream.
extension SharedStream {
    func receiveHead(_ head: ReplyHead) {
        if head.isInterim {
            state.interimCount += 1
            guard state.interimCount <= Self.interimLimit else {
                return connection.refuse(
                    self, "sent more than \(Self.interimLimit) interim replies on stream \(name)")
            }
        }
        state.heads.append(head)
        state.arrival.resume()
    }

    func receiveContent(_ content: ArraySlice<UInt8>) {
        state.content += content
        state.arrival.resume()
    }

    func receiveTrailers(_ fields: [HeaderField]) {
        state.trailers = fields.filter { !$0.isPseudo }.map {
            HTTPField(name: FieldText.decode($0.name), bytes: $0.value)
        }
    }

    func complete() {
        state.isComplete = true
        state.arrival.resume()
    }

    /// Ends the stream with a failure; the first one counts, and a complete reply stays complete (RFC 9113 §8.1).
    func fail(_ failure: StreamFailure) {
        state.isUnwanted = true
        if !state.isComplete, state.failure == nil { state.failure = failure }
        wake()
    }

    /// Waits until something can be read; false when `limit` nanoseconds are over.
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

    /// Moves heads, else content, else the end into `arrival`; returns the failure when nothing else remains.
    func move(into arrival: inout Arrival) -> StreamFailure? {
        if !state.heads.isEmpty {
            for head in state.heads { arrival.receiveHead(head, byteCount: head.bytes.count) }
            state.heads = []
        } else if !state.content.isEmpty {
            let content = state.content
            state.content = []
            arrival.receiveContent(content)
            credit(content.count)
        } else if let failure = state.failure {
            return failure
        }
        if state.isComplete, state.content.isEmpty {
            arrival.trailers = state.trailers
            arrival.complete()
        }
        return nil
    }

    /// Gives the window of so many bytes back, or adds them to the next ones (RFC 9113 §6.9, RFC 9000 §4.1).
    func credit(_ byteCount: Int) {
        state.owed += byteCount
        guard state.owed >= Self.leastCredit, let number = state.number, !state.isComplete else { return }
        connection.credit(state.owed, on: number)
        connection.flush()
        state.owed = 0
    }
}

/// Sends the request.
extension SharedStream {
    /// Sends HEADERS; `contentByteCount` is nil for content of unknown length.
    ///
    /// When the connection can't open another stream, the stream fails as unprocessed.
    func sendHeaders(_ fields: [HeaderField], method: [UInt8], isEmpty: Bool, contentByteCount: Int?) {
        guard !state.isReleased, state.failure == nil else { return }
        state.unsentByteCount = contentByteCount
        state.isHead = method == Array("HEAD".utf8)
        state.hasEndedSending = isEmpty
        do throws(RequestRefusal) {
            state.number = try connection.open(self, fields, method: method, endsStream: isEmpty)
        } catch {
            switch error {
            case .noPlace:
                fail(.unprocessed("\(connection.peer) takes no more streams on its connection", isUnsent: true))
            case .unwanted(let sentence): fail(.unwanted(sentence))
            }
        }
    }

    /// Waits for the server's SETTINGS, and returns whether they permit an extended CONNECT; nil where none come in `limit`
    /// nanoseconds, or the stream ends.
    func permitsExtendedConnect(within limit: UInt64) async -> Bool? {
        let deadline = Socket.deadline(within: limit)
        while connection.permitsExtendedConnect == nil, state.failure == nil, !state.isReleased {
            guard await state.room.wait(until: deadline) else { break }
        }
        return connection.permitsExtendedConnect
    }

    /// Sends content within the windows; returns the number of bytes that have gone out, which is 0 while some of them wait: then
    /// ``writeSome(_:from:)`` goes on with the same bytes.
    func writeAtOnce(_ bytes: [UInt8], from start: Int) -> Int {
        queue(bytes, from: start)
        if state.queuedByteCount > 0 { connection.flush() }
        return takeSent()
    }

    private func queue(_ bytes: [UInt8], from start: Int) {
        guard state.queuedByteCount == 0, start < bytes.count, isSending, let number = state.number else { return }
        let count = min(bytes.count - start, connection.room(on: number))
        guard count > 0 else { return }
        var endsStream = false
        if let unsent = state.unsentByteCount {
            state.unsentByteCount = unsent - count
            endsStream = count >= unsent
        }
        state.hasEndedSending = endsStream
        state.queuedByteCount = count
        connection.send(bytes[start..<start + count], on: number, endsStream: endsStream)
    }

    /// What was queued, once all of it has gone out.
    private func takeSent() -> Int {
        guard state.queuedByteCount > 0, let number = state.number, !connection.hasUnsent(on: number) else { return 0 }
        defer { state.queuedByteCount = 0 }
        return state.queuedByteCount
    }

    /// Sends some bytes, and waits until the windows permit it and they have gone out; nil when the stream accepts no more.
    func writeSome(_ bytes: [UInt8], from start: Int) async -> Int? {
        while isSending || state.queuedByteCount > 0 && !isGivenUp {
            let count = writeAtOnce(bytes, from: start)
            if count > 0 { return count }
            _ = await state.room.wait(until: .max)
        }
        return nil
    }

    /// Sends the end of the request, unless it was sent: in the trailers, where there are some (RFC 9113 §8.1).
    func finish(with trailers: [HTTPField] = []) {
        guard isSending, let number = state.number else { return }
        state.hasEndedSending = true
        if trailers.isEmpty {
            connection.send([], on: number, endsStream: true)
        } else {
            connection.sendTrailers(StreamRequestFields.trailers(trailers), on: number)
        }
        connection.flush()
    }

    /// Resumes the sender, since the windows or the room for output have grown.
    func roomHasGrown() { state.room.resume() }

    private var isGivenUp: Bool { state.isReleased || state.isUnwanted }

    private var isSending: Bool { !isGivenUp && !state.hasEndedSending }

    var hasEndedSending: Bool { state.hasEndedSending }

    /// Stops sending, since the server needs no more content.
    func stopSending() {
        state.isUnwanted = true
        state.room.resume()
    }

    var isComplete: Bool { state.isComplete }

    var failure: StreamFailure? { state.failure }

    /// Whether the reply has no content because the request was a HEAD (RFC 9110 §9.3.2).
    var isHead: Bool { state.isHead }
}
