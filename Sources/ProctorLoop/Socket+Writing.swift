internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Socket {
    /// Hands all of `bytes` to the system, waiting while the peer does not read; `limit` holds for each wait.
    public func write(_ bytes: [UInt8], within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        var sent = 0
        while sent < bytes.count {
            sent += try await writeSome(bytes, from: sent, within: limit)
        }
    }

    /// Hands `bytes` to the system if it takes them at once, without suspending; returns how many it took.
    ///
    /// 0 says nothing about why: the next ``write(_:within:)`` waits, or tells the error.
    public func writeAtOnce(_ bytes: [UInt8]) -> Int {
        loop.preconditionOnLoop()
        // A task that has had its turn must go on by the way that shares it.
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
        return count
    }

    /// Hands some of `bytes` from `start` up to `end` to the system, waiting until it takes at least one; returns how
    /// many.
    ///
    /// With `expectingMore` the system may hold a last short packet back until the next write (MSG_MORE; elsewhere it
    /// does not), which therefore must follow at once.
    public func writeSome(
        _ bytes: [UInt8], from start: Int, upTo end: Int = .max, expectingMore: Bool = false,
        within limit: UInt64 = .max
    ) async throws(SocketError) -> Int {
        if let layer {
            try requireUsable()
            try await shareTurn()
            return try await writeSome(bytes, from: start, upTo: end, through: layer, within: limit)
        }
        let flags = expectingMore ? noSignalFlag | moreFlag : noSignalFlag
        return try await attempt("write", within: limit) { descriptor in
            unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<min(end, buffer.count)])
                return unsafe orErrno(send(descriptor, rest.baseAddress, rest.count, flags))
            }
        }
    }

    /// Hands all of the pieces to the system in as few calls as it allows; `limit` holds for each wait.
    public func write(_ pieces: [[UInt8]], within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        guard layer == nil else {
            for piece in pieces { try await write(piece, within: limit) }
            return
        }
        var progress = VectorProgress()
        while progress.piece < pieces.count {
            _ = try await attempt("sendmsg", within: limit) { progress.write(pieces, to: $0) }
        }
    }

    /// Sends bytes of an open file without copying them through this process; returns how many were taken, 0 at its end.
    public func sendSome(
        of file: borrowing OpenFile, from offset: Int, byteCount: Int, within limit: UInt64 = .max
    ) async throws(SocketError) -> Int {
        if layer != nil {
            let bytes: [UInt8]
            do throws(CallFailure) {
                bytes = try file.bytes(from: offset, byteCount: min(byteCount, Self.filePieceByteCount))
            } catch {
                throw .failed(error)
            }
            guard !bytes.isEmpty else { return 0 }
            return try await writeSome(bytes, from: 0, within: limit)
        }
        let source = file.descriptor
        return try await attempt("sendfile", within: limit) {
            sendBytes(of: source, to: $0, from: offset, byteCount: byteCount)
        }
    }

    /// What is read of a file at once where it goes through a layer.
    private static let filePieceByteCount = 1 << 16

    /// Repeats a call until it takes something; the call gives a count or the negative `errno`.
    private func attempt(
        _ name: String, within limit: UInt64, _ call: (Int32) -> Int
    ) async throws(SocketError) -> Int {
        try requireUsable()
        try await shareTurn()
        while true {
            let count = call(descriptor)
            if count >= 0 {
                didWrite(count)
                return count
            }
            switch Int32(-count) {
            case EINTR: try requireUsable()
            case EAGAIN, EWOULDBLOCK: try await wait(for: .writing, until: Self.deadline(within: limit))
            case let code:
                // EPIPE may be no more than our own half-close, and others concern the file.
                if code == ECONNRESET || code == ETIMEDOUT { failureCode = code }
                throw .failed(.system(name, code: code))
            }
        }
    }
}

/// How far a vectored write has come.
struct VectorProgress {
    /// The first piece that is not written to its end.
    private(set) var piece = 0
    private var offset = 0

    /// Pieces for one `sendmsg`; IOV_MAX is 1024 or more everywhere, and 16 already fill a socket buffer.
    private static let pieceLimit = 16

    /// One `sendmsg`; moves on and returns its count, or the negative `errno`.
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
