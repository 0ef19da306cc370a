import ProctorEvents

extension Rules {
    static let r18 = Rule(
        18, title: "TLS first, by its own way",
        statement: """
            TLS asks while a connection is made, so before HTTP says anything on it and never after the response; a \
            load that needs further connections may be asked again, at most once for each handshake. Kinds of the task \
            (basic, digest) go to the task method only.
            """,
        source: "NSURLSession.h; CustomHTTPProtocol Read Me; URL Session Programming Guide", confidence: .documented,
        families: [.sessionData, .sessionDownload, .webSocket, .stream],
        monitors: [.load(R18TLSFirst.self), .trace(R18Routing.self)],
        limits: """
            how many handshakes there were only the journal tells, and of one task alone; a challenge for a handshake \
            that resumed an earlier session is noted. That a challenge is missing is for the expression of a case; \
            where session-wide kinds go depends on the methods the delegate has
            """,
        legal: "redirect(302) challenge(serverTrust) response(200) data* complete(ok)",
        illegal: "response(200) challenge(serverTrust) data* complete(ok)",
        explains: [
            // What a question of TLS out of place interrupts, and what its answer would have led to.
            .init(10, .fromThere),
            .init(14, .fromThere),
        ])
}

struct R18TLSFirst: RuleMonitor {
    static var rule: Rule { Rules.r18 }
    static let interests: EventNameSet = [.response, .challenge, .progress, .fileReady]

    private var response = DefinitiveResponse()
    private var hasProgress = false
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard !isReported, load.terminal == nil else { return }
        switch event.name {
        case .progress, .fileReady: hasProgress = true
        case .challenge:
            if !event.isOfTLS {
                hasProgress = false
                if event.facts.text(.scope) == "session", R18Routing.isOfTask(event) {
                    isReported = true
                    hits.report(Self.rule, R18Routing.sentence(event), at: event, in: load.lane)
                }
            } else if response.status != nil || hasProgress {
                isReported = true
                hits.report(
                    Self.rule,
                    "\(event.symbol) came after \(response.status.map { "response(\($0))" } ?? "progress"); "
                        + "a handshake comes before the HTTP events of its connection", at: event, in: load.lane,
                    // The session does not say for which of its loads it asks.
                    isInferred: event.facts.text(.scope) == "session")
            }
        default: break
        }
        response.see(event)
    }
}

/// The lane of the session belongs to no load.
struct R18Routing: TraceMonitor {
    static var rule: Rule { Rules.r18 }
    static let interests: EventNameSet = [.challenge]

    /// The number of the session that was reported last.
    private var reported: Int?

    init(platform: Platform) {}

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        guard event.lane == .session, reported != event.task, Self.isOfTask(event) else { return }
        reported = event.task
        hits.report(Self.rule, Self.sentence(event), at: event, in: event.laneID)
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
