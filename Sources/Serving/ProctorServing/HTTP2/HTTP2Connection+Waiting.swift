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

extension HTTP2Connection {
    /// Content that one stream sends before others get room.
    private static let shareByteCount = 32 << 10
    /// Room of the output that is left to replies with tasks, where there are any.
    private static let reservedByteCount = 32 << 10
    /// How often the output is filled before others get the loop.
    private static let fillsOfATurn = 2

    /// Whether the stream's own window lets content out.
    func hasWindow(_ stream: HTTP2Stream) -> Bool { state.sendWindow(of: stream.number).map { $0.size > 0 } ?? false }

    /// Begins a reply that is of content alone; what is left of it waits with its stream.
    func startReply(_ reply: WaitingReply, on stream: HTTP2Stream) {
        stream.reply = reply
        guard sendWaiting(on: stream) != .isSent else { return }
        stream.countAsOpen()
        waitingStreams.streams.append(stream)
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

    private var reserve: Int { streams.count > waitingStreams.count ? Self.reservedByteCount : 0 }

    /// The stream's own window has grown.
    func continueReply(on stream: HTTP2Stream) {
        guard stream.reply != nil, sendWaiting(on: stream) == .isSent else { return }
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
                case .isSent: continue
                case .awaitsStream: unserved.append(stream)
                case .awaitsConnection, .awaitsTurn: served.append(stream)
                }
            }
            waitingStreams.streams = unserved + served
        }
        if waitingStreams.streams.isEmpty { waitingStreams = WaitingStreams() }
    }

    /// Sends a share of the stream's reply; an error ends the stream, and counts as sent.
    private func sendWaiting(on stream: HTTP2Stream) -> WaitingReply.State {
        guard var reply = stream.reply.take() else { return .isSent }
        let before = output.byteCount
        let reached: WaitingReply.State
        do throws(ConnectionEnd) {
            reached = try reply.send(upTo: Self.shareByteCount, on: stream)
            // What only the client can bring about does not come any more.
            if input.hasEnded, output.room > 0, reached == .awaitsStream || reached == .awaitsConnection {
                throw .peerClosed
            }
        } catch {
            reply.noteEnd(error)
            endStream(stream, error)
            return .isSent
        }
        if reached == .isSent {
            reply.noteSent()
            closeIfDone(stream)
            return .isSent
        }
        if reached != .awaitsStream { waitingStreams.wantRoom = true }
        if output.byteCount > before || reply.deadline == .max {
            reply.deadline = Socket.deadline(within: bounds.progress)
            waitingStreams.deadline = min(waitingStreams.deadline, reply.deadline)
        }
        stream.reply = reply
        return reached
    }

    /// Ends the streams whose replies have waited too long.
    func endOverdueReplies() {
        let now = MonotonicClock.nanoseconds
        waitingStreams.deadline = .max
        for stream in waitingStreams.streams {
            guard let reply = stream.reply else { continue }
            if reply.deadline > now {
                waitingStreams.deadline = min(waitingStreams.deadline, reply.deadline)
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
