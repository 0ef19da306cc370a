internal import ProctorBase
internal import ProctorGrading
internal import ProctorHTTP
internal import ProctorJournal
import ProctorReplies
import ProctorScenario
import ProctorServer
internal import ProctorServing

/// What a list of runs says of each, kept until its journal changes; safe from any thread.
final class RunOverviews: Sendable {
    private struct Overview: Sendable {
        let lastSequence: UInt64
        let epoch: Int
        /// Members of an object.
        let json: JSONPiece
    }

    private let kept = Locked<[String: Overview]>([:])

    /// The most runs of one list.
    static let limit = 200

    /// The members about each run, in the order of `runs`; blocks while journals are judged, and forgets all other runs.
    func refresh(of runs: [Run]) -> [JSONPiece] {
        let old = kept.withLock { $0 }
        let overviews = runs.map { run in
            let state = run.journal.state
            if let known = old[run.id], (known.lastSequence, known.epoch) == state { return known }
            return Overview(lastSequence: state.lastSequence, epoch: state.epoch, json: Self.members(about: run))
        }
        let new = Dictionary(zip(runs.map(\.id), overviews)) { first, _ in first }
        kept.withLock { $0 = new }
        return overviews.map(\.json)
    }

    private static func members(about run: Run) -> JSONPiece {
        var (connectionCount, openConnectionCount, requestCount, missedCount, violationCount) = (0, 0, 0, 0, 0)
        // Of the newest connection and the newest request.
        var (newestPeer, userAgent): (String?, String?)
        let snapshot = run.journal.snapshot()
        for entry in snapshot.entries {
            switch entry.event {
            case .connectionOpened(_, let peer, _):
                connectionCount += 1
                openConnectionCount += 1
                newestPeer = peer
            case .connectionClosed: openConnectionCount = max(0, openConnectionCount - 1)
            case .requestHead(let head, _):
                requestCount += 1
                let agent = head.fields.first(named: "User-Agent")
                userAgent = agent.map { EscapedText.escape($0, limit: 200) } ?? userAgent
            case .missed: missedCount += 1
            case .violation, .frameViolation: violationCount += 1
            case .webSocket(let note): violationCount += note.isFault ? 1 : 0
            default: break
            }
        }
        return JSONPiece { json in
            json.member("connections", connectionCount)
            json.member("openConnections", openConnectionCount)
            json.member("requests", requestCount)
            json.member("missed", missedCount)
            json.member("violations", violationCount)
            // The counts leave out what the journal has dropped.
            if snapshot.droppedCount > 0 { json.member("droppedEntries", snapshot.droppedCount) }
            if let newestPeer { json.member("peer", newestPeer) }
            if let userAgent { json.member("userAgent", userAgent) }
            json.objects("verdicts", of: run.scenario.cases.prefix(VerdictChanges.caseLimit)) { json, item in
                json.member("case", item.name)
                json.member("kind", item.kind.rawValue)
                json.member("verdict", run.wireVerdict(of: item).outcome.word)
            }
        }
    }
}

extension RunOverviews {
    /// The runs that were used last, each with what happened in it.
    func reply(_ request: ControlRequest, of api: ControlAPI) async -> BuiltInReply {
        let all = api.allRuns(at: request.base).sorted {
            ($0.journal.lastActivity, $0.number) > ($1.journal.lastActivity, $1.number)
        }
        let shown = Array(all.prefix(Self.limit))
        let overviews = await WorkThreads.streaming.run(within: .ofInput) { _ in self.refresh(of: shown) }
        let now = MonotonicClock.nanoseconds
        return .object { json in
            json.member("server", String(api.start, radix: 16))
            json.member("hidden", all.count - shown.count)
            json.objects("runs", of: zip(shown, overviews)) { json, item in
                json.runMembers(of: item.0)
                let activity = item.0.journal.lastActivity
                if activity > 0 { json.member("idleSeconds", (now - min(now, activity)) / 1_000_000_000) }
                json.append(item.1)
            }
        }
    }
}
