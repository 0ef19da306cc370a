import ProctorBase
package import ProctorEvents

struct R18TLSFirst: RuleMonitor {
    static let interests: EventNameSet = [.response, .challenge, .progress, .fileReady]

    private var response = DefinitiveResponse()
    private var hasProgress = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .progress, .fileReady: hasProgress = true
        case .challenge:
            if !event.isOfTLS {
                hasProgress = false
                if event.facts.text(.scope) == "session", R18Routing.isOfTask(event) {
                    return Breach(R18Routing.sentence(event))
                }
            } else if response.status != nil || hasProgress {
                return Breach(
                    "\(event.symbol) came after \(response.status.map { "response(\($0))" } ?? "progress"); "
                        + "a handshake comes before the HTTP events of its connection",
                    // A session's challenge does not name the load.
                    isInferred: event.facts.text(.scope) == "session")
            }
        default: break
        }
        response.see(event)
        return nil
    }
}

/// Lane `session` belongs to no load.
struct R18Routing: TraceMonitor {
    static let interests: EventNameSet = [.challenge]

    /// The number of the session that was reported last.
    private var reported: Int?

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        guard event.lane == .session, reported != event.task, Self.isOfTask(event) else { return }
        reported = event.task
        hits.report(RuleNumber(18), Self.sentence(event), at: event, in: event.laneID)
    }

    static func isOfTask(_ event: TraceEvent) -> Bool {
        switch event.argument {
        case "basic", "digest", "form", "default", "proxyBasic", "proxyDigest": true
        default: false
        }
    }

    static func sentence(_ event: TraceEvent) -> String {
        "\(event.symbol) went to the session method; that kind goes to the task method only"
    }
}

/// A TLS handshake that the server saw, with the values that rule R18 needs.
package struct SeenTLSHandshake: Sendable, Equatable {
    package let connection: Int
    /// The time of its ClientHello, in nanoseconds of the trace's clock.
    package let begin: UInt64
    /// Whether an earlier session was resumed, so that no certificate was sent.
    package let isResumed: Bool
    /// The first request on its connection; nil means that none came.
    package let request: TraceEvent?

    package init(connection: Int, begin: UInt64, isResumed: Bool, request: TraceEvent?) {
        (self.connection, self.begin, self.isResumed, self.request) = (connection, begin, isResumed, request)
    }
}

/// Compares TLS challenges with the handshakes on the wire (R18), for traces of one load, which made all handshakes.
package enum R18Handshakes {
    /// `events` is the whole trace, and `lane` its load; `isMerged` means that both sides have one clock.
    package static func hits(
        _ events: some Sequence<TraceEvent>, _ handshakes: [SeenTLSHandshake], in lane: LaneID, isMerged: Bool,
        platform: Platform
    ) -> [RuleHit] {
        var hits = HitList(platform: platform)
        let challenges = events.filter { event in
            event.name == .challenge && event.phase == .enter && (event.lane == .task || event.lane == .session)
        }
        let full = handshakes.filter { !$0.isResumed }
        for kind in ["serverTrust", "clientCert"] {
            let asked = challenges.filter { $0.argument == kind }
            count(asked, full.count, of: handshakes.count, in: lane, into: &hits)
            if kind == "serverTrust", isMerged { order(asked, full, in: lane, into: &hits) }
        }
        return hits.hits
    }

    private static func count(
        _ asked: [TraceEvent], _ full: Int, of all: Int, in lane: LaneID, into hits: inout HitList
    ) {
        guard asked.count > full else { return }
        let isResumption = asked.count <= all
        let event = asked[isResumption ? full : all]
        let seen =
            full == all
            ? Plural.count(all, "handshake") : "\(Plural.count(all, "handshake")), \(all - full) of them resumed"
        let reason =
            isResumption
            ? "the server showed no certificate when a session was resumed" : "TLS asks once for each handshake"
        hits.report(
            RuleNumber(18),
            "\(event.symbol) came \(asked.count == 1 ? "once" : "\(asked.count) times") for \(seen); \(reason)",
            at: event, in: lane, isInferred: isResumption)
    }

    /// Where every handshake had a question, no request is sent before the question of its connection.
    private static func order(
        _ asked: [TraceEvent], _ full: [SeenTLSHandshake], in lane: LaneID, into hits: inout HitList
    ) {
        guard asked.count == full.count else { return }
        let times = asked.compactMap { event -> UInt64? in
            if case .monotonic(let time)? = event.time { time } else { nil }
        }
        let requests = full.compactMap(\.request).compactMap { event -> (time: UInt64, event: TraceEvent)? in
            if case .monotonic(let time)? = event.time { (time, event) } else { nil }
        }
        guard times.count == asked.count else { return }
        let sorted = times.sorted()
        var earlierCount = 0
        for (index, request) in requests.sorted(by: { $0.time < $1.time }).enumerated() {
            while earlierCount < sorted.count, sorted[earlierCount] < request.time { earlierCount += 1 }
            guard earlierCount <= index else { continue }
            hits.report(
                RuleNumber(18),
                "\(request.event.symbol) went out on a new connection before \(asked[index].symbol) was asked; "
                    + "nothing may be sent to a server before it is trusted",
                at: request.event, in: lane)
            return
        }
    }
}

extension TraceReport {
    package func adding(_ further: [RuleHit]) -> TraceReport {
        guard !further.isEmpty else { return self }
        var report = self
        report.hits += further
        report.hitCount += further.count
        return report.withoutConsequences
    }
}
