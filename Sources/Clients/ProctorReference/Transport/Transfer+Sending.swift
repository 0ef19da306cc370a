internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

extension Transfer {
    enum SendingEnd: Error {
        /// The connection accepts no more bytes, or is no longer needed; the reading side reports the reason.
        case gone
        case failure(LoadError)
    }

    /// Sends what the system accepts without waiting, which is all of most requests.
    func sendAtOnce() {
        guard let carrier = state.carrier, !collectsStream else { return }
        switch carrier {
        case .connection(let connection) where connection.state.isSentAhead:
            recordSent(byteCount: state.sending.start.count)
        case .connection(let connection): recordSent(byteCount: connection.socket.writeAtOnce(state.sending.start))
        case .stream(let stream):
            let count = stream.writeAtOnce(state.sending.start, from: 0)
            // The head, where no content was queued.
            stream.connection.flush()
            recordSent(byteCount: count)
        }
        finishIfNothingIsLeft()
    }

    /// Sends the rest while the reply may already arrive; returns when the connection is closed.
    func sendRest() async {
        do throws(SendingEnd) {
            if collectsStream { try await collectStream() }
            try await sendStart()
            switch state.sending.rest {
            case .none: break
            case .bytes(let bytes): try await send(bytes)
            case .file(let file): try await sendFile(file)
            case .stream(let stream): try await sendStream(stream)
            }
            state.stream?.finish(with: state.sending.trailers)
            state.sending.isComplete = true
        } catch {
            guard case .failure(let failure) = error, !isOver else { return }
            state.sending.failure = failure
            // Resumes the reading side, which ends the transfer.
            state.connection?.socket.cancel()
            state.stream?.wake()
        }
    }

    /// Sends only the head, then waits for a 100, a final head or the end of `continueTime` (RFC 9110 §10.1.1).
    func awaitContinue() async throws(TransferEnd) {
        let continueTime = pool.limits.continueTime.wholeNanoseconds
        do throws(SendingEnd) {
            try await sendStart(within: continueTime)
        } catch {
            return
        }
        let start = MonotonicClock.nanoseconds
        while !state.arrival.mayContinue, state.arrival.head == nil, state.arrival.violation == nil {
            let passed = MonotonicClock.nanoseconds &- start
            guard passed < continueTime else { return }
            guard try await readInTime(within: continueTime - passed) else { return }
            try tellInterims()
        }
        // A final status instead of a 100 means that the server does not want the content.
        if !state.arrival.mayContinue { state.sending.isStopped = true }
    }

    // MARK: Progress

    func usableCarrier() throws(SendingEnd) -> Carrier {
        guard !isOver, !state.sending.isStopped, let carrier = state.carrier else { throw .gone }
        return carrier
    }

    /// Waits until the system, or the windows of a stream, accept at least one byte; returns the number.
    private func writeSome(
        _ bytes: [UInt8], from start: Int, within limit: UInt64 = .max
    ) async throws(SendingEnd) -> Int {
        switch try usableCarrier() {
        case .connection(let connection):
            do throws(SocketError) {
                return try await connection.socket.writeSome(bytes, from: start, within: limit)
            } catch {
                throw .gone
            }
        case .stream(let stream):
            guard let count = await stream.writeSome(bytes, from: start) else { throw .gone }
            return count
        }
    }

    func recordSent(byteCount count: Int) {
        recordSent(contentByteCount: state.sending.moveOn(by: count))
    }

    func recordSent(contentByteCount count: Int) {
        state.lastActivity = MonotonicClock.nanoseconds
        guard count > 0 else { return }
        state.sending.count(count)
        report(.bodySent(byteCount: count, expected: state.sending.expected))
    }

    private func finishIfNothingIsLeft() {
        guard state.sending.startOffset == state.sending.start.count, case .none = state.sending.rest else { return }
        state.sending.prepare([])
        state.sending.isComplete = true
        letOthersFollow()
    }

    /// Sends bytes behind a reply that has switched protocols; false where the connection takes no more.
    func sendUpgraded(_ bytes: [UInt8]) async -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard let count = try? await writeSome(bytes, from: sent) else { return false }
            sent += count
            state.lastActivity = MonotonicClock.nanoseconds
        }
        return true
    }

    // MARK: The parts of a request

    func sendStart(within limit: UInt64 = .max) async throws(SendingEnd) {
        while state.sending.startOffset < state.sending.start.count {
            recordSent(
                byteCount: try await writeSome(state.sending.start, from: state.sending.startOffset, within: limit))
        }
        state.sending.prepare([])
    }

    func send(_ bytes: [UInt8]) async throws(SendingEnd) {
        var sent = 0
        while sent < bytes.count {
            let count = try await writeSome(bytes, from: sent)
            sent += count
            recordSent(contentByteCount: count)
        }
    }

    func sendFile(_ file: OutgoingBody.SentFile) async throws(SendingEnd) {
        let whole = file.file.byteCount
        var sent = 0
        while sent < whole {
            let count = try await sendSome(of: file, from: sent, upTo: whole)
            guard count > 0 else {
                throw .failure(
                    LoadError(
                        .requestBodyStreamExhausted,
                        "the body's file \(file.name) ended after \(sent) of \(whole) bytes; "
                            + "it became shorter while it was sent"))
            }
            sent += count
            // A stream has recorded its parts itself.
            if state.connection != nil { recordSent(contentByteCount: count) }
        }
    }

    /// Sends a part; returns the number of bytes, 0 at the end of the file.
    private func sendSome(
        of file: OutgoingBody.SentFile, from start: Int, upTo whole: Int
    ) async throws(SendingEnd) -> Int {
        let byteCount = min(whole - start, Self.filePieceByteCount)
        switch try usableCarrier() {
        case .connection(let connection):
            do throws(SocketError) {
                return try await connection.socket.sendSome(of: file.file, from: start, byteCount: byteCount)
            } catch {
                // The reading side finds an error of the connection; an error of the file must be reported here.
                guard case .failed(let failure) = error, !failure.isOfConnection else { throw .gone }
                throw file.unreadable(failure)
            }
        case .stream:
            let piece: [UInt8]
            do throws(CallFailure) {
                piece = try file.file.bytes(from: start, byteCount: min(byteCount, Self.joinedByteCount))
            } catch {
                throw file.unreadable(error)
            }
            try await send(piece)
            return piece.count
        }
    }

    func sendStream(_ stream: BodyStream) async throws(SendingEnd) {
        while let piece = try await next(of: stream) {
            guard !piece.isEmpty else { continue }
            guard state.sending.expected >= 0 else {
                try await sendChunk(piece)
                continue
            }
            guard piece.count <= state.sending.expected - state.sending.contentByteCount else {
                throw .failure(
                    LoadError(
                        .dataLengthExceedsMaximum,
                        "the body stream gave more than the \(state.sending.expected) bytes it was said to have: "
                            + "\(piece.count) after \(state.sending.contentByteCount)"))
            }
            try await send(piece)
        }
        if state.sending.expected < 0 { return try await sendLastChunk() }
        guard state.sending.contentByteCount == state.sending.expected else {
            throw .failure(
                LoadError(
                    .requestBodyStreamExhausted,
                    "the body stream ended after \(state.sending.contentByteCount) of the \(state.sending.expected) bytes it was "
                        + "said to have"))
        }
    }

    /// Whether a stream is read to its end first, a deliberate fault.
    private var collectsStream: Bool {
        guard fault == .wire(.collectsStreams), case .stream = state.sending.rest else { return false }
        return true
    }

    private func collectStream() async throws(SendingEnd) {
        guard case .stream(let stream) = state.sending.rest else { return }
        var content: [UInt8] = []
        while let piece = try await next(of: stream) { content += piece }
        state.sending.rest = .stream(BodyStream(content))
    }

    private func next(of stream: BodyStream) async throws(SendingEnd) -> [UInt8]? {
        _ = try usableCarrier()
        let piece: [UInt8]?
        do {
            piece = try await stream.next()
        } catch let error as LoadError {
            throw .failure(error)
        } catch {
            throw .failure(
                LoadError(
                    .requestBodyStreamExhausted,
                    "the body stream failed after \(state.sending.contentByteCount) bytes: \(error)"))
        }
        _ = try usableCarrier()
        return piece
    }

    /// Sends the last chunk; a stream ends with END_STREAM instead (RFC 9113 §8.1).
    private func sendLastChunk() async throws(SendingEnd) {
        guard state.connection != nil else { return }
        var bytes = Array("0\r\n".utf8)
        RequestWriter.fieldLines(state.sending.trailers, into: &bytes)
        RequestWriter.lineEnd(into: &bytes)
        try await sendFraming(bytes)
    }

    /// Sends one chunk (RFC 9112 §7.1), a short one in one write; on a stream, a DATA frame.
    private func sendChunk(_ piece: [UInt8]) async throws(SendingEnd) {
        guard state.connection != nil else { return try await send(piece) }
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
        state.sending.prepare(line, content: content)
        try await sendStart()
    }

    private func sendFraming(_ bytes: some Collection<UInt8>) async throws(SendingEnd) {
        state.sending.prepare(Array(bytes))
        try await sendStart()
    }

    /// The most bytes of one `sendfile` call.
    private static let filePieceByteCount = 1 << 20
    /// The longest chunk that is copied behind its size line, in bytes.
    private static let joinedByteCount = 16_384
}

extension OutgoingBody.SentFile {
    fileprivate var name: String { "\"\(PrintableText.sanitize(path, limit: 300))\"" }

    fileprivate func unreadable(_ failure: CallFailure) -> Transfer.SendingEnd {
        .failure(LoadError(.resourceUnavailable, "the body's file \(name) can't be read: \(failure.text)"))
    }
}

extension Transfer {
    /// The part of the request that the system has accepted.
    struct Sending {
        /// The next bytes that are not part of the caller's content: the head or chunk framing; empty when sent.
        private(set) var start: [UInt8] = []
        private(set) var startOffset = 0
        private var contentRange = 0..<0
        fileprivate(set) var rest: OutgoingBody.Source = .none
        /// The length of the content; -1 for a stream of unknown length.
        private(set) var expected = 0
        private(set) var contentByteCount = 0
        var isComplete = false
        /// Whether sending has ended; the reply is still read.
        var isStopped = false
        private(set) var awaitsContinue = false
        /// The fields behind content of unknown length.
        private(set) var trailers: [HTTPField] = []
        let asksToClose: Bool
        /// An error when the content differs from its announced length, which ends the transfer.
        var failure: LoadError?

        /// The longest content that is sent together with the head, in bytes.
        private static let shortByteCount = 65_536

        init() {
            asksToClose = true
        }

        /// On a stream, the HEADERS frame has the head.
        init(_ head: OutgoingHead, _ body: OutgoingBody, onStream: Bool = false) {
            if !onStream { start = head.bytes }
            rest = body.source
            expected = body.byteCount ?? -1
            trailers = body.trailers
            asksToClose = head.asksToClose && !onStream
            awaitsContinue = head.expectsContinue
            if case .bytes(let bytes) = rest, bytes.count <= Self.shortByteCount, !awaitsContinue {
                contentRange = start.count..<start.count + bytes.count
                start += bytes
                rest = .none
            }
        }

        mutating func prepare(_ bytes: [UInt8], content: Range<Int> = 0..<0) {
            start = bytes
            startOffset = 0
            contentRange = content
        }

        /// Records that the system accepted `count` bytes of `start`; returns how many of them were content.
        mutating func moveOn(by count: Int) -> Int {
            let taken = startOffset..<startOffset + count
            startOffset = taken.upperBound
            return taken.clamped(to: contentRange).count
        }

        mutating func count(_ byteCount: Int) {
            contentByteCount += byteCount
        }
    }
}
