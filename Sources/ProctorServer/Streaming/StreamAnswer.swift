internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Sends a stream to the reader on a connection until it ends; on the loop's thread.
///
/// Another thread makes the text, so that the loop only writes it. A reader that is slower than the journal grows gets
/// less of it, and nothing is kept for it meanwhile.
struct StreamAnswer {
    let connection: Connection
    let isChunked: Bool

    /// Time in which entries are collected for one write.
    private static let interval = Duration.milliseconds(50)

    /// Returns how many bytes were written.
    func send(_ stream: JournalStream) async throws(ConnectionEnd) -> Int {
        let loop = connection.socket.loop
        var stream = stream
        var byteCount = 0
        while true {
            let (part, next) = await Self.take(stream, isStopping: connection.isStopping)
            stream = next
            if !part.bytes.isEmpty { byteCount += try await write(part.bytes) }
            if part.isLast { break }
            if part.hasMore { continue }
            await stream.journal.waitForEntry(
                after: stream.sequence, on: loop, within: .nanoseconds(Int64(clamping: part.patience)))
            await loop.sleep(for: Self.interval)
            if Task.isCancelled { throw .stopped }
        }
        if isChunked { try await connection.output.write(Array("0\r\n\r\n".utf8)) }
        return byteCount
    }

    private static func take(
        _ stream: JournalStream, isStopping: Bool
    ) async -> (JournalStream.Part, JournalStream) {
        await WorkThreads.streaming.run {
            var stream = stream
            let part = stream.take(isStopping: isStopping)
            return (part, stream)
        }
    }

    private func write(_ bytes: [UInt8]) async throws(ConnectionEnd) -> Int {
        guard isChunked else {
            try await connection.output.write(bytes)
            return bytes.count
        }
        let chunk = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
        try await connection.output.write(chunk)
        return chunk.count
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
