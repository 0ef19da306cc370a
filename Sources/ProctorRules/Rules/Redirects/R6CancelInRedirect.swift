import ProctorEvents

extension Rules {
    static let r6 = Rule(
        6, title: "a cancel in the redirect callback is final",
        statement: """
            Cancelling in place of an answer to a redirect leaves only the end: tasks say complete(cancelled), \
            connections and downloads of old say nothing more. An answer that comes later changes nothing.
            """,
        source: "URL loading programming guide; NSURLConnection.h", confidence: .documented,
        families: [.sessionData, .sessionDownload, .sessionHandler, .connection, .download],
        monitors: [.load(R6CancelInRedirect.self)],
        limits: "needs lane harness; for NSURLDownload and for a late answer it is our own conclusion",
        legal: "redirect(302) metrics? complete(cancelled)  # cancelled in redirect",
        illegal: "redirect(302) response(302) complete(ok)  # cancelled in redirect",
        explains: [
            // What comes after a cancel in the redirect is too much, with a response and without.
            .init(25, .sameEvent)
        ])
}

struct R6CancelInRedirect: RuleMonitor {
    static var rule: Rule { Rules.r6 }
    static let wantsExits = true
    static let interests: EventNameSet = [
        .cancel, .answer, .redirect, .response, .challenge, .needBodyStream, .data, .progress, .fileReady, .complete,
        .request, .handler, .awaited,
    ]

    /// Inside the callback of a redirect, or at least not known to have left it.
    private var redirect: KeptEvent?
    /// A redirect that comes after it is R3.
    private var response = DefinitiveResponse()
    private var isCancelled = false
    private var isAnsweredLate = false
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard !isReported else { return }
        if event.phase == .exit {
            // The callback returned; only a recorder of answers can tell that the question is still open.
            if event.name == .redirect, !isCancelled, !load.seesAnswers { redirect = nil }
        } else if isCancelled {
            judge(event, load, into: &hits)
        } else {
            switch event.name {
            case .cancel: isCancelled = redirect != nil
            case .redirect: redirect = response.status == nil ? KeptEvent(event) : nil
            case .request: break
            default: redirect = nil
            }
        }
        if event.phase == .enter { response.see(event) }
    }

    private mutating func judge(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        let isOld = load.family == .connection || load.family == .download
        guard load.terminal == nil else { return }
        switch event.name {
        case .cancel: return
        case .answer:
            isAnsweredLate = true
            return
        case .complete, .handler, .awaited: if !isOld, event.argument == "cancelled" { return }
        default: break
        }
        isReported = true
        hits.report(
            Self.rule,
            "\(event.symbol) came after a cancel inside \(redirect?.symbol.description ?? "redirect"); "
                + (isOld ? "nothing comes after that" : "only complete(cancelled) does"), at: event, in: load.lane,
            isInferred: load.family == .download || (isAnsweredLate && event.name == .request))
    }
}
