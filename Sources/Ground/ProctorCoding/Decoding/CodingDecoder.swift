import ProctorBase

/// Decodes one coding piece by piece, with a bound on the output of one call.
///
/// The caller repeats the call with the same bytes until the result is false:
/// ```
/// var offset = 0
/// var hasMore = true
/// while hasMore {
///     output.removeAll(keepingCapacity: true)
///     hasMore = try decoder.decode(bytes, at: &offset, into: &output)
///     consume(output)
/// }
/// ```
/// Memory does not grow with the content, whatever its compression ratio. It has one owner at a time.
package struct CodingDecoder: ~Copyable {
    /// The most bytes that one call appends: 64 KiB.
    package static let outputBound = 65_536

    private let engine: any DecodingEngine
    private var takenCount = 0
    private var failure: CodingFailure?
    /// The result of the last call; without input and waiting output, no library is called.
    private var hasMore = false

    package init(_ coding: ContentCoding) throws(CodingFailure) {
        switch coding {
        case .identity: engine = IdentityDecoding()
        case .gzip, .xGzip: engine = try GzipDecoding()
        case .deflate: engine = try DeflateDecoding()
        case .brotli: engine = try BrotliDecoding()
        case .zstd: engine = try ZstdDecoding()
        }
    }

    /// Decodes bytes from `offset` on, moves `offset`, and appends the result; true means: call again with the same
    /// bytes.
    ///
    /// At most ``outputBound`` bytes are appended. After false all bytes are consumed. The bytes decoded before a
    /// failure are appended before it is thrown; after a failure every call throws it again.
    package mutating func decode(
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

    /// Called when no coded bytes follow; throws if the format is incomplete (``CodingFailure/Kind/truncated``).
    ///
    /// For every format except identity, no bytes at all are incomplete.
    package mutating func finish() throws(CodingFailure) {
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

/// Decodes several codings, the last one of the field first (RFC 9110 §8.4), with a bound on the output of one call.
///
/// Used in the same way as ``CodingDecoder``. Between two codings at most ``CodingDecoder/outputBound`` bytes are
/// stored.
package struct DecodingChain: ~Copyable {
    /// More codings are refused, since the head of a reply could name any number.
    package static let depthBound = 8

    /// A decoder, and the output of the decoder before it that it has not consumed yet.
    private final class Link {
        var decoder: CodingDecoder
        var waiting: [UInt8] = []
        var offset = 0
        /// Whether a call without input may give more output.
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

    private var links: [Link] = []
    /// The failure nearest to the content, and the index of its decoder.
    private var failure: (link: Int, reason: CodingFailure)?

    /// The codings in the order of `Content-Encoding`, in which they were applied.
    package init(_ codings: [ContentCoding]) throws(CodingFailure) {
        guard codings.count <= Self.depthBound else { throw Self.refusal(codings.count) }
        for coding in codings.reversed() where coding != .identity { links.append(try Link(coding)) }
        if links.isEmpty { links.append(try Link(.identity)) }
    }

    /// Decodes bytes from `offset` on, moves `offset`, and appends the result; true means: call again with the same
    /// bytes.
    ///
    /// At most ``CodingDecoder/outputBound`` bytes are appended; after false all bytes are consumed. A failure is
    /// thrown after the other decoders have consumed all bytes that were decoded before it.
    package mutating func decode(
        _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) -> Bool {
        let before = output.count
        while true {
            // A decoder that has failed consumes no more bytes, nor does any decoder before it.
            let first = failure.map { $0.link + 1 } ?? 0
            let next = links.indices.last { $0 >= first && links[$0].canRun }
            if let failure, next == nil { throw failure.reason }
            try advance(next ?? 0, bytes, at: &offset, into: &output)
            let hasMore = failure != nil || offset < bytes.count || links.contains(where: \.canRun)
            if !hasMore || output.count > before { return hasMore }
        }
    }

    /// Called when no coded bytes follow; throws if any of the formats is incomplete.
    package mutating func finish() throws(CodingFailure) {
        if let failure { throw failure.reason }
        for link in links { try link.decoder.finish() }
    }

    /// Calls a decoder once; the next decoder consumes the output before this one consumes more input.
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

    /// The first decoder gets the given bytes, the others get their stored bytes.
    private func run(
        _ index: Int, _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) {
        let link = links[index]
        guard index == 0 else { return try link.decode(into: &output) }
        link.hasMore = try link.decoder.decode(bytes, at: &offset, into: &output)
    }

    static func refusal(_ count: Int, bound: Int = depthBound) -> CodingFailure {
        CodingFailure(.usage, "\(count) codings stand one upon another; at most \(bound) are taken")
    }
}

extension CodingDecoder {
    /// Decodes all bytes at once, from the last coding to the first; fails above `limit` bytes of content.
    package static func decode(
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
