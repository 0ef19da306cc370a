import ProctorEvents

extension Rules {
    static let r8 = Rule(
        8, title: "silence until the redirect is answered",
        statement: """
            A task whose redirect waits for an answer says nothing else, unless a cancel or a time-out ends it; an \
            upload that was already running may still report progress.
            """,
        source: "NSURLSession.h (completion-handler form); GNUstep pauses the transfer", confidence: .sample,
        families: [.sessionData, .sessionDownload, .sessionHandler],
        monitors: [.load(R8SilenceInRedirect.self)],
        limits: "needs the answers; for events other than response, data, progress and file it is our own conclusion",
        legal: "redirect(302) response(200) data+ complete(ok)  # answered at once",
        illegal: "redirect(302) response(302) data+ complete(ok)  # answered after the data",
        judgesAnswersTo: .redirect)
}

struct R8SilenceInRedirect: EndRuleMonitor {
    static var rule: Rule { Rules.r8 }
    static let interests: EventNameSet = [
        .redirect, .response, .data, .progress, .fileReady, .challenge, .needBodyStream, .informational, .willCache,
        .waiting, .complete, .answer,
    ]

    private var offence = Offence()

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if event.name == .answer { return tell(offence.settle(), load, into: &hits) }
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
        tell(offence.take(event, during: question, load), load, into: &hits)
    }

    mutating func end(_ load: LoadState, into hits: inout HitList) {
        if load.seesAnswers { tell(offence.settle(), load, into: &hits) }
    }

    private func tell(_ offence: Offence.Kept?, _ load: LoadState, into hits: inout HitList) {
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

extension R8SilenceInRedirect {
    /// Between a redirect and its answer its task sends no request.
    static func breaches(of order: MergedOrder) -> [MergedOrder.Breach] {
        guard order.isMerged, LoadState.tellsAnswers(order.items.lazy.map(\.event)) else { return [] }
        var open: [Int: TraceEvent] = [:]
        var breaches: [MergedOrder.Breach] = []
        for item in order.items where item.event.phase == .enter {
            let event = item.event
            switch (event.lane, event.name) {
            case (.task, .redirect): open[event.task] = event
            case (.protocolClient, .redirect) where order.isOfProtocol: open[event.task] = event
            case (.task, .complete), (.harness, .cancel): open[event.task] = nil
            case (.harness, .answer) where order.isOfTask(event) && event.facts.text(.to) ?? "redirect" == "redirect":
                open[event.task] = nil
            case (.wire, .request):
                guard item.hasTask, let redirect = open.removeValue(forKey: event.task) else { continue }
                breaches.append(
                    .init(
                        rule, edge: "the request after a redirect only after its answer", at: event,
                        "\(order.text(event)) came before \(order.text(redirect)) was answered"))
            default: break
            }
        }
        return breaches
    }
}
