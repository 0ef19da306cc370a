import ProctorEvents

struct R22NewStream: RuleMonitor {
    static let interests: EventNameSet = [
        .needBodyStream, .bodySent, .challenge, .redirect, .answer, .response, .complete, .request,
    ]

    private var isStreamed = false
    private var hasSent = false
    /// A question whose answer may cause a re-send.
    ///
    /// Certain once that answer came; `hadSent`: bytes of the stream were reported before the question.
    private var cause: (question: KeptEvent, isCertain: Bool, hadSent: Bool)?
    /// Whether the question for a stream was answered without one.
    private var isDenied = false
    private var wire = ResentBody()
    private var repeated = RepeatedStream()

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .needBodyStream: return takeQuestion(event, load)
        case .bodySent: hasSent = true
        case .challenge, .redirect:
            if event.name == .redirect || !event.isOfTLS {
                cause = (KeptEvent(event), false, hasSent)
                repeated = RepeatedStream()
            }
            wire.takeCause(event)
        case .answer: takeAnswer(event, load)
        case .response where !event.isInterim: return takeResponse(event, load)
        case .request:
            repeated.takeRequest(event)
            return wire.observeRequest(event).flatMap { breach(of: $0, event, load) }
        default: break
        }
        return nil
    }

    // MARK: Callbacks

    private mutating func takeQuestion(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if isStreamed, let question = cause?.question, question.name == .redirect, becomesGET(question, load) {
            return Breach(
                "needBodyStream came after \(question.symbol), which makes the request a GET", isInferred: true)
        }
        isStreamed = true
        repeated.takeStream()
        hasSent = false
        isDenied = false
        cause = nil
        return nil
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
        case .needBodyStream: isDenied = event.argument == "none"
        case .challenge, .redirect:
            guard let question = load.question(answeredBy: event) else { return }
            let isResend = event.argument == "use" || event.argument == "follow"
            if isResend, let cause, cause.question.sequence == question.sequence { self.cause?.isCertain = true }
            if !isResend, !question.isOfTLS { cause = nil }
            if event.argument == "change" { wire.forget() }
        default: break
        }
    }

    private mutating func takeResponse(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if isDenied {
            return Breach("\(event.symbol) came after needBodyStream was answered with no stream; the load fails")
        }
        let request = repeated.request
        repeated = RepeatedStream()
        if isStreamed, let request {
            return Breach(
                "\(event.symbol) came after \(request.symbol) was sent a second time without needBodyStream; a stream "
                    + "cannot be sent twice")
        }
        guard isStreamed, let cause else { return nil }
        self.cause = nil
        if !cause.isCertain {
            // Without answers, another status than that of the question shows how it was answered.
            guard !load.seesAnswers else { return nil }
            if cause.question.name == .redirect, event.argument == cause.question.argument { return nil }
            if cause.question.name == .challenge, event.argument == "401" || event.argument == "407" { return nil }
        }
        guard cause.question.name == .challenge || keepsBody(cause.question, load) else { return nil }
        // A proxy asks in its reply to CONNECT, which has no content (RFC 9110 §9.3.6): no byte of the stream was read.
        if !cause.hadSent, cause.question.argument?.hasPrefix("proxy") == true { return nil }
        return Breach(
            "\(event.symbol) came after \(cause.question.symbol) without needBodyStream; a stream cannot be sent twice",
            isInferred: !cause.hadSent || isUndecided(cause.question, load))
    }

    // MARK: Redirects

    private func keepsBody(_ redirect: KeptEvent, _ load: LoadState) -> Bool {
        (redirect.argument == "307" || redirect.argument == "308") && load.platform.redirectBody != .stripped
    }

    private func isUndecided(_ question: KeptEvent, _ load: LoadState) -> Bool {
        question.name == .redirect && load.platform.redirectBody == .unknown
    }

    // MARK: Wire

    private func breach(of loss: ResentBody.Loss, _ event: TraceEvent, _ load: LoadState) -> Breach? {
        if loss.cause?.name == .redirect, load.platform.redirectBody == .stripped { return nil }
        return Breach(
            "request(\(event.argument ?? "")) has no content after \(loss.cause?.symbol.description ?? "a retry"), but the "
                + "one before had \(loss.byteCount) bytes; the body is sent again",
            isInferred: loss.cause.map { isUndecided($0, load) } ?? false)
    }
}

/// Sees on the wire that a request with content was sent a second time, without an answer in between (R22).
private struct RepeatedStream {
    /// The request that was repeated, while no stream has been asked for since the one before.
    private(set) var request: KeptEvent?
    private var before: (argument: String, byteCount: Int)?
    private var hasNewStream = false

    mutating func takeRequest(_ event: TraceEvent) {
        guard let argument = event.argument else { return self = RepeatedStream() }
        if let before, before.argument == argument, before.byteCount > 0, !hasNewStream { request = KeptEvent(event) }
        before = (argument, event.facts.integer(.bodyLength) ?? 0)
        hasNewStream = false
    }

    mutating func takeStream() {
        request = nil
        hasNewStream = true
    }
}

/// Checks on the wire whether a request that repeats another still has its content (R22).
struct ResentBody {
    private var before: String?
    private var byteCount = 0
    private var cause: KeptEvent?

    struct Loss {
        /// nil for a retry that the client made by itself.
        let cause: KeptEvent?
        let byteCount: Int
    }

    mutating func takeCause(_ event: TraceEvent) {
        if !event.isOfTLS { cause = KeptEvent(event) }
    }

    /// The test chose another request, which has content of its own.
    mutating func forget() { byteCount = 0 }

    /// nil when no content is lost, or when that is unknown.
    mutating func observeRequest(_ request: TraceEvent) -> Loss? {
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
        // A redirect changes the target; any other repetition has the same target.
        guard cause?.name == .redirect ? Self.method(argument) == Self.method(before) : argument == before else {
            return nil
        }
        switch cause?.argument {
        // Their first requests have no content by design.
        case "ntlm", "negotiate", "proxyNtlm", "proxyNegotiate": return nil
        default: return Loss(cause: cause, byteCount: byteCount)
        }
    }

    private static func method(_ request: String) -> Substring { request.prefix { $0 != " " } }
}
