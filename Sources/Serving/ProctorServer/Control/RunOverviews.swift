internal import ProctorBase
internal import ProctorGrading
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// What a list of runs says of one.
struct RunOverview: Sendable {
    private(set) var connectionCount = 0
    private(set) var openConnectionCount = 0
    private(set) var requestCount = 0
    private(set) var missedCount = 0
    private(set) var violationCount = 0
    /// Entries that the journal has dropped, which the counts leave out.
    let droppedCount: Int
    /// Of the newest connection and the newest request.
    private(set) var peer: String?
    private(set) var userAgent: String?
    /// A word for each case, in the order of the scenario.
    private(set) var verdicts: [(name: String, kind: String, word: String)] = []

    init(of run: Run) {
        let snapshot = run.journal.snapshot()
        droppedCount = snapshot.droppedCount
        for entry in snapshot.entries { count(entry.event) }
        verdicts = run.scenario.cases.prefix(VerdictChanges.caseLimit).map { item in
            (item.name, item.kind.rawValue, run.wireVerdict(of: item).outcome.word)
        }
    }

    private mutating func count(_ event: JournalEvent) {
        switch event {
        case .connectionOpened(_, let peer, _):
            connectionCount += 1
            openConnectionCount += 1
            self.peer = peer
        case .connectionClosed: openConnectionCount = max(0, openConnectionCount - 1)
        case .requestHead(let head, _):
            requestCount += 1
            if let value = head.fields.first(named: "User-Agent") { userAgent = EscapedText.escape(value, limit: 200) }
        case .missed: missedCount += 1
        case .violation, .frameViolation: violationCount += 1
        case .webSocket(let note): if note.isFault { violationCount += 1 }
        default: break
        }
    }
}

/// Keeps what was counted of each run until its journal changes; safe from any thread.
final class RunOverviews: Sendable {
    private let kept = Locked<[String: (lastSequence: UInt64, epoch: Int, overview: RunOverview)]>([:])

    /// The most runs of one list.
    static let limit = 200

    /// In the order of `runs`; blocks while journals are judged, and forgets all other runs.
    func refresh(of runs: [Run]) -> [RunOverview] {
        let old = kept.withLock { $0 }
        var new: [String: (lastSequence: UInt64, epoch: Int, overview: RunOverview)] = [:]
        let overviews = runs.map { run in
            let state = run.journal.state
            if let known = old[run.id], (known.lastSequence, known.epoch) == state {
                new[run.id] = known
                return known.overview
            }
            let overview = RunOverview(of: run)
            new[run.id] = (state.lastSequence, state.epoch, overview)
            return overview
        }
        kept.withLock { [new] in $0 = new }
        return overviews
    }
}

extension ControlAPI {
    /// The runs that were used last, each with what happened in it.
    func overview(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let mounted = stages.stages.map { runs.mounted($0, at: request.base) }
        let all = (runs.all + mounted).sorted {
            ($0.journal.lastActivity, $0.number) > ($1.journal.lastActivity, $1.number)
        }
        let shown = Array(all.prefix(RunOverviews.limit))
        let overviews = await WorkThreads.streaming.run(within: .ofInput) { [overviews] _ in
            overviews.refresh(of: shown)
        }
        let now = MonotonicClock.nanoseconds
        return .object { json in
            json.member("server", String(start, radix: 16))
            json.member("hidden", all.count - shown.count)
            json.objects("runs", of: zip(shown, overviews)) { json, item in
                json.runMembers(of: item.0)
                let activity = item.0.journal.lastActivity
                if activity > 0 { json.member("idleSeconds", (now - min(now, activity)) / 1_000_000_000) }
                json.overviewMembers(of: item.1)
            }
        }
    }
}

extension JSONText {
    fileprivate mutating func overviewMembers(of overview: RunOverview) {
        member("connections", overview.connectionCount)
        member("openConnections", overview.openConnectionCount)
        member("requests", overview.requestCount)
        member("missed", overview.missedCount)
        member("violations", overview.violationCount)
        if overview.droppedCount > 0 { member("droppedEntries", overview.droppedCount) }
        if let peer = overview.peer { member("peer", peer) }
        if let agent = overview.userAgent { member("userAgent", agent) }
        objects("verdicts", of: overview.verdicts) { json, verdict in
            json.member("case", verdict.name)
            json.member("kind", verdict.kind)
            json.member("verdict", verdict.word)
        }
    }
}
