/// One coding as it is undone, piece by piece, with a bound on what one call gives.
///
/// Bytes that came in are decoded by calling until the answer is false:
/// ```
/// var offset = 0
/// var hasMore = true
/// while hasMore {
///     output.removeAll(keepingCapacity: true)
///     hasMore = try decoder.decode(bytes, at: &offset, into: &output)
///     consume(output)
/// }
/// ```
/// Memory does not grow with the content, however well it was compressed. One owner at a time.
public struct CodingDecoder: ~Copyable {
    /// The most bytes that one call appends, 64 KiB.
    public static let outputBound = 65_536

    private let engine: any DecodingEngine
    /// Coded bytes of all calls.
    private var takenCount = 0
    private var failure: CodingFailure?
    /// The answer of the last call; a library is not called where nothing can come of it.
    private var hasMore = false

    /// Fails only for want of memory.
    public init(_ coding: ContentCoding) throws(CodingFailure) {
        switch coding {
        case .identity: engine = IdentityDecoding()
        case .gzip, .xGzip: engine = try GzipDecoding()
        case .deflate: engine = try DeflateDecoding()
        case .brotli: engine = try BrotliDecoding()
        case .zstd: engine = try ZstdDecoding()
        }
    }

    /// Takes bytes from `offset` on, which it moves, and appends what they give; true: call again with the same bytes.
    ///
    /// At most ``outputBound`` bytes are appended. After false all bytes were taken. What was decoded before a failure
    /// is appended before it is thrown; after a failure every call throws it again.
    public mutating func decode(
        _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) -> Bool {
        if let failure { throw failure }
        guard 0...bytes.count ~= offset else {
            throw CodingFailure(.usage, "offset \(offset) is outside of the \(bytes.count) bytes that were given")
        }
        guard hasMore || offset < bytes.count else { return false }
        let start = offset
        do throws(CodingFailure) {
            hasMore = try engine.step(bytes, at: &offset, into: &output)
            takenCount += offset - start
            return hasMore
        } catch {
            takenCount += offset - start
            throw remember(error)
        }
    }

    /// The coded bytes are over: refuses an end within the format (``CodingFailure/Kind/truncated``).
    ///
    /// No bytes at all are an end within every format but identity.
    public mutating func finish() throws(CodingFailure) {
        if let failure { throw failure }
        do throws(CodingFailure) {
            try engine.finish()
        } catch {
            throw remember(error)
        }
    }

    private mutating func remember(_ error: CodingFailure) -> CodingFailure {
        let placed = error.at(takenCount)
        failure = placed
        return placed
    }
}

// The library's state is reached through the one owner only, and none of the three libraries minds the thread.
extension CodingDecoder: @unchecked Sendable {}
