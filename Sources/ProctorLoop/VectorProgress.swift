#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

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
