internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP

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

/// The codings of a reply that this client undoes, each list in the order in which they were applied.
struct ReplyCodings: Equatable {
    /// Of the content; empty also where one of them is unknown, and then the content is handed on as it is.
    let content: [ContentCoding]
    /// Of the message (RFC 9112 §7.2), without `chunked`, which the reader has undone; all of them are known.
    let transfer: [ContentCoding]

    /// Of a final reply; that it has content is the caller's to know.
    init(of head: ReplyHead) {
        // Of a coded whole a part is no coded whole.
        content = head.status == 206 ? [] : Self.undone(head.fields.values(named: "Content-Encoding"))
        transfer = Self.elements(head.fields.values(named: "Transfer-Encoding")).compactMap {
            let coding = ContentCoding(name: $0.prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") })
            return coding == .identity ? nil : coding
        }
    }

    var isEmpty: Bool { content.isEmpty && transfer.isEmpty }

    /// Whether content arrives other than it was sent, so that its length is not known.
    static func areUndone(of head: ReplyHead) -> Bool {
        head.status != 206 && !undone(head.fields.values(named: "Content-Encoding")).isEmpty
    }

    /// Whether bytes of the content stand for something else: ranges of them count what is coded (RFC 9110 §14.1).
    static func areNamed(in fields: [HTTPField]) -> Bool {
        fields.elements(of: "Content-Encoding").contains { ContentCoding(name: $0) != .identity }
    }

    /// Empty where one of them is unknown: to undo the others would leave bytes of no named coding.
    private static func undone(_ values: [ArraySlice<UInt8>]) -> [ContentCoding] {
        let names = elements(values)
        let known = names.compactMap { ContentCoding(name: $0) }
        return known.count == names.count ? known.filter { $0 != .identity } : []
    }

    private static func elements(_ values: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
        values.flatMap { HTTPField(name: "", bytes: Array($0)).elements }
    }
}
