internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Sends a stream to its reader until it ends; on the loop's thread.
///
/// Another thread makes the text, so that the loop only writes it. A reader that is slower than the journal grows gets
/// less of it, and nothing is kept for it meanwhile.
struct StreamAnswer<Channel: RequestChannel> {
    let channel: Channel
    let isChunked: Bool

    /// Time in which entries are collected for one write.
    private static var interval: Duration { .milliseconds(50) }
    /// The same where a reader does not get all of them anyhow, so that it costs the loop half as much.
    private static var longInterval: Duration { .milliseconds(100) }

    /// Returns how many bytes were written.
    func send(_ stream: JournalStream) async throws(ConnectionEnd) -> Int {
        let loop = channel.socket.loop
        var stream = stream
        var byteCount = 0
        var isThinned = false
        while true {
            let (part, next) = await StreamParts.take(stream, isStopping: channel.isStopping, isChunked: isChunked)
            stream = next
            if !part.bytes.isEmpty {
                try await channel.write(part: part.bytes)
                byteCount += part.bytes.count
            }
            if part.isLast { break }
            isThinned = isThinned || part.isThinned
            if part.hasMore { continue }
            await stream.journal.waitForEntry(
                after: stream.sequence, on: loop, within: .nanoseconds(Int64(clamping: part.patience)))
            await loop.sleep(for: isThinned ? Self.longInterval : Self.interval)
            isThinned = false
            if Task.isCancelled { throw .stopped }
        }
        try await channel.endParts(areChunks: isChunked)
        return byteCount
    }
}

/// Makes what goes out; apart from the generic type, since its work is done on another thread.
private enum StreamParts {
    /// The next part as it goes out, made on another thread.
    static func take(
        _ stream: JournalStream, isStopping: Bool, isChunked: Bool
    ) async -> (JournalStream.Part, JournalStream) {
        await WorkThreads.streaming.run {
            var stream = stream
            var part = stream.take(isStopping: isStopping)
            if isChunked, !part.bytes.isEmpty { part.bytes = chunk(of: part.bytes) }
            return (part, stream)
        }
    }

    private static func chunk(of bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }
}

/// Bounds the streams that are open at a time; safe from any thread.
final class StreamCount: Sendable {
    private let count = Locked(0)

    static let limit = 64

    /// Takes a place, which is given back with ``leave()``; false where there is none.
    func enter() -> Bool {
        count.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}
