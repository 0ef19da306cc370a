internal import ProctorCoding

/// Undoes the codings of one content as it comes, a piece at a time; belongs to the thread of its load.
///
/// However much a few coded bytes stand for, no more than one piece of them is there at a time.
final class ContentDecoding {
    private var chain: DecodingChain
    private let toleratesTrailing: Bool
    private var input: [UInt8] = []
    private var offset = 0
    /// Called again, the decoder may give more.
    private var hasMore = false
    private var hasInput = false
    /// The coded content is over, whatever bytes come behind it.
    private var isOver = false
    private var failure: CodingFailure?

    /// In the order in which they were applied.
    init(_ codings: [ContentCoding]) throws(CodingFailure) {
        chain = try DecodingChain(codings)
        // Servers pad gzip files, and gzip itself and the browsers read over what stands behind the last member.
        toleratesTrailing = codings.count == 1 && codings.allSatisfy(\.isGzip)
    }

    /// Takes more coded bytes; to be called after ``next()`` has given nil.
    func take(_ bytes: [UInt8]) {
        guard !isOver, !bytes.isEmpty else { return }
        hasInput = true
        hasMore = true
        input = bytes
        offset = 0
    }

    /// What the bytes give, never empty and ``CodingDecoder/outputBound`` bytes at most; nil: all were taken.
    ///
    /// What can be decoded before a failure is given before it is thrown.
    func next() throws(CodingFailure) -> [UInt8]? {
        // The optimiser does not let a span of a class's property live through a call that writes others.
        let input = input
        while failure == nil, hasMore {
            var output: [UInt8] = []
            do throws(CodingFailure) {
                hasMore = try chain.decode(input.span, at: &offset, into: &output)
            } catch {
                hasMore = false
                if error.kind == .trailing, toleratesTrailing { isOver = true } else { failure = error }
            }
            if !output.isEmpty { return output }
        }
        if let failure { throw failure }
        return nil
    }

    /// The coded bytes are over; no bytes at all are no content.
    func finish() throws(CodingFailure) {
        if let failure { throw failure }
        if hasInput, !isOver { try chain.finish() }
    }
}
