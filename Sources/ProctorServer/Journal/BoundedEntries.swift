internal import ProctorHTTP
internal import ProctorJournal

/// Journal entries within bounds: a ring of the latest entries and, if configured, the first ones.
struct BoundedEntries {
    private var beginning: [JournalEntry] = []
    private var beginningByteCount = 0
    /// nil: all entries are in the ring.
    private let beginningLimits: Journal.Limits?
    private var isBeginningWhole = false
    /// Entries of the ring that are never dropped: a reached bound is noted once, and the verdict needs it.
    private var pinned: [JournalEntry] = []
    private let limits: Journal.Limits
    private var ring: [JournalEntry] = []
    private var oldest = 0
    private var byteCount = 0
    private(set) var droppedCount = 0
    /// How many entries refer to a reply, whose bytes are counted once.
    private var replies: [ObjectIdentifier: Int] = [:]

    /// With ``Journal/Limits/keepsBeginning``, half of the room is for the first entries.
    init(limits: Journal.Limits) {
        guard limits.keepsBeginning, limits.entryCount > 1 else {
            beginningLimits = nil
            self.limits = limits
            return
        }
        let first = Journal.Limits(entryCount: limits.entryCount / 2, byteCount: limits.byteCount / 2)
        beginningLimits = first
        self.limits = Journal.Limits(
            entryCount: limits.entryCount - first.entryCount, byteCount: limits.byteCount - first.byteCount)
    }

    mutating func append(_ entry: JournalEntry) {
        let cost = count(entry)
        if let beginningLimits, !isBeginningWhole {
            if beginning.count < beginningLimits.entryCount, beginningByteCount + cost <= beginningLimits.byteCount {
                beginning.append(entry)
                beginningByteCount += cost
                return
            }
            isBeginningWhole = true
        }
        byteCount += cost
        if ring.count < limits.entryCount, byteCount <= limits.byteCount {
            ring.append(entry)
        } else if ring.count < limits.entryCount || byteCount > limits.byteCount {
            makeRoom(for: entry)
        } else {
            byteCount -= discount(ring[oldest])
            drop(ring[oldest])
            ring[oldest] = entry
            oldest = oldest + 1 == ring.count ? 0 : oldest + 1
        }
    }

    /// Drops the oldest entries until the new one fits in the bound of bytes.
    private mutating func makeRoom(for entry: JournalEntry) {
        ring = ringInOrder
        oldest = 0
        var dropped = 0
        // Frees a quarter more than needed, so that not every entry has this cost.
        let target = limits.byteCount - limits.byteCount / 4
        while dropped < ring.count, byteCount > target || ring.count - dropped >= limits.entryCount {
            byteCount -= discount(ring[dropped])
            drop(ring[dropped])
            dropped += 1
        }
        ring.removeFirst(dropped)
        ring.append(entry)
    }

    private mutating func drop(_ entry: JournalEntry) {
        if case .boundReached = entry.event { pinned.append(entry) } else { droppedCount += 1 }
    }

    var inOrder: [JournalEntry] { beginning + pinned + ringInOrder }

    private var ringInOrder: [JournalEntry] {
        oldest == 0 ? ring : Array(ring[oldest...]) + ring[..<oldest]
    }

    // MARK: Bytes

    private mutating func count(_ entry: JournalEntry) -> Int {
        let cost = Self.cost(of: entry)
        guard case .replyBegun(let reply) = entry.event else { return cost }
        let known = replies[ObjectIdentifier(reply), default: 0]
        replies[ObjectIdentifier(reply)] = known + 1
        return known == 0 ? cost + reply.keptByteCount : cost
    }

    private mutating func discount(_ entry: JournalEntry) -> Int {
        let cost = Self.cost(of: entry)
        guard case .replyBegun(let reply) = entry.event, let known = replies[ObjectIdentifier(reply)] else {
            return cost
        }
        replies[ObjectIdentifier(reply)] = known > 1 ? known - 1 : nil
        return known == 1 ? cost + reply.keptByteCount : cost
    }

    /// A text has a head of 16 bytes, and its other bytes are allocated separately.
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
        case .requestBody(let body):
            body.kept.count + 8 * body.chunks.count + body.chunkLines.reduce(0) { $0 + 32 + $1.count } + 64
        case .bytesReceived(let received): received.kept.count + 64
        case .bytesExpected: 64 + 2 * (64 + ExpectedBytes.shownByteLimit)
        case .clientHello(let hello): 64 + Self.cost(of: hello)
        default: 64
        }
    }
}
