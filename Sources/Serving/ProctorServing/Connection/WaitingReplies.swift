internal import ProctorBase
internal import ProctorLoop
internal import ProctorReplies

/// A reply that waits for room with its stream.
package final class KeptReply {
    fileprivate var reply: PlayedReply<MultiplexedStream>
    /// When the client must have taken more of it, in MonotonicClock nanoseconds.
    fileprivate var deadline: UInt64 = .max

    fileprivate init(_ reply: PlayedReply<MultiplexedStream>) { self.reply = reply }

    /// Notes why the rest of it is not sent.
    func noteEnd(_ reason: ConnectionEnd) { reply.noteEnd(reason) }
}

/// The streams of one connection whose replies wait without tasks, in the order in which they get room.
package struct WaitingReplies {
    fileprivate(set) var streams: [MultiplexedStream] = []
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

/// How streams keep replies that wait for room.
extension MultiplexedConnection {
    /// Keeps a reply that waits for room with its stream.
    func keepReply(_ reply: PlayedReply<MultiplexedStream>, on stream: MultiplexedStream) {
        let kept = KeptReply(reply)
        stream.kept = kept
        stream.countAsOpen()
        waitingReplies.streams.append(stream)
        if lack(of: stream) != .window { waitingReplies.wantRoom = true }
        expectProgress(of: kept)
    }

    private func expectProgress(of kept: KeptReply) {
        kept.deadline = Socket.deadline(within: bounds.progress)
        waitingReplies.deadline = min(waitingReplies.deadline, kept.deadline)
        didExpectProgress()
    }

    /// The stream's own window has grown.
    package func continueReply(on stream: MultiplexedStream) {
        guard stream.kept != nil, sendWaiting(on: stream) == nil else { return }
        forgetWaiting(stream)
    }

    /// Sends of the replies that wait what there is room for, in turn.
    package func continueReplies() {
        while canContinue {
            waitingReplies.wantRoom = false
            var unserved: [MultiplexedStream] = []
            var served: [MultiplexedStream] = []
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
    private func sendWaiting(on stream: MultiplexedStream) -> RoomLack? {
        guard let kept = stream.kept.take() else { return nil }
        let before = queuedByteCount
        stream.beginShare()
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
    private func startWaiting(_ stream: MultiplexedStream, _ rest: WaitingAnswer<MultiplexedStream>?) {
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
        flush(nil)
    }

    /// Nothing of the stream waits any more.
    func forgetWaiting(_ stream: MultiplexedStream) { waitingReplies.streams.removeAll { $0 === stream } }
}
