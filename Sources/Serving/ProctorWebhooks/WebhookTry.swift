internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorServing

/// One try of a webhook: a connection of its own, the message, and the answer; on the loop's thread only.
struct WebhookTry {
    let webhook: BoundWebhook
    let loop: EventLoop

    enum Outcome {
        case answered(status: Int, milliseconds: Int)
        /// A sentence.
        case unanswered(String)
        case cancelled
    }

    /// Between two pieces of a message.
    private static let pause = Duration.milliseconds(50)

    func run(_ pieces: [[UInt8]]) async -> Outcome {
        guard OutgoingPlaces.takePlace() else {
            return .unanswered("\(OutgoingPlaces.limit) requests of this process are under way, which is the limit")
        }
        var ours: SocketAddress?
        defer { OutgoingPlaces.releasePlace(ours) }
        let start = MonotonicClock.nanoseconds
        let limit = webhook.webhook.limit
        let deadline = Socket.deadline(within: limit.wholeNanoseconds)
        do throws(SocketError) {
            let socket = try await Socket.connect(
                to: webhook.url.address, on: loop, within: limit.wholeNanoseconds)
            defer { socket.close() }
            OutgoingPlaces.noteAddress(socket.local)
            ours = socket.local
            for (index, piece) in pieces.enumerated() {
                if index > 0 { guard await loop.sleep(for: Self.pause) else { return .cancelled } }
                try await socket.write(piece, within: Self.left(until: deadline))
            }
            switch webhook.webhook.mistake {
            case .cutBody:
                socket.halfClose()
                return .unanswered("the connection was closed within the content, and no answer was read")
            case .leaves: return .unanswered("the connection was closed behind the message, and no answer was read")
            default: break
            }
            return try await read(socket, until: deadline, since: start)
        } catch {
            if case .cancelled = error { return .cancelled }
            if case .timedOut = error { return .unanswered("no answer came within \(limit)") }
            return .unanswered("no answer came: \(error)")
        }
    }

    private static func left(until deadline: UInt64) -> UInt64 {
        let now = MonotonicClock.nanoseconds
        return now < deadline ? deadline - now : 0
    }

    private func read(
        _ socket: Socket, until deadline: UInt64, since start: UInt64
    ) async throws(SocketError) -> Outcome {
        var reading = AnswerReading()
        while reading.outcome == nil {
            let left = Self.left(until: deadline)
            guard left > 0 else { throw .timedOut }
            let came: Void? = try await socket.read(within: left) { reading.read($0) }
            if came == nil { reading.readEnd() }
        }
        switch reading.outcome {
        case .status(let status)?:
            return .answered(status: status, milliseconds: Int((MonotonicClock.nanoseconds - start) / 1_000_000))
        case .fault(let sentence)?: return .unanswered(sentence)
        case nil: return .unanswered("no answer came")
        }
    }
}

/// Reads one answer, whose content is dropped; at most 1 MiB of it.
private struct AnswerReading {
    enum Outcome {
        case status(Int)
        case fault(String)
    }

    private(set) var outcome: Outcome?
    private var reader = ReplyReader()
    private var status: Int?
    private var byteCount = 0

    private static let byteLimit = 1 << 20

    init() { reader.expectReply(to: Array("POST".utf8)) }

    mutating func read(_ bytes: Span<UInt8>) {
        byteCount += bytes.count
        var offset = 0
        while outcome == nil, let event = reader.next(bytes, at: &offset) { noteEvent(event) }
        if outcome == nil, byteCount > Self.byteLimit {
            outcome = .fault("the answer has more than \(Self.byteLimit) bytes")
        }
    }

    mutating func readEnd() {
        while outcome == nil, let event = reader.finish() { noteEvent(event) }
        if outcome == nil { outcome = .fault("the listener closed the connection before its answer was complete") }
    }

    private mutating func noteEvent(_ event: ReplyEvent) {
        switch event {
        case .head(let head): if !head.isInterim { status = head.status }
        case .end: if let status { outcome = .status(status) }
        case .refused(let violation): outcome = .fault("the answer can't be read: \(violation.sentence)")
        case .content, .chunk, .trailers, .violation: break
        }
    }
}
