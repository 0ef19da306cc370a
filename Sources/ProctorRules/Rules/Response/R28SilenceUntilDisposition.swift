import ProctorEvents

extension Rules {
    static let r28 = Rule(
        28, title: "silence until the disposition",
        statement: """
            A task that has told its response waits for the disposition; only a cancel or a time-out ends it \
            earlier. Late upload progress is only noted.
            """,
        source: "NSURLSession.h", confidence: .documented, families: [.sessionData],
        monitors: [.load(R28SilenceUntilDisposition.self)], limits: "needs the answers",
        legal: "response(200) data* complete(ok)  # allowed at once",
        illegal: "response(200) data complete(ok)  # allowed after the data",
        judgesAnswersTo: .response)
}

struct R28SilenceUntilDisposition: EndRuleMonitor {
    static var rule: Rule { Rules.r28 }
    static let interests: EventNameSet = [
        .response, .data, .willCache, .redirect, .challenge, .needBodyStream, .informational, .bodySent,
        .becameDownload, .becameStream, .complete, .answer,
    ]

    private var offence = Offence()
    private var progress = Offence()

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if event.name == .answer { return settle(load, into: &hits) }
        guard offence.isWanted, load.isWaiting(for: .response), let question = load.openQuestions.first else { return }
        guard load.terminal == nil, load.cancellation == nil else { return }
        if event.name == .bodySent {
            if progress.isWanted { tell(progress.take(event, during: question, load), load, into: &hits) }
            return
        }
        if event.name == .complete, event.argument == "cancelled" || event.argument == "timedOut" { return }
        tell(offence.take(event, during: question, load), load, into: &hits)
    }

    mutating func end(_ load: LoadState, into hits: inout HitList) {
        if load.seesAnswers { settle(load, into: &hits) }
    }

    private mutating func settle(_ load: LoadState, into hits: inout HitList) {
        tell(progress.settle(), load, into: &hits)
        tell(offence.settle(), load, into: &hits)
    }

    private func tell(_ offence: Offence.Kept?, _ load: LoadState, into hits: inout HitList) {
        guard let offence else { return }
        let event = offence.event
        let isInferred = event.name == .bodySent || event.name == .complete && !event.isSuccess
        hits.report(
            Self.rule,
            "\(event.symbol) came before the disposition of \(offence.question.symbol) was given; the task waits for it",
            at: event, in: load.lane, isInferred: isInferred)
    }
}
