import ProctorEvents

extension Rules {
    static let r19 = Rule(
        19, title: "order of the old questions",
        statement: """
            A challenge of an old family is preceded by its askCanAuth, and does not come after NO. Where the newer \
            single method exists, none of the old three is called. askCredStore is asked once at most, while nothing \
            is loading yet.
            """,
        source: "NSURLConnection.h; NSURLDownload.h; NSURLConnectionDelegate reference", confidence: .documented,
        families: [.connection, .connectionDownload, .download],
        monitors: [.load(R19LegacyQuestions.self)],
        limits: """
            which of the methods was called is the fact 'sel', the answer of askCanAuth the fact 'accepts'; \
            directly before is our own conclusion
            """,
        legal: "askCredStore? askCanAuth(serverTrust) challenge(serverTrust) response(200) data* complete(ok)",
        illegal: "challenge(basic) askCanAuth(basic) response(200) data* complete(ok)")
}

struct R19LegacyQuestions: RuleMonitor {
    static var rule: Rule { Rules.r19 }
    static let interests: EventNameSet = [
        .askCanAuth, .askCredStore, .challenge, .challengeCancelled, .redirect, .response, .progress,
    ]

    /// What askCanAuth was asked about, the last of each space; at most ``mostSpaces``.
    private var asked: [TraceEvent] = []
    /// A challenge without `askCanAuth` before it.
    private var unasked: TraceEvent?
    private var hasAskedStore = false
    private var hasQuestions = false
    private var hasResponse = false
    private var isReported = false

    private static let mostSpaces = 8

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard !isReported, load.terminal == nil else { return }
        switch event.name {
        case .askCanAuth:
            if let unasked, Self.mayBeOneSpace(unasked, event) || Self.isNewer(unasked) {
                return report(
                    "\(event.symbol) came after \(unasked.symbol); it is asked before", event, in: load, into: &hits)
            }
            takeQuestion(event)
        case .challenge: takeChallenge(event, load, into: &hits)
        case .challengeCancelled:
            if let unasked, Self.isNewer(unasked) {
                report(
                    "\(event.symbol) came although the newer method took the challenge", event, in: load, into: &hits)
            }
        case .askCredStore: takeStore(event, load, into: &hits)
        case .redirect: hasQuestions = true
        case .response, .progress: hasResponse = true
        default: break
        }
    }

    private mutating func takeQuestion(_ event: TraceEvent) {
        asked.removeAll { Self.mayBeOneSpace($0, event) }
        if asked.count == Self.mostSpaces { asked.removeFirst() }
        asked.append(event)
    }

    /// Both questions have a protection space, whose parts a recorder may leave out.
    private static func mayBeOneSpace(_ first: TraceEvent, _ second: TraceEvent) -> Bool {
        first.argument == second.argument
            && [FactKey.realm, .host, .port].allSatisfy { key in
                guard let one = first.facts[key], let other = second.facts[key] else { return true }
                return one == other
            }
    }

    private mutating func takeChallenge(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        hasQuestions = true
        guard let asked = asked.last(where: { Self.mayBeOneSpace($0, event) }) else {
            unasked = event
            return
        }
        if asked.facts[.accepts] == .flag(false) {
            report("\(event.symbol) came although askCanAuth was answered NO", event, in: load, into: &hits)
        } else if Self.isNewer(event) {
            report("askCanAuth came although the newer method takes \(event.symbol)", event, in: load, into: &hits)
        } else if load.previous?.name != .askCanAuth, load.previous?.name != .challenge {
            report(
                "\(load.previous?.symbol.description ?? "an event") stands between askCanAuth and \(event.symbol)",
                event,
                in: load, into: &hits, isInferred: true)
        }
    }

    private mutating func takeStore(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if hasAskedStore {
            report("askCredStore came a second time; it is asked once", event, in: load, into: &hits)
        } else if hasResponse || hasQuestions {
            report(
                "askCredStore came after \(load.previous?.symbol.description ?? "other events"); it is asked before "
                    + "loading starts", event, in: load, into: &hits, isInferred: !hasResponse)
        }
        hasAskedStore = true
    }

    private static func isNewer(_ challenge: TraceEvent) -> Bool {
        challenge.facts.text(.sel)?.contains("willSendRequestForAuthenticationChallenge") ?? false
    }

    private mutating func report(
        _ sentence: String, _ event: TraceEvent, in load: LoadState, into hits: inout HitList, isInferred: Bool = false
    ) {
        isReported = true
        hits.report(Self.rule, sentence, at: event, in: load.lane, isInferred: isInferred)
    }
}
