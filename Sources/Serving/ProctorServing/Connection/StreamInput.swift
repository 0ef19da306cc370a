internal import ProctorBase
package import ProctorHTTP
internal import ProctorLoop

/// What has come on a stream of HTTP/2 or HTTP/3 and was not asked for yet; on the loop's thread only.
package struct StreamInput {
    /// Content; the window of the stream bounds it.
    private var unread: [UInt8] = []
    /// Whether the client has ended its half.
    private(set) var hasEnded: Bool
    /// The field section behind the content.
    package var trailers: FieldSection?
    /// Why nothing can be sent or received any more; nil while that is possible.
    private(set) var end: ConnectionEnd?
    /// Whether the present wait is ended without a reason to throw.
    var isWaitEnded = false
    /// What the stream's task waits by; made by the first wait.
    private var pause: LoopPause?
    /// nil while the server does not count the stream among those that are open.
    var openCount: OpenStreamCount?

    /// `hasEnded`: the client has ended its half with the head.
    init(hasEnded: Bool) { self.hasEnded = hasEnded }

    var isEmpty: Bool { unread.isEmpty }

    mutating func pause(on loop: EventLoop) -> LoopPause {
        if let pause { return pause }
        let pause = LoopPause(on: loop)
        self.pause = pause
        return pause
    }

    /// Ends the wait of the stream's task.
    func wakeTask() { pause?.resume() }

    mutating func append(_ content: ArraySlice<UInt8>) { unread += content }

    mutating func endHalf(with trailers: FieldSection?) {
        hasEnded = true
        if let trailers { self.trailers = trailers }
    }

    /// Returns false where it was closed before.
    mutating func close(with reason: ConnectionEnd) -> Bool {
        guard end == nil else { return false }
        end = reason
        return true
    }

    /// Takes all content that has come; the caller gives the window back.
    mutating func takeAll() -> [UInt8] {
        defer { unread = [] }
        return unread
    }

    /// Hands to the request what its goal wants, keeping content of up to `limit` bytes, and the end behind the last of it.
    ///
    /// Returns the bytes that were taken, by which the caller gives the window back.
    mutating func hand(to input: RequestInput, until goal: RequestInput.Goal, keeping limit: Int) -> Int {
        let wanted = input.isReached(goal) ? 0 : min(unread.count, input.room(before: goal))
        if wanted > 0 {
            // Usually all of it is wanted.
            let bytes = unread
            if wanted == bytes.count { unread = [] }
            input.request.apply(.content(0..<wanted), bytes.span, keeping: input.request.keptLimit ?? limit)
            if !unread.isEmpty { unread.removeFirst(wanted) }
        }
        guard unread.isEmpty, hasEnded, !input.request.isComplete else { return wanted }
        if let trailers, !trailers.isEmpty {
            input.request.apply(.trailers(trailers), [UInt8]().span, keeping: 0)
        }
        input.request.apply(.end, [UInt8]().span, keeping: 0)
        return wanted
    }
}

/// Counts a stream among the open ones of the server until it is freed.
final class OpenStreamCount {
    private let usage: ServerUsage

    init(_ usage: ServerUsage) {
        self.usage = usage
        usage.openStream()
    }

    deinit {
        usage.closeStream()
        MemoryReturn.noteFreedStream()
    }
}
