internal import ProctorBase
internal import ProctorJournal
internal import ProctorReplies

/// A reply of a stream of which nothing is left but field sections and content: it waits for the client's windows
/// without a task, as a value of its stream; on the loop's thread only.
struct WaitingReply {
    private let plan: LaidOutReply
    private let log: RequestLog?
    private var step = 0
    private var content: ContentCursor?
    /// Bytes of frames.
    private var sentByteCount = 0
    /// When the client must have taken more of it, in MonotonicClock nanoseconds.
    var deadline: UInt64 = .max

    /// What has become of it.
    enum State {
        case isSent
        /// The stream's own window is shut.
        case awaitsStream
        /// The connection's window is shut, or its output has no room.
        case awaitsConnection
        /// Others are to send first.
        case awaitsTurn
    }

    /// `plan` is of content alone (``LaidOutReply/isOfContent``).
    init(_ plan: LaidOutReply, _ log: RequestLog?) {
        self.plan = plan
        self.log = log
    }

    /// Sends what the windows and the output have room for, at most about `most` bytes of content.
    mutating func send(upTo most: Int, on stream: HTTP2Stream) throws(ConnectionEnd) -> State {
        let owner = stream.owner
        let before = owner.output.byteCount
        defer { sentByteCount += owner.output.byteCount - before }
        let steps = plan.steps
        var (rest, buffer) = (most, [UInt8]())
        while step < steps.count {
            switch steps[step] {
            case .section(let section):
                if let reply = section.reply { log?.append(.replyBegun(reply)) }
                try owner.sendSection(section, on: stream)
            case .content(let source, let range):
                let isDone = try send(source, range, steps, &rest, &buffer, on: stream)
                guard isDone else { return state(rest, on: stream) }
            case .end:
                if !steps[step - 1].isContent { owner.sendContent([], endsStream: true, on: stream) }
            case .effect: preconditionFailure("a reply with an effect waits without a task")
            }
            step += 1
        }
        return .isSent
    }

    private func state(_ rest: Int, on stream: HTTP2Stream) -> State {
        if rest <= 0 { return .awaitsTurn }
        return stream.owner.hasWindow(stream) ? .awaitsConnection : .awaitsStream
    }

    /// Whether all of the content was sent.
    private mutating func send(
        _ source: ContentSource, _ range: Range<Int>, _ steps: [LaidOutReply.Step], _ rest: inout Int,
        _ buffer: inout [UInt8], on stream: HTTP2Stream
    ) throws(ConnectionEnd) -> Bool {
        let isLast = step + 1 < steps.count && steps[step + 1].isEnd
        var cursor = content ?? ContentCursor(source, range)
        while !cursor.isAtEnd {
            let room = min(rest, stream.owner.room(on: stream))
            guard room > 0 else {
                content = cursor
                return false
            }
            let bytes = try ConnectionEnd.rethrow { () throws(ReplyFailure) in
                try cursor.takeBytes(upTo: room, in: &buffer)
            }
            rest -= bytes.count
            stream.owner.sendContent(bytes, endsStream: isLast && cursor.isAtEnd, on: stream)
        }
        content = nil
        return true
    }

    /// Notes that all of it was sent.
    func noteSent() { log?.append(.replySent(status: plan.traits.status, byteCount: sentByteCount)) }

    /// Notes why the rest of it is not sent.
    func noteEnd(_ reason: ConnectionEnd) {
        if case .unanswerable(let text) = reason { log?.append(.replyFailed(FailedReply(text))) }
        // An end that the fixture wants counts as a complete reply.
        guard let text = reason.failureReason else { return noteSent() }
        log?.append(.replyAborted(sentByteCount: sentByteCount, reason: text))
    }
}
