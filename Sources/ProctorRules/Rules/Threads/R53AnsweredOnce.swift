import ProctorEvents

extension Rules {
    static let r53 = Rule(
        53, title: "one answer to each question",
        statement: """
            A rule for the test: it calls its handler for a redirect, challenge, disposition or stream once, unless \
            the load was cancelled or did not wait for it. Anything else is a mistake of the test and says nothing \
            of the client.
            """,
        source: "the contract of completion handlers", confidence: .inferred,
        families: [
            .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .connection, .connectionDownload,
            .download, .urlProtocol, .webSocket, .stream,
        ],
        monitors: [.load(R53AnsweredOnce.self)],
        limits: """
            needs the answers in lane harness, and that the trace says it reports them; of legacy families only \
            challenges are answered by a call
            """,
        legal: "redirect(302) response(200) complete(ok)  # answered once",
        illegal: "redirect(302) response(200) complete(ok)  # answered twice")
}

/// A fault of the test's code, not of the client.
struct R53AnsweredOnce: EndRuleMonitor {
    static var rule: Rule { Rules.r53 }
    static let interests: EventNameSet = [.answer, .challengeCancelled]

    private var isWithdrawn = false
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard event.name == .answer else {
            isWithdrawn = true
            return
        }
        guard load.questionName(answeredBy: event) == nil, !isReported, isJudged(event, load) else { return }
        isReported = true
        hits.report(
            Self.rule, "the test gave \(event.symbol)\(Self.target(of: event)), which no question is open for",
            at: event,
            in: load.lane, weight: .harnessFault)
    }

    mutating func end(_ load: LoadState, into hits: inout HitList) {
        guard !isReported, load.ending != .cut, load.cancellation == nil, let question = load.unansweredQuestion,
            !load.isStopped,
            !hasGoneOn(load, without: question)
        else { return }
        hits.report(
            Self.rule, "the test never answered \(question.symbol)", at: question, in: load.lane, weight: .harnessFault)
    }

    /// A load that goes on or ends takes its questions with it, which is R8, R10 or R28; one that timed out had waited.
    private func hasGoneOn(_ load: LoadState, without question: TraceEvent) -> Bool {
        if let outcome = (load.terminal ?? load.handled)?.argument { return outcome != "timedOut" }
        guard let previous = load.previous, previous.sequence > question.sequence else { return false }
        return !Self.waiting.contains(previous.name)
    }

    /// What may come while a load waits for an answer.
    private static let waiting: EventNameSet = [.bodySent, .challengeCancelled]

    private func isJudged(_ event: TraceEvent, _ load: LoadState) -> Bool {
        // More open questions than are remembered, or one that the loader took back.
        guard load.openQuestions.count < LoadState.mostOpenQuestions, !load.isStopped else { return false }
        guard let to = event.facts.text(.to), let question = EventName(rawValue: to) else { return true }
        if question == .challenge, isWithdrawn { return false }
        return load.family.questions.contains(question)
    }

    private static func target(of event: TraceEvent) -> String {
        event.facts.text(.to).map { " to \($0)" } ?? ""
    }
}
