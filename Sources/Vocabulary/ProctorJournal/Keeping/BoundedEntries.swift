internal import ProctorHTTP

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
    /// What each entry of the ring counts, by the same index, so that an entry is dropped without being read.
    private var weights: [Weight] = []
    private var oldest = 0
    private var byteCount = 0
    private(set) var droppedCount = 0
    private var replies = ReplyCounts()

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

    mutating func append(_ entry: consuming JournalEntry) {
        let weight = Weight(entry)
        let cost = weight.byteCount + (weight.reply == nil ? 0 : replies.add(weight))
        if let beginningLimits, !isBeginningWhole {
            if beginning.count < beginningLimits.entryCount, beginningByteCount + cost <= beginningLimits.byteCount {
                beginning.append(consume entry)
                beginningByteCount += cost
                return
            }
            isBeginningWhole = true
        }
        byteCount += cost
        if ring.count < limits.entryCount, byteCount <= limits.byteCount {
            ring.append(consume entry)
            weights.append(weight)
        } else if ring.count < limits.entryCount || byteCount > limits.byteCount {
            makeRoom()
            ring.append(consume entry)
            weights.append(weight)
        } else {
            drop(at: oldest)
            ring[oldest] = consume entry
            weights[oldest] = weight
            oldest = oldest + 1 == ring.count ? 0 : oldest + 1
        }
    }

    /// Drops the oldest entries until the new one, which is counted already, fits in the bound of bytes.
    private mutating func makeRoom() {
        (ring, weights) = (ringInOrder, Array(weights[oldest...] + weights[..<oldest]))
        oldest = 0
        var dropped = 0
        // Frees a quarter more than needed, so that not every entry has this cost.
        let target = limits.byteCount - limits.byteCount / 4
        while dropped < ring.count, byteCount > target || ring.count - dropped >= limits.entryCount {
            drop(at: dropped)
            dropped += 1
        }
        ring.removeFirst(dropped)
        weights.removeFirst(dropped)
    }

    /// Counts an entry of the ring as dropped, or keeps it among the pinned ones.
    private mutating func drop(at index: Int) {
        let weight = weights[index]
        byteCount -= weight.byteCount + (weight.reply == nil ? 0 : replies.remove(weight))
        if weight.isPinned { pinned.append(ring[index]) } else { droppedCount += 1 }
    }

    var inOrder: [JournalEntry] { beginning + pinned + ringInOrder }

    /// How many entries each piece of ``inOrder`` has.
    var pieceCounts: (beginning: Int, pinned: Int, ring: Int) { (beginning.count, pinned.count, ring.count) }

    /// The entry at a position of ``inOrder``, without a copy of the others.
    subscript(_ index: Int) -> JournalEntry {
        if index < beginning.count { return beginning[index] }
        let behind = index - beginning.count
        if behind < pinned.count { return pinned[behind] }
        return ring[(oldest + behind - pinned.count) % ring.count]
    }

    private var ringInOrder: [JournalEntry] {
        oldest == 0 ? ring : Array(ring[oldest...]) + ring[..<oldest]
    }
}

/// What one entry counts towards the bound of bytes; refers to nothing.
private struct Weight {
    /// Without the bytes of ``reply``.
    let byteCount: Int
    /// A reply that several entries may refer to, and the bytes that it keeps.
    private(set) var reply: ObjectIdentifier?
    private(set) var replyByteCount = 0
    private(set) var isPinned = false

    init(_ entry: borrowing JournalEntry) {
        switch entry.event {
        case .requestHead(let head, let target): byteCount = head.byteCount + target.count + 64
        case .requestBody(let body):
            byteCount =
                body.kept.count + 8 * body.chunks.count + body.chunkLines.reduce(0) { $0 + 32 + $1.count }
                + (body.decoded?.kept.count ?? 0) + 64
        case .bytesReceived(let received): byteCount = received.kept.count + 64
        case .bytesExpected: byteCount = 64 + 2 * (64 + ExpectedBytes.shownByteLimit)
        case .clientHello(let hello): byteCount = 64 + Self.cost(of: hello)
        case .frame(let frame): byteCount = 64 + frame.keptByteCount
        case .fieldBlock(let block): byteCount = 64 + block.keptByteCount
        case .frameViolation(let violation): byteCount = 192 + violation.sentence.utf8.count
        case .webSocket(let note): byteCount = 192 + note.keptByteCount
        case .downstream(let note): byteCount = 128 + note.keptByteCount
        case .replyBegun(let begun) where begun.isOfOneRequest: byteCount = 64 + begun.keptByteCount
        case .replyBegun(let begun):
            byteCount = 64
            reply = ObjectIdentifier(begun)
            replyByteCount = begun.keptByteCount
        case .described(let note):
            byteCount = note.faults.reduce(64 + 200 * note.open.count) { $0 + 320 + $1.sentence.utf8.count }
        case .webhook(let note): byteCount = 192 + note.sentence.utf8.count
        case .stateChanged(let change): byteCount = change.name.count + (change.value?.count ?? 0) + 64
        case .runBegun, .boundReached, .stateRefused, .replyFailed, .loopHeld:
            byteCount = 64
            isPinned = true
        default: byteCount = 64
        }
    }

    /// A text has a head of 16 bytes, and its other bytes are allocated separately.
    private static func cost(of hello: ClientHelloNote) -> Int {
        let lists = [
            hello.versions, hello.cipherSuites, hello.applicationProtocols, hello.extensions, hello.groups,
        ]
        let texts = lists.joined().reduce(0) { $0 + 16 + $1.utf8.count }
        return texts + (hello.serverName?.utf8.count ?? 0)
    }
}

/// How many entries refer to each reply, whose bytes are counted once.
private struct ReplyCounts {
    private var counts: [ObjectIdentifier: Int] = [:]
    /// The reply of the newest entry that has one, and its count, which is not in `counts`: most scenarios give the
    /// same reply many times, which then costs no look-up.
    private var newest: (reply: ObjectIdentifier, count: Int)?

    /// The bytes that the entry's reply adds.
    mutating func add(_ weight: Weight) -> Int {
        guard let reply = weight.reply else { return 0 }
        if let newest, newest.reply == reply {
            self.newest?.count += 1
            return newest.count == 0 ? weight.replyByteCount : 0
        }
        if let newest { counts[newest.reply] = newest.count == 0 ? nil : newest.count }
        let known = counts.removeValue(forKey: reply) ?? 0
        newest = (reply, known + 1)
        return known == 0 ? weight.replyByteCount : 0
    }

    /// The bytes that go with the entry's reply.
    mutating func remove(_ weight: Weight) -> Int {
        guard let reply = weight.reply else { return 0 }
        if let newest, newest.reply == reply {
            self.newest?.count -= 1
            return newest.count == 1 ? weight.replyByteCount : 0
        }
        guard let known = counts[reply] else { return 0 }
        counts[reply] = known > 1 ? known - 1 : nil
        return known == 1 ? weight.replyByteCount : 0
    }
}
