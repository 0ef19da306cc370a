extension Rules {
    static let r8 = Rule(
        number: RuleNumber(8), title: "silence until the redirect is answered",
        statement: """
            A task whose redirect waits for an answer says nothing else, unless a cancel or a time-out ends it; an \
            upload that was already running may still report progress.
            """,
        source: "NSURLSession.h (completion-handler form); GNUstep pauses the transfer", confidence: .sample,
        families: [.US, .UD, .HT],
        limits: "needs the answers; for events other than response, data, progress and file it is our own conclusion",
        legal: "redirect(302) response(200) data+ complete(ok)  # answered at once",
        illegal: "redirect(302) response(302) data+ complete(ok)  # answered after the data")
}

struct R8SilenceInRedirect: EndRuleMonitor {
    static let rule = RuleNumber(8)
    static let families: Set<CallbackFamily> = [.US, .UD, .HT]
    static let interests: EventNameSet = [
        .redirect, .response, .data, .progress, .fileReady, .challenge, .needBodyStream, .informational, .willCache,
        .waiting, .complete, .answer,
    ]

    private var offence = Offence()

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        if event.name == .answer { return tell(offence.settle(), load, &hits) }
        guard offence.isWanted, load.isWaiting(for: .redirect), let question = load.openQuestions.first else { return }
        guard load.terminal == nil, load.cancellation == nil else { return }
        // As long as nothing shows that answers are reported, data without response is R25.
        if event.name == .data, load.isDataTooEarly { return }
        if event.name == .complete {
            switch event.argument {
            // A success without response is R2 or R5.
            case "cancelled", "timedOut", "ok": return
            default: break
            }
        }
        tell(offence.take(event, during: question, load), load, &hits)
    }

    mutating func end(_ load: LoadState, _ hits: inout HitList) {
        if load.seesAnswers { tell(offence.settle(), load, &hits) }
    }

    private func tell(_ offence: Offence.Kept?, _ load: LoadState, _ hits: inout HitList) {
        guard let offence else { return }
        let isInferred =
            switch offence.event.name {
            case .response, .data, .progress, .fileReady: false
            default: true
            }
        hits.report(
            Self.rule, "\(offence.event.symbol) came while \(offence.question.symbol) was unanswered; the task waits",
            at: offence.event, in: load.lane, isInferred: isInferred)
    }
}
