internal import ProctorBase
internal import ProctorHTTP2
internal import ProctorLoop

/// The streams of one connection whose replies wait without tasks, in the order in which they get room.
struct WaitingStreams {
    fileprivate var streams: [HTTP2Stream] = []
    /// Whether one of them may go on once the connection's window and the output have room.
    var wantRoom = false
    /// None of their deadlines is earlier, in MonotonicClock nanoseconds; `.max`: none waits.
    fileprivate(set) var deadline: UInt64 = .max

    var count: Int { streams.count }
}

/// A reply that waits for room with its stream.
final class KeptReply {
    var reply: PlayedReply<HTTP2Stream>
    /// When the client must have taken more of it, in MonotonicClock nanoseconds.
    var deadline: UInt64 = .max

    init(_ reply: PlayedReply<HTTP2Stream>) { self.reply = reply }
}

extension HTTP2Connection {
    /// Content that one stream sends before others get room.
    static let shareByteCount = 32 << 10
    /// Room of the output that is left to replies with tasks, where there are any.
    private static let reservedByteCount = 32 << 10
    /// How often the output is filled before others get the loop.
    private static let fillsOfATurn = 2

    /// What a reply waits for that has no room.
    private enum Lack {
        /// A window is shut, or shorter than the padding of a frame: that of the stream, or of the connection.
        case window
        /// The connection's window is shut, or its output has no room.
        case room
        /// Others are to send first.
        case turn
    }

    private func lack(of stream: HTTP2Stream) -> Lack {
        let overhead = stream.shape.overhead
        if stream.share <= overhead { return .turn }
        guard let window = state.sendWindow(of: stream.number), window.size > overhead else { return .window }
        // As long as it is shut, nothing is tried.
        if state.sendWindow.size > 0, state.sendWindow.size <= overhead { return .window }
        return .room
    }

    /// Keeps a reply that waits for room with its stream.
    func keepReply(_ reply: PlayedReply<HTTP2Stream>, on stream: HTTP2Stream) {
        let kept = KeptReply(reply)
        stream.kept = kept
        stream.countAsOpen()
        waitingStreams.streams.append(stream)
        if lack(of: stream) != .window { waitingStreams.wantRoom = true }
        expectProgress(of: kept)
    }

    private func expectProgress(of kept: KeptReply) {
        kept.deadline = Socket.deadline(within: bounds.progress)
        waitingStreams.deadline = min(waitingStreams.deadline, kept.deadline)
    }

    /// Sends what is pending and what replies have for it, as far as the system takes it at once.
    func sendOut() {
        noteRepeated()
        output.flush()
        for _ in 0..<Self.fillsOfATurn where output.isEmpty && canContinue {
            continueReplies()
            output.flush()
        }
        if output.isEmpty, canContinue { output.requestWriter() }
    }

    private var canContinue: Bool {
        waitingStreams.wantRoom && output.room > reserve && (state.sendWindow.size > 0 || input.hasEnded)
    }

    private var reserve: Int { streams.count > waitingStreams.count ? Self.reservedByteCount : FrameShape.mostOverhead }

    /// The stream's own window has grown.
    func continueReply(on stream: HTTP2Stream) {
        guard stream.kept != nil, sendWaiting(on: stream) == nil else { return }
        forgetWaiting(stream)
    }

    /// Sends of the replies that wait what there is room for, in turn.
    func continueReplies() {
        while canContinue {
            waitingStreams.wantRoom = false
            var unserved: [HTTP2Stream] = []
            var served: [HTTP2Stream] = []
            for (index, stream) in waitingStreams.streams.enumerated() {
                guard output.room > reserve else {
                    waitingStreams.wantRoom = true
                    unserved += waitingStreams.streams[index...]
                    break
                }
                switch sendWaiting(on: stream) {
                case nil: continue
                case .window: unserved.append(stream)
                case .room, .turn: served.append(stream)
                }
            }
            waitingStreams.streams = unserved + served
        }
        if waitingStreams.streams.isEmpty { waitingStreams = WaitingStreams() }
    }

    /// Sends a share of the stream's reply; nil: it waits for room no longer, and a task does what is left.
    private func sendWaiting(on stream: HTTP2Stream) -> Lack? {
        guard let kept = stream.kept.take() else { return nil }
        let before = output.byteCount
        stream.share = Self.shareByteCount
        do throws(ConnectionEnd) {
            do throws(ConnectionEnd) {
                if let pause = try kept.reply.advance() {
                    guard case .room = pause else {
                        startWaiting(stream, kept.reply.waiting(for: pause))
                        return nil
                    }
                    let lack = lack(of: stream)
                    // What only the client can bring about does not come any more.
                    if input.hasEnded, output.room > stream.shape.overhead, lack != .turn { throw .peerClosed }
                    if lack != .window { waitingStreams.wantRoom = true }
                    if output.byteCount > before { expectProgress(of: kept) }
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
    private func startWaiting(_ stream: HTTP2Stream, _ rest: WaitingAnswer<HTTP2Stream>?) {
        guard let rest else { return closeIfDone(stream) }
        start(stream, rest)
        wakeReader()
    }

    /// Ends the streams whose replies have waited too long.
    func endOverdueReplies() {
        let now = MonotonicClock.nanoseconds
        waitingStreams.deadline = .max
        for stream in waitingStreams.streams {
            guard let kept = stream.kept else { continue }
            if kept.deadline > now {
                waitingStreams.deadline = min(waitingStreams.deadline, kept.deadline)
            } else {
                stream.close(with: .timedOut)
                endStream(stream, .timedOut)
            }
        }
        flush()
    }

    /// Nothing of the stream waits any more.
    func forgetWaiting(_ stream: HTTP2Stream) { waitingStreams.streams.removeAll { $0 === stream } }
}
