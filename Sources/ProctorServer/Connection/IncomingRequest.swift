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
    /// Of all chunks, the last one too, as far as they are kept.
    private(set) var chunkLines: [[UInt8]] = []
    private var chunkLineByteCount = 0
    /// The client has been told to send its content: 100 (Continue) went out.
    var wasContinued = false
    /// The client kept its content back.
    var isWithheld = false
    /// Its reply has gone out, and what comes next is its content or another request.
    var isAwaited = false
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

    /// Takes the line before a chunk; `bytes` may begin with the line end of the chunk before it.
    mutating func take(chunkLine bytes: [UInt8]) {
        guard chunkLines.count <= Self.keptChunkCount else { return }
        var line = bytes[...]
        if line.starts(with: [0x0D, 0x0A]) { line = line.dropFirst(2) }
        while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
        chunkLineByteCount += line.count
        guard chunkLineByteCount <= ReceivedBytes.keptByteLimit else { return }
        chunkLines.append(Array(line))
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
            kept: keptContent, byteCount: contentByteCount, isComplete: isComplete, trailers: trailers, chunks: chunks,
            chunkLines: chunkLines, isWithheld: isWithheld)
    }
}
