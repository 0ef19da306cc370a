import ProctorEvents

extension Rules {
    static let r55 = Rule(
        55, title: "the task's delegate or the session's",
        statement: """
            The session's delegate is told only what the task's own delegate has no method for; no callback goes to \
            both. What no delegate has a method for is told to none, and the documented default holds.
            """,
        source: """
            NSURLSession.h of 2025 (methods not implemented are forwarded); URLSessionTask.delegate; FB9605754; \
            NSURLConnection.h and NSURLDownload.h (their methods are optional)
            """,
        confidence: .documented,
        families: [.sessionData, .sessionDownload, .sessionHandler, .connection, .connectionDownload, .download],
        monitors: [.load(R55DelegateRouting.self)],
        limits: """
            The trace must have the fact who of callbacks, or the fact without of resume. Only who of resume with \
            the value task shows what the task's delegate implements: everything that without does not name. Where a \
            session-wide challenge goes is not judged
            """,
        legal:
            "redirect(302) response(200) data complete(ok)  # the redirect to the task's delegate, the rest to the session's",
        illegal: "redirect(302) redirect(302) response(200) complete(ok)  # one redirect, told to both delegates",
        explains: [
            // The other delegate gets a redirect that the first one has refused.
            .init(5, .sameEvent)
        ])
}

/// Checks the fact `who` of each callback.
///
/// A method goes to one delegate for the whole load, so that a method which goes to both is wrong whatever each of
/// them implements. `who` of `resume` says that the task's own delegate implements everything.
struct R55DelegateRouting: RuleMonitor {
    static let interests: EventNameSet = [
        .resume, .delayed, .waiting, .redirect, .challenge, .needBodyStream, .bodySent, .informational, .response,
        .data,
        .willCache, .becameDownload, .becameStream, .downloadResumed, .progress, .fileReady, .metrics, .complete,
        .canonicalize, .askCanAuth, .askCredStore, .shouldDecode, .destination,
    ]

    /// A bit for each event.
    private var toTask: UInt64 = 0
    private var toSession: UInt64 = 0
    private var hasFullDelegate = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard let who = event.facts.text(.who) else { return missing(event, load) }
        let isTask = who == "task"
        if event.name == .resume {
            hasFullDelegate = isTask
            return nil
        }
        // The documentation does not say which delegate gets the session's own challenge method.
        guard event.lane == .task, event.facts.text(.scope) != "session" else { return nil }
        if isTask || !hasFullDelegate, let breach = missing(event, load) { return breach }
        if !isTask, hasFullDelegate, !load.missingMethods.contains(event.name) {
            return Breach("\(event.symbol) went to the session's delegate, though the task's implements it")
        }
        let bit: UInt64 = 1 << UInt64(event.name.ordinal)
        if (isTask ? toSession : toTask) & bit != 0 {
            return Breach(
                "\(event.symbol) went to the \(who)'s delegate, and before to the other; a method goes to one of them")
        }
        if isTask { toTask |= bit } else { toSession |= bit }
        return nil
    }

    /// A call of a method that the delegate lacks; `without` is about the task's own where there is one.
    private func missing(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard event.lane == .task, load.missingMethods.contains(event.name) else { return nil }
        return Breach("\(event.symbol) was told, though the delegate has no method for it")
    }
}
