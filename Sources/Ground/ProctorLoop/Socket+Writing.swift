package import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Socket {
    /// Writes all of `bytes`, waiting while the peer does not read; `limit` holds for each wait.
    package func write(_ bytes: [UInt8], within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        var sent = 0
        while sent < bytes.count {
            sent += try await writeSome(bytes, from: sent, within: limit)
        }
    }

    /// Whether a write would not wait: the system has room for much, or an error to report.
    package var hasRoom: Bool {
        loop.preconditionOnLoop()
        guard !isClosed, !isCancelled else { return true }
        return !hasUnsentRecords && writeWouldNotBlock(descriptor)
    }

    /// Writes what the system accepts without waiting; returns how many bytes that were.
    ///
    /// After 0 the next ``write(_:within:)`` waits, or throws the error.
    package func writeAtOnce(_ bytes: [UInt8]) -> Int {
        loop.preconditionOnLoop()
        // A task that has used its turn must write by the function that lets others run.
        guard !isCancelled, !isClosed, hasTurn else { return 0 }
        if let layer {
            guard case .moved(let count) = writeAtOnce(bytes, from: 0, upTo: bytes.count, through: layer) else {
                return 0
            }
            didMove(count)
            return count
        }
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe orErrno(send(descriptor, buffer.baseAddress, buffer.count, noSignalFlag))
        }
        guard count > 0 else { return 0 }
        didWrite(count)
        tap?.didSend(bytes[..<count])
        return count
    }

    /// Writes bytes and others behind them as ``writeAtOnce(_:)`` does, usually by one call.
    package func writeBothAtOnce(_ bytes: [UInt8], _ tail: [UInt8]) -> Int {
        guard !tail.isEmpty, layer == nil, tap == nil else {
            let count = writeAtOnce(bytes)
            return tail.isEmpty || count < bytes.count ? count : count + writeAtOnce(tail)
        }
        loop.preconditionOnLoop()
        guard !isCancelled, !isClosed, hasTurn else { return 0 }
        var progress = VectorProgress()
        let count = progress.write([bytes, tail], to: descriptor)
        guard count > 0 else { return 0 }
        didWrite(count)
        return count
    }

    /// Writes some of `bytes` from `start` up to `end`, without waiting; returns how many, nil where none can be written
    /// now: then call ``awaitRoom(within:)`` and try again.
    ///
    /// With `expectingMore` the system may hold back a last short packet until the next write (MSG_MORE; Linux only),
    /// which must follow at once.
    package func writeSomeAtOnce(
        _ bytes: [UInt8], from start: Int, upTo end: Int = .max, expectingMore: Bool = false
    ) throws(SocketError) -> Int? {
        try requireUsable()
        guard hasTurn else { return nil }
        if let layer { return try writeSomeAtOnce(bytes, from: start, upTo: end, through: layer) }
        let flags = expectingMore ? noSignalFlag | moreFlag : noSignalFlag
        let count = try attempt("write") { descriptor in
            unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<min(end, buffer.count)])
                return unsafe orErrno(send(descriptor, rest.baseAddress, rest.count, flags))
            }
        }
        if let count { tap?.didSend(bytes[start..<start + count]) }
        return count
    }

    /// Writes some of `bytes` from `start` up to `end`, and waits until the system accepts at least one byte.
    ///
    /// Returns how many were written; `expectingMore` is as in ``writeSomeAtOnce(_:from:upTo:expectingMore:)``.
    package func writeSome(
        _ bytes: [UInt8], from start: Int, upTo end: Int = .max, expectingMore: Bool = false,
        within limit: UInt64 = .max
    ) async throws(SocketError) -> Int {
        while true {
            if let count = try writeSomeAtOnce(bytes, from: start, upTo: end, expectingMore: expectingMore) {
                return count
            }
            try await awaitRoom(within: limit)
        }
    }

    /// Waits until a write without waiting may do something.
    package func awaitRoom(within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        guard hasTurn else { return try await shareTurn() }
        guard let began = layerAwaitsInputSince else {
            return try await wait(for: .writing, until: Self.deadline(within: limit))
        }
        // The task that reads waits for bytes; without such a task no event would come.
        let (end, isNever) = began.addingReportingOverflow(limit)
        try await restBetweenTries(until: isNever ? .max : end)
        mayBeReadable = true
    }

    /// Writes all pieces in as few system calls as possible; `limit` holds for each wait.
    package func write(_ pieces: [[UInt8]], within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        guard layer == nil, tap == nil else {
            for piece in pieces { try await write(piece, within: limit) }
            return
        }
        var progress = VectorProgress()
        while progress.piece < pieces.count {
            try await shareTurn()
            if try attempt("sendmsg", { progress.write(pieces, to: $0) }) == nil { try await awaitRoom(within: limit) }
        }
    }

    /// Sends bytes of an open file without copying them; returns how many the system accepted, 0 at the end of the
    /// file, nil where it accepts none now, as ``writeSomeAtOnce(_:from:upTo:expectingMore:)`` does.
    package func sendSomeAtOnce(
        of file: borrowing OpenFile, from offset: Int, byteCount: Int
    ) throws(SocketError) -> Int? {
        try requireUsable()
        guard hasTurn else { return nil }
        if layer != nil || tap != nil {
            let bytes: [UInt8]
            do throws(CallFailure) {
                bytes = try file.bytes(from: offset, byteCount: min(byteCount, Self.filePieceByteCount))
            } catch {
                throw .failed(error)
            }
            guard !bytes.isEmpty else { return 0 }
            return try writeSomeAtOnce(bytes, from: 0)
        }
        let source = file.descriptor
        return try attempt("sendfile") { sendBytes(of: source, to: $0, from: offset, byteCount: byteCount) }
    }

    /// Sends some bytes of a file, and waits until the system accepts at least one; returns how many were sent.
    package func sendSome(
        of file: borrowing OpenFile, from offset: Int, byteCount: Int, within limit: UInt64 = .max
    ) async throws(SocketError) -> Int {
        while true {
            if let count = try sendSomeAtOnce(of: file, from: offset, byteCount: byteCount) { return count }
            try await awaitRoom(within: limit)
        }
    }

    /// How many bytes of a file are read at once for a layer.
    private static let filePieceByteCount = 1 << 16

    /// Calls until the system accepts bytes, or accepts none now, which is nil; the call returns a count or the negative
    /// `errno`.
    private func attempt(_ name: String, _ call: (Int32) -> Int) throws(SocketError) -> Int? {
        while true {
            let count = call(descriptor)
            if count >= 0 {
                didWrite(count)
                return count
            }
            switch Int32(-count) {
            case EINTR: try requireUsable()
            case EAGAIN, EWOULDBLOCK: return nil
            case let code:
                // EPIPE may come from our own half-close, and other errors may concern the file.
                if code == ECONNRESET || code == ETIMEDOUT { failureCode = code }
                throw .failed(.system(name, code: code))
            }
        }
    }
}

struct VectorProgress {
    private(set) var piece = 0
    private var offset = 0

    /// The most pieces for one `sendmsg`: IOV_MAX is 1024 or more everywhere, and 16 pieces fill a socket buffer.
    private static let pieceLimit = 16

    /// Calls `sendmsg` once; advances and returns its count, or the negative `errno`.
    mutating func write(_ pieces: [[UInt8]], to descriptor: Int32) -> Int {
        skipFinished(pieces)
        let batch = pieces[piece...].prefix(Self.pieceLimit)
        guard !batch.isEmpty else { return 0 }
        let count = send(batch, skipping: offset, to: descriptor)
        if count > 0 { advance(by: count, in: pieces) }
        return count
    }

    private func send(_ batch: ArraySlice<[UInt8]>, skipping first: Int, to descriptor: Int32) -> Int {
        unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: batch.count) { vectors in
            unsafe fill(vectors, at: 0, with: batch, skipping: first) { count in
                var message = unsafe msghdr()
                unsafe message.msg_iov = vectors.baseAddress
                unsafe message.msg_iovlen = numericCast(count)
                return unsafe orErrno(sendmsg(descriptor, &message, noSignalFlag))
            }
        }
    }

    /// Nests `withUnsafeBytes`, so that every pointer is valid while `body` runs.
    private func fill(
        _ vectors: UnsafeMutableBufferPointer<iovec>, at index: Int, with batch: ArraySlice<[UInt8]>,
        skipping first: Int, _ body: (Int) -> Int
    ) -> Int {
        guard let bytes = batch.first else { return body(index) }
        return unsafe bytes.withUnsafeBytes { buffer in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[first...])
            unsafe vectors[index] = iovec(
                iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count)
            return unsafe fill(vectors, at: index + 1, with: batch.dropFirst(), skipping: 0, body)
        }
    }

    private mutating func advance(by count: Int, in pieces: [[UInt8]]) {
        var left = count
        while piece < pieces.count {
            let rest = pieces[piece].count - offset
            guard left >= rest else { break }
            left -= rest
            piece += 1
            offset = 0
        }
        offset += left
    }

    private mutating func skipFinished(_ pieces: [[UInt8]]) {
        while piece < pieces.count, offset >= pieces[piece].count {
            piece += 1
            offset = 0
        }
    }
}
