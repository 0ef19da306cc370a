import ProctorEvents

extension Rules {
    static let r37 = Rule(
        37, title: "NSURLDownload's order",
        statement: """
            downloadBegin comes first and once, questions of the request before the response, and progress, \
            shouldDecode, destination and destinationCreated after response or downloadResumed. destination is \
            asked at most once and before destinationCreated.
            """,
        source: "NSURLDownload.h, NSURLDownloadDelegate; that shouldDecode precedes destination is our conclusion",
        confidence: .documented, families: [.download],
        monitors: [.load(R37LegacyDownloadOrder.self)],
        limits: "whether a file was encoded, so that shouldDecode was due, is not in a trace",
        legal: "downloadBegin response(200) progress destination destinationCreated progress complete(ok)",
        illegal: "downloadBegin response(200) destinationCreated destination complete(ok)")
}

/// What else NSURLDownload must keep is with R3 (redirects), R2 (response) and R36 (resumption).
struct R37LegacyDownloadOrder: RuleMonitor {
    static var rule: Rule { Rules.r37 }
    static let interests: EventNameSet = [
        .downloadBegin, .canonicalize, .redirect, .askCanAuth, .challenge, .challengeCancelled, .response,
        .downloadResumed, .progress, .shouldDecode, .destination, .destinationCreated,
    ]
    private static let fromAnEntity: EventNameSet = [.progress, .shouldDecode, .destination, .destinationCreated]

    /// Anything but `askCredStore` came.
    private var isBegun = false
    private var hasEntity = false
    private var isAskedForPlace = false
    private var isCreated = false
    private var isTooEarly = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard load.terminal == nil else { return }
        if Self.fromAnEntity.contains(event.name), !hasEntity {
            if !isTooEarly {
                hits.report(
                    Self.rule, "\(event.symbol) before any response or downloadResumed", at: event, in: load.lane,
                    weight: load.isPartial ? .observation : nil)
            }
            isTooEarly = true
            // The response may be what the log leaves out; the order of the others is told all the same.
            if load.isPartial { observeInOrder(event, load, into: &hits) }
        } else {
            observeInOrder(event, load, into: &hits)
        }
        switch event.name {
        case .response, .downloadResumed: hasEntity = true
        case .destination: isAskedForPlace = true
        case .destinationCreated: isCreated = true
        default: break
        }
        isBegun = true
    }

    private func observeInOrder(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        switch event.name {
        case .downloadBegin where isBegun:
            report("downloadBegin after other messages; it comes first and once", event, in: load, into: &hits)
        case .askCanAuth where hasEntity, .challenge where hasEntity, .challengeCancelled where hasEntity:
            // A challenge for what was delivered is R12's.
            guard load.lastStatus != 401, load.lastStatus != 407 else { return }
            report(
                "\(event.symbol) after the response; all questions of the request come before it", event, in: load,
                into: &hits)
        case .destination where isCreated:
            report("destination after destinationCreated; the place is asked for first", event, in: load, into: &hits)
        case .destination where isAskedForPlace:
            report("destination comes a second time", event, in: load, into: &hits)
        case .shouldDecode where isAskedForPlace:
            hits.report(
                Self.rule, "shouldDecode after destination; what is decoded may still have a name to offer", at: event,
                in: load.lane, isInferred: true)
        default: break
        }
    }

    private func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, in load: LoadState, into hits: inout HitList
    ) {
        hits.report(Self.rule, sentence(), at: event, in: load.lane)
    }
}
