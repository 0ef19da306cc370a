internal import ProctorBase
internal import ProctorHTTP
internal import ProctorTrace

/// A request as far as it has arrived.
struct IncomingRequest {
    private(set) var head: RequestHead?
    private(set) var keptContent: [UInt8] = []
    private(set) var contentByteCount = 0
    private(set) var trailers: [[UInt8]] = []
    /// Without the last one, which has no bytes.
    private(set) var chunks: [Int] = []
    private static let keptChunkCount = 1_000
    private(set) var isComplete = false
    /// Bytes of content to keep, where the request needs another bound than the connection's.
    var keptLimit: Int?
    /// The journal says already what its cookies look like.
    var isJudgedByCookies = false
    /// The peer's bytes cannot be read on.
    private(set) var refusal: Violation?
    /// Found since they were last taken, but those of the head, which the head holds.
    private var violations: [Violation] = []

    /// Takes an event of the reader; `input` is what its ranges point into.
    mutating func take(_ event: RequestEvent, _ input: Span<UInt8>, keeping limit: Int) {
        switch event {
        case .head(let head): self.head = head
        case .content(let range): keep(input.extracting(range), limit)
        case .chunk(let byteCount, _):
            if byteCount > 0, chunks.count < Self.keptChunkCount { chunks.append(byteCount) }
        case .trailers(let fields): trailers = fields.map { Array($0.raw) }
        case .violation(let violation): violations.append(violation)
        case .end: isComplete = true
        case .refused(let violation): refusal = violation
        }
    }

    private mutating func keep(_ content: Span<UInt8>, _ limit: Int) {
        contentByteCount += content.count
        let room = min(content.count, limit - keptContent.count)
        guard room > 0 else { return }
        keptContent.append(content.extracting(first: room))
    }

    mutating func takeViolations() -> [Violation] {
        guard !violations.isEmpty else { return [] }
        defer { violations = [] }
        return violations
    }

    /// Whether reading further could bring content.
    var hasUnreadContent: Bool { !isComplete && refusal == nil }

    var body: RequestBody {
        RequestBody(
            kept: keptContent, byteCount: contentByteCount, isComplete: isComplete, trailers: trailers, chunks: chunks)
    }
}
