import ProctorEvents

extension Rules {
    static let r22 = Rule(
        22, title: "a new stream when a body is sent again",
        statement: """
            A stream can be read once. If its bytes have to go out again (after a credential, a lost connection, a \
            followed 307 or 308), needBodyStream asks for another between that event and the new bytes; nil fails \
            the load.
            """,
        source: "NSURLConnection.h; NSURLSession.h; URLSessionTaskDelegate reference; RFC 9110 15.4.8, 15.4.9",
        confidence: .documented, families: [.sessionData, .sessionDownload, .sessionHandler, .connection],
        monitors: [.load(R22NewStream.self)],
        limits: """
            needs the answers, else a response that is no 401 shows that a credential was used; lost bodies show on \
            the wire only (fact bodyLength); 307 and 308 are judged by the platform's redirectBody; a stream of which \
            no byte was reported is only noted
            """,
        legal: "needBodyStream challenge(basic) needBodyStream response(200) data* complete(ok)",
        illegal: "needBodyStream bodySent challenge(basic) response(200) data* complete(ok)  # with a credential",
        breaksByMissingEvents: true)
}

struct R22NewStream: RuleMonitor {
    static var rule: Rule { Rules.r22 }
    static let interests: EventNameSet = [
        .needBodyStream, .bodySent, .challenge, .redirect, .answer, .response, .complete, .request,
    ]

    private var isStreamed = false
    private var hasSent = false
    /// A question whose answer may make a re-send; certain once it was answered so.
    private var cause: (question: KeptEvent, isCertain: Bool)?
    /// The question for a stream that was answered with none.
    private var denied: KeptEvent?
    private var isReported = false
    private var wire = ResentBody()

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard !isReported, load.terminal == nil else { return }
        switch event.name {
        case .needBodyStream: takeQuestion(event, load, into: &hits)
        case .bodySent: hasSent = true
        case .challenge, .redirect:
            if event.name == .redirect || !event.isOfTLS { cause = (KeptEvent(event), false) }
            wire.takeCause(event)
        case .answer: takeAnswer(event, load)
        case .response where !event.isInterim: takeResponse(event, load, into: &hits)
        case .request:
            guard let loss = wire.take(event) else { return }
            reportLoss(loss, event, in: load, into: &hits)
        default: break
        }
    }

    // MARK: Callbacks

    private mutating func takeQuestion(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if isStreamed, let question = cause?.question, question.name == .redirect, becomesGET(question, load) {
            isReported = true
            hits.report(
                Self.rule, "needBodyStream came after \(question.symbol), which makes the request a GET", at: event,
                in: load.lane, isInferred: true)
        }
        isStreamed = true
        hasSent = false
        denied = nil
        cause = nil
    }

    private func becomesGET(_ redirect: KeptEvent, _ load: LoadState) -> Bool {
        switch redirect.argument {
        case "303": true
        case "301", "302": load.lastWireMethod == "POST"
        default: false
        }
    }

    private mutating func takeAnswer(_ event: TraceEvent, _ load: LoadState) {
        switch load.questionName(answeredBy: event) {
        case .needBodyStream:
            denied = event.argument == "none" ? load.question(answeredBy: event).map(KeptEvent.init) : nil
        case .challenge, .redirect:
            guard let question = load.question(answeredBy: event) else { return }
            let isResend = event.argument == "use" || event.argument == "follow"
            if isResend, let cause, cause.question.sequence == question.sequence { self.cause = (cause.question, true) }
            if !isResend, !question.isOfTLS { cause = nil }
            if event.argument == "change" { wire.forget() }
        default: break
        }
    }

    private mutating func takeResponse(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if denied != nil {
            isReported = true
            return hits.report(
                Self.rule, "\(event.symbol) came after needBodyStream was answered with no stream; the load fails",
                at: event, in: load.lane)
        }
        guard isStreamed, let cause else { return }
        self.cause = nil
        if !cause.isCertain {
            // Without answers: another status than the question's shows that it was answered so.
            guard !load.seesAnswers else { return }
            if cause.question.name == .redirect, event.argument == cause.question.argument { return }
            if cause.question.name == .challenge, event.argument == "401" || event.argument == "407" { return }
        }
        guard cause.question.name == .challenge || keepsBody(cause.question, load) else { return }
        isReported = true
        hits.report(
            Self.rule,
            "\(event.symbol) came after \(cause.question.symbol) without needBodyStream; a stream cannot be sent twice",
            at: event, in: load.lane, isInferred: !hasSent || isUndecided(cause.question, load))
    }

    // MARK: Redirects

    private func keepsBody(_ redirect: KeptEvent, _ load: LoadState) -> Bool {
        (redirect.argument == "307" || redirect.argument == "308") && load.platform.redirectBody != .stripped
    }

    private func isUndecided(_ question: KeptEvent, _ load: LoadState) -> Bool {
        question.name == .redirect && load.platform.redirectBody == .unknown
    }

    // MARK: Wire

    private mutating func reportLoss(
        _ loss: ResentBody.Loss, _ event: TraceEvent, in load: LoadState, into hits: inout HitList
    ) {
        if loss.cause?.name == .redirect, load.platform.redirectBody == .stripped { return }
        isReported = true
        hits.report(
            Self.rule,
            "request(\(event.argument ?? "")) has no content after \(loss.cause?.symbol.description ?? "a retry"), but the "
                + "one before had \(loss.byteCount) bytes; the body is sent again", at: event, in: load.lane,
            isInferred: loss.cause.map { isUndecided($0, load) } ?? false)
    }
}

/// Whether a request that repeats another still has its content (R22), as the wire shows it.
struct ResentBody {
    private var before: String?
    private var byteCount = 0
    /// The challenge or redirect before the next request.
    private var cause: KeptEvent?

    /// A request without the content of the one before.
    struct Loss {
        /// nil for a retry of its own.
        let cause: KeptEvent?
        /// The byte count of the content of the request before.
        let byteCount: Int
    }

    mutating func takeCause(_ event: TraceEvent) {
        if !event.isOfTLS { cause = KeptEvent(event) }
    }

    /// The test chose another request, whose content is its own.
    mutating func forget() { byteCount = 0 }

    /// nil when nothing is lost or nothing known.
    mutating func take(_ request: TraceEvent) -> Loss? {
        let cause = self.cause
        self.cause = nil
        guard let length = request.facts.integer(.bodyLength), let argument = request.argument else {
            byteCount = 0
            return nil
        }
        let before = self.before
        defer {
            self.before = argument
            byteCount = length
        }
        guard length == 0, byteCount > 0, let before else { return nil }
        // A redirect changes the target; whatever else repeats a request asks for the same.
        guard cause?.name == .redirect ? Self.method(argument) == Self.method(before) : argument == before else {
            return nil
        }
        switch cause?.argument {
        // Their first legs have no content on purpose.
        case "ntlm", "negotiate", "proxyNtlm", "proxyNegotiate": return nil
        default: return Loss(cause: cause, byteCount: byteCount)
        }
    }

    private static func method(_ request: String) -> Substring { request.prefix { $0 != " " } }
}
