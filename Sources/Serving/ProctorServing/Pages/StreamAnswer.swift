internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorReplies

/// Sends a stream to its reader until it ends; on the loop's thread.
///
/// Another thread makes the text, so that the loop only writes it. A reader that is slower than the journal grows gets
/// less of it, and nothing is kept for it meanwhile.
struct StreamAnswer<Carrier: Wire> {
    let wire: Carrier
    let isChunked: Bool

    /// Time in which entries are collected for one write.
    private static var interval: Duration { .milliseconds(50) }
    /// The interval where a reader does not get all entries anyhow, so that the writes cost the loop half as much.
    private static var longInterval: Duration { .milliseconds(100) }

    /// Returns how many bytes were written.
    func send(_ stream: any ReplyStream) async throws(ConnectionEnd) -> Int {
        let loop = wire.loop
        var stream = stream
        var byteCount = 0
        var isThinned = false
        while true {
            let (part, next) = await StreamParts.nextPart(stream, isStopping: wire.isStopping, isChunked: isChunked)
            stream = next
            if !part.bytes.isEmpty {
                try await wire.write(part: part.bytes)
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
        try await wire.endParts(areChunks: isChunked)
        return byteCount
    }
}

/// Makes what goes out; apart from the generic type, since its work is done on another thread.
private enum StreamParts {
    /// The next part as it goes out, made on another thread.
    static func nextPart(
        _ stream: any ReplyStream, isStopping: Bool, isChunked: Bool
    ) async -> (ReplyStreamPart, any ReplyStream) {
        await WorkThreads.streaming.run(within: .ofInput) { _ in
            var stream = stream
            var part = stream.nextPart(isStopping: isStopping)
            if isChunked, !part.bytes.isEmpty { part.bytes = chunk(of: part.bytes) }
            return (part, stream)
        }
    }

    private static func chunk(of bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }
}
