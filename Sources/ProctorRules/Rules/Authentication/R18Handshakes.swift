import ProctorBase
package import ProctorEvents

/// A TLS handshake that the server saw, as far as rule R18 is concerned.
package struct SeenTLSHandshake: Sendable, Equatable {
    /// The number of its connection in the journal.
    package let connection: Int
    /// When its ClientHello came, in nanoseconds of the trace's clock.
    package let begin: UInt64
    /// An earlier session went on, so that no certificate was shown.
    package let isResumed: Bool
    /// The first request on its connection; nil: none came.
    package let request: TraceEvent?

    /// Parts as they are.
    package init(connection: Int, begin: UInt64, isResumed: Bool, request: TraceEvent?) {
        self.connection = connection
        self.begin = begin
        self.isResumed = isResumed
        self.request = request
    }
}

/// Holds the challenges of TLS against the handshakes of the wire (R18); for traces of one load, whose all of them are.
package enum R18Handshakes {
    /// `events` is the whole trace, and `lane` its load; `isMerged`: both sides have one clock.
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

    /// At most one question for each handshake.
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
            Rules.r18,
            "\(event.symbol) came \(asked.count == 1 ? "once" : "\(asked.count) times") for \(seen); \(reason)",
            at: event, in: lane, isInferred: isResumption)
    }

    /// Where every handshake asked, no request goes out before its connection's question was.
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
        for (index, request) in requests.sorted(by: { $0.time < $1.time }).enumerated() {
            guard times.count(where: { $0 < request.time }) <= index else { continue }
            hits.report(
                Rules.r18,
                "\(request.event.symbol) went out on a new connection before \(asked[index].symbol) was asked; "
                    + "nothing is sent to a server that nobody trusts yet",
                at: request.event, in: lane)
            return
        }
    }
}

extension TraceReport {
    /// The same report with what was found by other means.
    package func adding(_ further: [RuleHit]) -> TraceReport {
        guard !further.isEmpty else { return self }
        let report = TraceReport(
            eventCount: eventCount, hits: hits + further, hitCount: hitCount + further.count, grammars: grammars,
            grammarCount: grammarCount, lanes: lanes, forgottenLoadCount: forgottenLoadCount, notJudged: notJudged,
            bound: bound)
        return report.withoutConsequences
    }
}
