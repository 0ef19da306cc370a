internal import ProctorBase
package import ProctorJournal
package import ProctorLoop

/// What is open on the connections of a journal, as its entries say one after the other.
struct ConnectionActivity {
    /// The requests without a complete reply, by open connection.
    private var requests: [Int: Set<Int>] = [:]
    /// Open connections without a request so far.
    private var unusedConnections: Set<Int> = []
    private var requestCount = 0
    /// The numbers of those without an answer.
    private var webhooks: Set<Int> = []

    var hasOpenConnections: Bool { !requests.isEmpty }

    /// Whether a request has no complete reply yet, or a webhook no answer.
    var hasOpenRequests: Bool { requestCount > 0 || !webhooks.isEmpty }

    /// A connection is under way until its first request, and a request until its reply.
    var isUnderWay: Bool { hasOpenRequests || !unusedConnections.isEmpty }

    mutating func add(_ entry: JournalEntry) {
        guard let connection = entry.connection else { return }
        switch entry.event {
        case .webhook(let note):
            if case .sent = note.event { webhooks.insert(note.number) } else { webhooks.remove(note.number) }
        case .connectionOpened:
            requests[connection, default: []] = []
            unusedConnections.insert(connection)
        case .requestHead:
            unusedConnections.remove(connection)
            guard let request = entry.request else { return }
            if requests[connection, default: []].insert(request).inserted { requestCount += 1 }
        case .replySent, .replyAborted:
            guard let request = entry.request, requests[connection]?.remove(request) != nil else { return }
            requestCount -= 1
        case .connectionClosed:
            unusedConnections.remove(connection)
            requestCount -= requests.removeValue(forKey: connection)?.count ?? 0
        default: break
        }
    }
}

extension Journal {
    /// Waits until no request is under way and nothing has come for `quiet`, or for the end of `duration`, or until the peer
    /// leaves; returns whether anything is still under way.
    ///
    /// Connections without a request are waited for ten times `quiet` only, since clients open spare ones: undici does so
    /// after a load that was given up.
    ///
    /// For the loop's thread.
    package func waitForQuiet(
        _ quiet: Duration, on loop: EventLoop, within duration: Duration, whileStays peer: LoopBound<WaitingPeer>?
    ) async -> Bool {
        await follow(on: loop, within: duration, whileStays: peer) { activity in
            activity.hasOpenRequests ? duration : activity.isUnderWay ? quiet * 10 : quiet
        }.isUnderWay
    }

    /// Waits until every connection that was opened has ended, or for the end of `duration`, or until the peer leaves.
    ///
    /// For the loop's thread.
    package func waitForConnectionEnds(
        on loop: EventLoop, within duration: Duration, whileStays peer: LoopBound<WaitingPeer>?
    ) async {
        _ = await follow(on: loop, within: duration, whileStays: peer) { $0.hasOpenConnections ? duration : nil }
    }

    /// Reads what comes until nothing has come for as long as `patience` says of the state; nil: that state was waited for.
    private func follow(
        on loop: EventLoop, within duration: Duration, whileStays peer: LoopBound<WaitingPeer>?,
        patience: (ConnectionActivity) -> Duration?
    ) async -> ConnectionActivity {
        let end = MonotonicClock.nanoseconds &+ duration.wholeNanoseconds
        var reader = ActivityReader()
        while true {
            reader.readNewEntries(of: self)
            let now = MonotonicClock.nanoseconds
            guard now < end, let wait = patience(reader.activity) else { return reader.activity }
            let rest = min(end - now, wait.wholeNanoseconds)
            await waitForEntry(
                after: reader.sequence, on: loop, within: .nanoseconds(Int64(clamping: rest)), whileStays: peer)
            if state.lastSequence == reader.sequence { return reader.activity }
        }
    }
}

/// Reads a journal as it grows, so that an entry is looked at once.
private struct ActivityReader {
    private(set) var activity = ConnectionActivity()
    /// The sequence number of the last entry that was read.
    private(set) var sequence: UInt64 = 0
    private var epoch = 0

    mutating func readNewEntries(of journal: Journal) {
        var batch = journal.batch(after: sequence, .all)
        let isContinued = batch.entries.first.map { $0.sequence == sequence + 1 } ?? (batch.lastSequence == sequence)
        // What a full journal dropped unread may have closed what is open here.
        if sequence > 0, batch.epoch != epoch || !isContinued {
            self = ActivityReader()
            batch = journal.batch(after: 0, .all)
        }
        for entry in batch.entries { activity.add(entry) }
        (sequence, epoch) = (batch.lastSequence, batch.epoch)
    }
}
