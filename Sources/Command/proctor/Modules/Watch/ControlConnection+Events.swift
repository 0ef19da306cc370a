internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorLoop
import ProctorProgram

extension ControlConnection {
    /// Why a stream of events is no longer read.
    enum StreamEnd {
        /// The reader wants no more events.
        case stopped
        /// No byte came within the time that `patience` returned.
        case idle
        /// The server answered with a status other than 200.
        case refused(Reply)
        /// No connection could be made.
        case unreachable(Failure)
        /// The connection ended, or its content was no stream of events.
        case broken(String)
    }

    private static let headLimit = 64 << 10

    /// Reads the events at a path such as `runs/r1` or `shared`, on a connection of its own; on the loop's thread.
    ///
    /// `last` is the number of the reader's newest entry, 0 for none. `patience` returns before each read how many
    /// nanoseconds it may take, and `take` returns whether the reader wants more.
    func stream(
        of place: String, after last: UInt64, on loop: EventLoop, patience: () -> UInt64,
        _ take: (StreamedEvent) -> Bool
    ) async -> StreamEnd {
        let socket: Socket
        do throws(SocketError) {
            socket = try await Socket.connect(to: address, on: loop, within: Self.patience)
        } catch {
            return .unreachable(unreachable(error))
        }
        defer { socket.close() }
        do {
            // HTTP/1.0 has no chunks: all bytes until the end are the stream (RFC 9112 §6.3).
            try await socket.write(
                head(
                    "GET", "\(ControlMessage.prefix)/\(place)/events", version: "1.0",
                    fields: last > 0 ? ["Last-Event-ID: \(last)"] : []),
                within: Self.patience)
            var start: [UInt8] = []
            while start.firstHeadEnd == nil, start.count < Self.headLimit {
                guard try await socket.read(within: Self.patience, { start.append($0) }) != nil else { break }
            }
            guard let end = start.firstHeadEnd else { return .broken("the server closed without an answer") }
            let head = String(decoding: start[..<end], as: UTF8.self)
            guard head.hasPrefix("HTTP/1."), head.dropFirst("HTTP/1.1 ".count).prefix(3) == "200" else {
                while start.count < Self.headLimit,
                    try await socket.read(within: Self.patience, { start.append($0) }) != nil
                {}
                return .refused(try Self.reply(from: start))
            }
            return try await events(in: Array(start[end...]), from: socket, patience: patience, take)
        } catch {
            return .broken("\(error)")
        }
    }

    /// `start` are the bytes that were read together with the head.
    private func events(
        in start: [UInt8], from socket: Socket, patience: () -> UInt64, _ take: (StreamedEvent) -> Bool
    ) async throws -> StreamEnd {
        var reader = EventStreamReader()
        var piece = start
        while true {
            for event in try reader.read(piece) where !take(event) { return .stopped }
            let (bytes, failure) = await Self.read(from: socket, within: patience())
            if failure == .timedOut { return .idle }
            if let failure { throw failure }
            guard let bytes else { return .broken("the server closed the connection") }
            piece = bytes
        }
    }

    /// The next bytes, or nil at the end; or why there are none.
    private static func read(from socket: Socket, within limit: UInt64) async -> ([UInt8]?, SocketError?) {
        var bytes: [UInt8] = []
        do throws(SocketError) {
            return try await socket.read(within: limit) { bytes.append($0) } == nil ? (nil, nil) : (bytes, nil)
        } catch {
            return (nil, error)
        }
    }
}

extension [UInt8] {
    /// The offset after the empty line that ends a head.
    fileprivate var firstHeadEnd: Int? {
        guard count >= 4 else { return nil }
        return (0...count - 4).first { self[$0...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) }.map { $0 + 4 }
    }
}
