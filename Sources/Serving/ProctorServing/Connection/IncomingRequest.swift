internal import ProctorBase
internal import ProctorCoding
package import ProctorHTTP
internal import ProctorJournal

package struct IncomingRequest {
    package private(set) var head: RequestHead?
    private(set) var keptContent: [UInt8] = []
    private(set) var contentByteCount = 0
    var wasContinued = false
    /// Whether the client did not send its announced content.
    var isWithheld = false
    /// Whether the reply was sent and the connection waits for the content or another request.
    var isAwaited = false
    private(set) var isComplete = false
    var isJudgedByCookies = false
    /// Whether its end is in the journal already though not all of it came.
    var isEndNoted = false
    /// At most one: an array has no room where it is empty, as it is for each connection that waits.
    private var rare: [Rare] = []

    /// What few requests have.
    private struct Rare {
        var trailers: [[UInt8]] = []
        var chunks: [Int] = []
        var chunkLines: [[UInt8]] = []
        var chunkLineByteCount = 0
        var keptLimit: Int?
        var piece: [UInt8]?
        var refusal: Violation?
        /// Since the last ``takeViolations()``, without those of the head.
        var violations: [Violation] = []
    }

    private static let keptChunkCount = 1_000

    private var made: Rare {
        get { rare.first ?? Rare() }
        _modify {
            if rare.isEmpty { rare.append(Rare()) }
            yield &rare[0]
        }
    }

    private var trailers: [[UInt8]] { rare.isEmpty ? [] : rare[0].trailers }
    /// Byte counts of the chunks, without the last chunk, which is empty.
    private var chunks: [Int] { rare.isEmpty ? [] : rare[0].chunks }
    /// The line before each chunk, also before the last one, up to the kept limit.
    private var chunkLines: [[UInt8]] { rare.isEmpty ? [] : rare[0].chunkLines }

    /// Why the peer's bytes can't be read further; nil where they can.
    var refusal: Violation? { rare.isEmpty ? nil : rare[0].refusal }

    /// Bytes of content to keep, where the request needs another bound than the connection's; nil: the connection's.
    var keptLimit: Int? {
        get { rare.isEmpty ? nil : rare[0].keptLimit }
        set { if newValue != keptLimit { made.keptLimit = newValue } }
    }

    /// The content that comes while it is not nil, whatever is kept; for who reads it piece by piece.
    var piece: [UInt8]? {
        get { rare.isEmpty ? nil : rare[0].piece }
        set { made.piece = newValue }
    }

    /// Takes an event of the reader; the event's ranges are offsets in `input`.
    mutating func apply(_ event: RequestEvent, _ input: Span<UInt8>, keeping limit: Int) {
        switch event {
        case .head(let head): self.head = head
        case .content(let range): appendContent(input.extracting(range), limit)
        case .chunk(let byteCount, _):
            if byteCount > 0, chunks.count < Self.keptChunkCount { made.chunks.append(byteCount) }
        case .trailers(let fields): made.trailers = fields.map { Array($0.raw) }
        case .violation(let violation): made.violations.append(violation)
        case .end: isComplete = true
        case .refused(let violation): made.refusal = violation
        }
    }

    private mutating func appendContent(_ content: Span<UInt8>, _ limit: Int) {
        contentByteCount += content.count
        if !rare.isEmpty { rare[0].piece?.append(content) }
        let room = min(content.count, limit - keptContent.count)
        guard room > 0 else { return }
        keptContent.append(content.extracting(first: room))
    }

    /// Takes the line before a chunk; `bytes` may begin with the line end of the chunk before it.
    mutating func appendChunkLine(_ bytes: [UInt8]) {
        guard chunkLines.count <= Self.keptChunkCount else { return }
        var line = bytes[...]
        if line.starts(with: [0x0D, 0x0A]) { line = line.dropFirst(2) }
        while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
        made.chunkLineByteCount += line.count
        guard made.chunkLineByteCount <= ReceivedBytes.keptByteLimit else { return }
        made.chunkLines.append(Array(line))
    }

    mutating func takeViolations() -> [Violation] {
        guard !rare.isEmpty, !rare[0].violations.isEmpty else { return [] }
        defer { rare[0].violations = [] }
        return rare[0].violations
    }

    /// Forgets the request; most requests have only a head, so that nothing else is freed.
    mutating func removeAll() {
        guard contentByteCount == 0, rare.isEmpty else { return self = IncomingRequest() }
        head = nil
        wasContinued = false
        isWithheld = false
        isAwaited = false
        isComplete = false
        isJudgedByCookies = false
        isEndNoted = false
    }

    // Inlined, so that no copy is made where an object has the request.
    @inline(__always) package var hasUnreadContent: Bool { !isComplete && (rare.isEmpty || rare[0].refusal == nil) }

    var body: RequestBody {
        RequestBody(
            kept: keptContent, byteCount: contentByteCount, isComplete: isComplete, trailers: trailers, chunks: chunks,
            chunkLines: chunkLines, isWithheld: isWithheld, decoded: contentByteCount == 0 ? nil : decodedContent)
    }

    /// The content without its codings, where all of it is kept and no more than a journal keeps.
    private var decodedContent: SentContent? {
        guard isComplete, let head, head.fields.first(named: "Content-Encoding") != nil,
            keptContent.count == contentByteCount,
            let codings = ReceivedCodings(head.fields.values(named: Array("Content-Encoding".utf8))),
            case .bytes(let bytes)? = try? codings.decode(
                keptContent, upTo: Self.mostDecoded, within: WorkBudget(stepLimit: Self.mostDecoded))
        else { return nil }
        return SentContent(byteCount: bytes.count, kept: bytes)
    }

    private static let mostDecoded = 1 << 20
}

/// Bytes read from the socket that the reader has not taken; empty unless requests are pipelined.
package struct InputBuffer {
    package private(set) var bytes: [UInt8] = []
    /// Offset of the first byte that the reader has not taken.
    package private(set) var start = 0

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    package var isEmpty: Bool { start == bytes.count }

    var unread: ArraySlice<UInt8> { bytes[start...] }

    mutating func append(_ more: Span<UInt8>) { bytes.append(more) }

    mutating func consume(_ count: Int) {
        start += count
        if isEmpty { self = InputBuffer() }
    }

    /// Lends all bytes to `body`, then drops them; does not call `body` without bytes.
    mutating func drain(_ body: (Span<UInt8>) -> Void) {
        guard !isEmpty else { return self = InputBuffer() }
        let (bytes, start) = (bytes, start)
        self = InputBuffer()
        body(bytes.span.extracting(start..<bytes.count))
    }
}

/// Bytes that are in no journal yet: the first of them, and the count of all.
struct UnreadBytes {
    private(set) var kept: [UInt8] = []
    private(set) var byteCount = 0

    var isEmpty: Bool { byteCount == 0 }

    /// `limit` is the total number of kept bytes.
    mutating func append(_ bytes: Span<UInt8>, keeping limit: Int = ReceivedBytes.keptByteLimit) {
        byteCount += bytes.count
        let room = min(bytes.count, limit - kept.count)
        if room > 0 { kept.append(bytes.extracting(first: room)) }
    }

    mutating func removeAll() { self = UnreadBytes() }

    /// The journal event for the bytes, which are then dropped; nil where there are none.
    mutating func event(_ kind: ReceivedBytes.Kind) -> JournalEvent? {
        guard !isEmpty else { return nil }
        defer { removeAll() }
        return .bytesReceived(ReceivedBytes(kind, kept: kept, byteCount: byteCount))
    }
}
