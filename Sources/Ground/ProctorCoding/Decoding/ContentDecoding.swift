internal import ProctorBase

/// Decodes one content, and holds at most one decoded piece; belongs to its load's thread.
package final class ContentDecoding {
    private var chain: DecodingChain
    private let toleratesTrailing: Bool
    private var input: [UInt8] = []
    private var offset = 0
    private var hasMore = false
    private var hasInput = false
    /// The coded content has ended; later bytes are ignored.
    private var isOver = false
    private var failure: CodingFailure?

    /// `codings` in the order in which they were applied.
    package init(_ codings: [ContentCoding]) throws(CodingFailure) {
        chain = try DecodingChain(codings)
        // Servers pad gzip files; gzip and browsers ignore the bytes after the last member.
        toleratesTrailing = codings.count == 1 && codings.allSatisfy(\.isGzip)
    }

    /// Appends more coded bytes; call it only after ``next()`` returned nil.
    package func append(_ bytes: [UInt8]) {
        guard !isOver, !bytes.isEmpty else { return }
        hasInput = true
        hasMore = true
        input = bytes
        offset = 0
    }

    /// A decoded piece of 1 to ``CodingDecoder/outputBound`` bytes; nil: more input is needed, or a failure comes next.
    package func next() throws(CodingFailure) -> [UInt8]? {
        // The optimiser ends the lifetime of a span of a class's property before a call that writes other properties.
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

    /// Ends the coded input; an input of zero bytes is empty content.
    package func finish() throws(CodingFailure) {
        if let failure { throw failure }
        if hasInput, !isOver { try chain.finish() }
    }
}
