internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What a request consists of, piece by piece.
extension Exchange {
    func sendStart(within limit: UInt64 = .max) async throws(SendingEnd) {
        while sending.startOffset < sending.start.count {
            let socket = try usableSocket()
            do throws(SocketError) {
                note(
                    start: try await socket.writeSome(
                        sending.start, from: sending.startOffset, within: limit))
            } catch {
                throw .gone
            }
        }
        sending.begin([])
    }

    func send(_ bytes: [UInt8]) async throws(SendingEnd) {
        var sent = 0
        while sent < bytes.count {
            let socket = try usableSocket()
            do throws(SocketError) {
                let count = try await socket.writeSome(bytes, from: sent)
                sent += count
                note(content: count)
            } catch {
                throw .gone
            }
        }
    }

    func send(_ file: OutgoingBody.SentFile) async throws(SendingEnd) {
        let whole = file.file.byteCount
        var sent = 0
        while sent < whole {
            let socket = try usableSocket()
            let count: Int
            do throws(SocketError) {
                count = try await socket.sendSome(
                    of: file.file, from: sent, byteCount: min(whole - sent, Self.filePieceByteCount))
            } catch {
                // Whether the file or the connection is at fault, reading tells, unless the peer is still there.
                guard case .failed(let failure) = error, !failure.isOfConnection else { throw .gone }
                throw .failure(
                    LoadError(.resourceUnavailable, "the body's file \(file.name) can't be read: \(failure.text)"))
            }
            guard count > 0 else {
                throw .failure(
                    LoadError(
                        .requestBodyStreamExhausted,
                        "the body's file \(file.name) ended after \(sent) of \(whole) bytes; "
                            + "it became shorter while it was sent"))
            }
            sent += count
            note(content: count)
        }
    }

    func send(_ stream: BodyStream) async throws(SendingEnd) {
        while let piece = try await next(of: stream) {
            guard !piece.isEmpty else { continue }
            guard sending.expected >= 0 else {
                try await sendChunk(piece)
                continue
            }
            guard piece.count <= sending.expected - sending.contentByteCount else {
                throw .failure(
                    LoadError(
                        .dataLengthExceedsMaximum,
                        "the body stream gave more than the \(sending.expected) bytes it was said to have: "
                            + "\(piece.count) after \(sending.contentByteCount)"))
            }
            try await send(piece)
        }
        if sending.expected < 0 { return try await sendFraming("0\r\n\r\n".utf8) }
        guard sending.contentByteCount == sending.expected else {
            throw .failure(
                LoadError(
                    .requestBodyStreamExhausted,
                    "the body stream ended after \(sending.contentByteCount) of the \(sending.expected) bytes it was "
                        + "said to have"))
        }
    }

    private func next(of stream: BodyStream) async throws(SendingEnd) -> [UInt8]? {
        _ = try usableSocket()
        let piece: [UInt8]?
        do {
            piece = try await stream.next()
        } catch let error as LoadError {
            throw .failure(error)
        } catch {
            throw .failure(
                LoadError(
                    .requestBodyStreamExhausted,
                    "the body stream failed after \(sending.contentByteCount) bytes: \(error)"))
        }
        _ = try usableSocket()
        return piece
    }

    /// One chunk (RFC 9112 §7.1); a short one in one write.
    private func sendChunk(_ piece: [UInt8]) async throws(SendingEnd) {
        var line: [UInt8] = []
        RequestWriter.chunkHead(byteCount: piece.count, into: &line)
        guard piece.count <= Self.joinedByteCount else {
            try await sendFraming(line)
            try await send(piece)
            return try await sendFraming("\r\n".utf8)
        }
        let content = line.count..<line.count + piece.count
        line += piece
        RequestWriter.chunkEnd(into: &line)
        sending.begin(line, content: content)
        try await sendStart()
    }

    private func sendFraming(_ bytes: some Collection<UInt8>) async throws(SendingEnd) {
        sending.begin(Array(bytes))
        try await sendStart()
    }

    /// What one `sendfile` is asked for.
    private static let filePieceByteCount = 1 << 20
    /// Chunks up to this length are copied behind their line.
    private static let joinedByteCount = 16_384
}

extension OutgoingBody.SentFile {
    fileprivate var name: String { "\"\(PrintableText.of(path, limit: 300))\"" }
}

extension CallFailure {
    /// Of `sendfile`, which may also fail for the sake of the file.
    fileprivate var isOfConnection: Bool {
        [EPIPE, ECONNRESET, ECONNABORTED, ENOTCONN, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, ENETDOWN].contains(code)
    }
}
