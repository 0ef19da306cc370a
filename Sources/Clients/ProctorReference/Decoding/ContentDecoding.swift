internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP

/// Decodes one content, and holds at most one decoded piece; belongs to its load's thread.
final class ContentDecoding {
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
    init(_ codings: [ContentCoding]) throws(CodingFailure) {
        chain = try DecodingChain(codings)
        // Servers pad gzip files; gzip and browsers ignore the bytes after the last member.
        toleratesTrailing = codings.count == 1 && codings.allSatisfy(\.isGzip)
    }

    /// Appends more coded bytes; call it only after ``next()`` returned nil.
    func append(_ bytes: [UInt8]) {
        guard !isOver, !bytes.isEmpty else { return }
        hasInput = true
        hasMore = true
        input = bytes
        offset = 0
    }

    /// A decoded piece of 1 to ``CodingDecoder/outputBound`` bytes; nil: more input is needed, or a failure comes next.
    func next() throws(CodingFailure) -> [UInt8]? {
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
    func finish() throws(CodingFailure) {
        if let failure { throw failure }
        if hasInput, !isOver { try chain.finish() }
    }
}

/// The codings of a reply that this client decodes, each list in the order of their application.
struct ReplyCodings: Equatable {
    /// The content codings; empty when one of them is unknown, and the content is then passed on as received.
    let content: [ContentCoding]
    /// The transfer codings (RFC 9112 §7.2) without `chunked`, which the reader has decoded; all are known.
    let transfer: [ContentCoding]

    /// The codings of a final reply; the caller checks that it has content.
    init(of head: ReplyHead) {
        // A part of coded content cannot be decoded.
        content = head.status == 206 ? [] : Self.undone(head.fields.values(named: "Content-Encoding"))
        transfer = Self.elements(head.fields.values(named: "Transfer-Encoding")).compactMap {
            let coding = ContentCoding(name: $0.prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") })
            return coding == .identity ? nil : coding
        }
    }

    var isEmpty: Bool { content.isEmpty && transfer.isEmpty }

    /// Whether content is decoded on arrival, so that its length is unknown.
    static func areUndone(of head: ReplyHead) -> Bool {
        head.status != 206 && !undone(head.fields.values(named: "Content-Encoding")).isEmpty
    }

    /// Whether the content is coded; ranges count coded bytes (RFC 9110 §14.1).
    static func areNamed(in fields: [HTTPField]) -> Bool {
        fields.elements(of: "Content-Encoding").contains { ContentCoding(name: $0) != .identity }
    }

    /// The codings; empty when one of them is unknown, since decoding only the others would give bytes of no named
    /// coding.
    private static func undone(_ values: [ArraySlice<UInt8>]) -> [ContentCoding] {
        let names = elements(values)
        let known = names.compactMap { ContentCoding(name: $0) }
        return known.count == names.count ? known.filter { $0 != .identity } : []
    }

    private static func elements(_ values: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
        values.flatMap { HTTPField(name: "", bytes: Array($0)).elements }
    }
}
