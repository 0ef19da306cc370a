internal import ProctorBase
internal import ProctorLoop
internal import ProctorReplies

/// A stream whose reply may wait for room as a value, without a task.
package protocol ReplyKeepingWire: StreamWire {
    associatedtype Keeper: ReplyKeeper where Keeper.Stream == Self

    /// The connection of the stream.
    var keeper: Keeper { get }
    /// A reply that waits for room, and refers to the stream until it is taken out; nil: none.
    var kept: KeptReply<Self>? { get set }
    /// Bytes of content that the stream may send before others get room.
    var share: Int { get set }
}

extension ReplyKeepingWire {
    /// The stream stays open longer than its request is read: the server counts it until it is freed.
    package func countAsOpen() {
        if arrived.openCount == nil { arrived.openCount = OpenStreamCount(bounds.usage) }
    }

    package func keepReply(_ reply: PlayedReply<Self>) -> Bool {
        keeper.keepReply(reply, on: self)
        return true
    }

    package func didClose(with reason: ConnectionEnd) {
        guard let kept = kept.take() else { return }
        kept.noteEnd(reason)
        keeper.forgetWaiting(self)
    }
}

/// A reply that waits for room with its stream.
package final class KeptReply<Stream: Wire> {
    fileprivate var reply: PlayedReply<Stream>
    /// When the client must have taken more of it, in MonotonicClock nanoseconds.
    fileprivate var deadline: UInt64 = .max

    fileprivate init(_ reply: PlayedReply<Stream>) { self.reply = reply }

    /// Notes why the rest of it is not sent.
    package func noteEnd(_ reason: ConnectionEnd) { reply.noteEnd(reason) }
}

/// The streams of one connection whose replies wait without tasks, in the order in which they get room.
package struct WaitingReplies<Stream> {
    fileprivate(set) var streams: [Stream] = []
    /// Whether one of them may go on once the connection has room.
    package var wantRoom = false
    /// None of their deadlines is earlier, in MonotonicClock nanoseconds; `.max`: none waits.
    package fileprivate(set) var deadline: UInt64 = .max

    package init() {}

    package var count: Int { streams.count }
}

/// What a reply waits for that has no room.
package enum RoomLack {
    /// What only the client can give to the stream: a window is shut.
    case window
    /// What the connection has not for any stream.
    case room
    /// Others are to send first.
    case turn
}

/// A connection whose streams keep replies that wait for room; on the loop's thread only.
package protocol ReplyKeeper: AnyObject {
    associatedtype Stream: ReplyKeepingWire & AnyObject

    var bounds: ConnectionBounds { get }
    var waitingReplies: WaitingReplies<Stream> { get set }
    /// Bytes that were queued so far on all streams.
    var queuedByteCount: Int { get }
    /// Whether the connection has room for the next reply that waits.
    var hasRoomForWaiting: Bool { get }
    /// Whether replies that wait are tried now.
    var canContinue: Bool { get }

    func lack(of stream: Stream) -> RoomLack
    /// Throws where what the reply waits for can't come any more.
    func requireHope(for lack: RoomLack, on stream: Stream) throws(ConnectionEnd)
    /// A deadline of a reply that waits may be earlier now.
    func didExpectProgress()
    /// A task does the rest.
    func start(_ stream: Stream, _ rest: WaitingAnswer<Stream>)
    /// A reply that has waited goes on in a task.
    func didStartBehindWait()
    /// The answer of a stream is over.
    func closeIfDone(_ stream: Stream)
    /// The answer of a stream has ended with an error.
    func endStream(_ stream: Stream, _ error: ConnectionEnd)
    /// Sends what is queued.
    func sendQueued()
}

extension ReplyKeeper {
    /// Content that one stream sends before others get room.
    package static var shareByteCount: Int { 32 << 10 }

    /// Keeps a reply that waits for room with its stream.
    package func keepReply(_ reply: PlayedReply<Stream>, on stream: Stream) {
        let kept = KeptReply(reply)
        stream.kept = kept
        stream.countAsOpen()
        waitingReplies.streams.append(stream)
        if lack(of: stream) != .window { waitingReplies.wantRoom = true }
        expectProgress(of: kept)
    }

    private func expectProgress(of kept: KeptReply<Stream>) {
        kept.deadline = Socket.deadline(within: bounds.progress)
        waitingReplies.deadline = min(waitingReplies.deadline, kept.deadline)
        didExpectProgress()
    }

    /// The stream's own window has grown.
    package func continueReply(on stream: Stream) {
        guard stream.kept != nil, sendWaiting(on: stream) == nil else { return }
        forgetWaiting(stream)
    }

    /// Sends of the replies that wait what there is room for, in turn.
    package func continueReplies() {
        while canContinue {
            waitingReplies.wantRoom = false
            var unserved: [Stream] = []
            var served: [Stream] = []
            for (index, stream) in waitingReplies.streams.enumerated() {
                guard hasRoomForWaiting else {
                    waitingReplies.wantRoom = true
                    unserved += waitingReplies.streams[index...]
                    break
                }
                switch sendWaiting(on: stream) {
                case nil: continue
                case .window: unserved.append(stream)
                case .room, .turn: served.append(stream)
                }
            }
            waitingReplies.streams = unserved + served
        }
        if waitingReplies.streams.isEmpty { waitingReplies = WaitingReplies() }
    }

    /// Sends a share of the stream's reply; nil: it waits for room no longer, and a task does what is left.
    private func sendWaiting(on stream: Stream) -> RoomLack? {
        guard let kept = stream.kept.take() else { return nil }
        let before = queuedByteCount
        stream.share = Self.shareByteCount
        do throws(ConnectionEnd) {
            do throws(ConnectionEnd) {
                if let pause = try kept.reply.advance() {
                    guard case .room = pause else {
                        startWaiting(stream, kept.reply.waiting(for: pause))
                        return nil
                    }
                    let lack = lack(of: stream)
                    try requireHope(for: lack, on: stream)
                    if lack != .window { waitingReplies.wantRoom = true }
                    if queuedByteCount > before { expectProgress(of: kept) }
                    stream.kept = kept
                    return lack
                }
            } catch {
                startWaiting(stream, try kept.reply.fail(by: error))
                return nil
            }
            startWaiting(stream, try kept.reply.finish())
        } catch {
            endStream(stream, error)
        }
        return nil
    }

    /// What is left of the answer to a stream whose reply has waited; nil: nothing.
    private func startWaiting(_ stream: Stream, _ rest: WaitingAnswer<Stream>?) {
        guard let rest else { return closeIfDone(stream) }
        start(stream, rest)
        didStartBehindWait()
    }

    /// Ends the streams whose replies have waited too long.
    package func endOverdueReplies() {
        let now = MonotonicClock.nanoseconds
        waitingReplies.deadline = .max
        for stream in waitingReplies.streams {
            guard let kept = stream.kept else { continue }
            if kept.deadline > now {
                waitingReplies.deadline = min(waitingReplies.deadline, kept.deadline)
            } else {
                stream.close(with: .timedOut)
                endStream(stream, .timedOut)
            }
        }
        sendQueued()
    }

    /// Nothing of the stream waits any more.
    package func forgetWaiting(_ stream: Stream) { waitingReplies.streams.removeAll { $0 === stream } }
}
