internal import ProctorHTTP
internal import ProctorTrace

/// A ring of journal entries that knows how many bytes it holds.
struct BoundedEntries {
    private let limits: Journal.Limits
    private var ring: [JournalEntry] = []
    private var oldest = 0
    private var byteCount = 0
    private(set) var droppedCount = 0
    /// How many entries refer to a reply; what it keeps counts once.
    private var replies: [ObjectIdentifier: Int] = [:]

    init(limits: Journal.Limits) {
        self.limits = limits
    }

    mutating func append(_ entry: JournalEntry) {
        count(entry)
        if ring.count < limits.entryCount, byteCount <= limits.byteCount {
            ring.append(entry)
        } else if ring.count < limits.entryCount || byteCount > limits.byteCount {
            makeRoom(for: entry)
        } else {
            discount(ring[oldest])
            ring[oldest] = entry
            oldest = oldest + 1 == ring.count ? 0 : oldest + 1
            droppedCount += 1
        }
    }

    /// The slow way, taken only when the bound of bytes is hit: drops the oldest until the new one fits.
    private mutating func makeRoom(for entry: JournalEntry) {
        ring = inOrder
        oldest = 0
        var dropped = 0
        // A quarter more than needed, so that the next entry does not come here again.
        let target = limits.byteCount - limits.byteCount / 4
        while dropped < ring.count, byteCount > target || ring.count - dropped >= limits.entryCount {
            discount(ring[dropped])
            dropped += 1
        }
        ring.removeFirst(dropped)
        droppedCount += dropped
        ring.append(entry)
    }

    mutating func removeAll() {
        ring.removeAll()
        replies.removeAll()
        oldest = 0
        byteCount = 0
        droppedCount = 0
    }

    var inOrder: [JournalEntry] {
        oldest == 0 ? ring : Array(ring[oldest...]) + ring[..<oldest]
    }

    private mutating func count(_ entry: JournalEntry) {
        byteCount += Self.cost(of: entry)
        guard case .replyBegun(let reply) = entry.event else { return }
        let known = replies[ObjectIdentifier(reply), default: 0]
        replies[ObjectIdentifier(reply)] = known + 1
        if known == 0 { byteCount += reply.keptByteCount }
    }

    private mutating func discount(_ entry: JournalEntry) {
        byteCount -= Self.cost(of: entry)
        guard case .replyBegun(let reply) = entry.event, let known = replies[ObjectIdentifier(reply)] else { return }
        replies[ObjectIdentifier(reply)] = known > 1 ? known - 1 : nil
        if known == 1 { byteCount -= reply.keptByteCount }
    }

    /// A text has a head of 16 bytes, and what does not fit into it stands elsewhere.
    private static func cost(of hello: ClientHelloNote) -> Int {
        let lists = [
            hello.versions, hello.cipherSuites, hello.applicationProtocols, hello.extensions, hello.groups,
        ]
        let texts = lists.joined().reduce(0) { $0 + 16 + $1.utf8.count }
        return texts + (hello.serverName?.utf8.count ?? 0)
    }

    private static func cost(of entry: JournalEntry) -> Int {
        switch entry.event {
        case .requestHead(let head, let target): head.bytes.count + target.count + 64
        case .requestBody(let body): body.kept.count + 8 * body.chunks.count + 64
        case .clientHello(let hello): 64 + Self.cost(of: hello)
        default: 64
        }
    }
}
