import ProctorBase

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

/// Several codings undone, the last one of the field first (RFC 9110 §8.4), with a bound on what one call gives.
///
/// To be called as ``CodingDecoder`` is. Between two codings at most ``CodingDecoder/outputBound`` bytes wait.
public struct DecodingChain: ~Copyable {
    /// More codings than these are refused, as a reply may name as many as its head is long.
    public static let depthBound = 8

    /// A decoder, and what it has not taken yet of the one before.
    private final class Link {
        var decoder: CodingDecoder
        var waiting: [UInt8] = []
        var offset = 0
        /// Without any bytes it may give more.
        var hasMore = false

        init(_ coding: ContentCoding) throws(CodingFailure) {
            decoder = try CodingDecoder(coding)
        }

        var canRun: Bool { hasMore || offset < waiting.count }

        func decode(into output: inout [UInt8]) throws(CodingFailure) {
            let bytes = waiting
            hasMore = try decoder.decode(bytes.span, at: &offset, into: &output)
        }
    }

    /// In the order in which they are undone.
    private var links: [Link] = []
    /// The failure nearest to the content, and whose it is.
    private var failure: (link: Int, reason: CodingFailure)?

    /// The codings as `Content-Encoding` names them: in the order in which they were applied.
    public init(_ codings: [ContentCoding]) throws(CodingFailure) {
        guard codings.count <= Self.depthBound else { throw Self.refusal(codings.count) }
        for coding in codings.reversed() where coding != .identity { links.append(try Link(coding)) }
        if links.isEmpty { links.append(try Link(.identity)) }
    }

    /// Takes bytes from `offset` on, which it moves, and appends what they give; true: call again with the same bytes.
    ///
    /// At most ``CodingDecoder/outputBound`` bytes are appended; after false all bytes were taken. A failure is thrown
    /// once all that was decoded before it has passed the other decoders.
    public mutating func decode(
        _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) -> Bool {
        let before = output.count
        while true {
            // Nothing is taken any more by a decoder that has failed, nor by one before it.
            let first = failure.map { $0.link + 1 } ?? 0
            let next = links.indices.last { $0 >= first && links[$0].canRun }
            if let failure, next == nil { throw failure.reason }
            try advance(next ?? 0, bytes, at: &offset, into: &output)
            let hasMore = failure != nil || offset < bytes.count || links.contains(where: \.canRun)
            if !hasMore || output.count > before { return hasMore }
        }
    }

    /// The coded bytes are over: refuses an end within any of the formats.
    public mutating func finish() throws(CodingFailure) {
        if let failure { throw failure.reason }
        for link in links { try link.decoder.finish() }
    }

    /// One call of a decoder; it gives to the next one what that has no place for before it has taken all.
    private mutating func advance(
        _ index: Int, _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) {
        do throws(CodingFailure) {
            guard index + 1 < links.count else {
                return try run(index, bytes, at: &offset, into: &output)
            }
            let next = links[index + 1]
            next.waiting.removeAll(keepingCapacity: true)
            next.offset = 0
            try run(index, bytes, at: &offset, into: &next.waiting)
        } catch {
            failure = (index, error)
            if index + 1 == links.count { throw error }
        }
    }

    /// The first one takes what was given, the others what waits for them.
    private func run(
        _ index: Int, _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) {
        let link = links[index]
        guard index == 0 else { return try link.decode(into: &output) }
        link.hasMore = try link.decoder.decode(bytes, at: &offset, into: &output)
    }

    static func refusal(_ count: Int) -> CodingFailure {
        CodingFailure(.usage, "\(count) codings stand one upon another; at most \(depthBound) are taken")
    }
}

extension CodingDecoder {
    /// All of the bytes at once, undone from the last coding to the first; fails above `limit` bytes of content.
    public static func decode(
        _ bytes: [UInt8], codings: [ContentCoding], limit: Int
    ) throws(CodingFailure) -> [UInt8] {
        var chain = try DecodingChain(codings)
        var output: [UInt8] = []
        var offset = 0
        var hasMore = true
        while hasMore {
            hasMore = try chain.decode(bytes.span, at: &offset, into: &output)
            guard output.count <= limit else {
                throw CodingFailure(.tooLarge, "the content has more than \(limit) bytes", offset: offset)
            }
        }
        try chain.finish()
        return output
    }
}
