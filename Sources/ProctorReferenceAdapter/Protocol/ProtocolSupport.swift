internal import ProctorTrace

/// What a URLProtocol under a driver has no call for.
enum ProtocolSupport {
    private static let redirectAnswers: Set = ["follow", "refuse", "change", "cancel", "never"]
    /// Calls on a client, and what a driver knows besides.
    private static let moments: Set = [
        "before-resume", "after-resume", "redirect", "challenge", "challengeCancelled", "response", "data",
        "cacheValidated", "complete",
    ]

    /// In words that name the key; nil when nothing is in the way.
    static func missing(for assignment: Assignment) -> String? {
        let setup = assignment.session
        if setup.delegates != "session" { return "session.delegates: a URLProtocol has one client and no delegates" }
        if setup.queue != "serial", setup.queue != "default" {
            return "session.queue: a URLProtocol calls its client on the thread that started it"
        }
        if setup.endAt != nil { return "session.endAt: there is no session without URLSession" }
        if setup.cache != nil { return "session.cache: a URLProtocol is given its cached response, it keeps none" }
        for (index, step) in assignment.steps.enumerated() {
            if let reason = missing(for: step) { return "steps[\(index)].\(reason)" }
        }
        return nil
    }

    private static func missing(for step: Assignment.Step) -> String? {
        if step.task != "data", step.task != "upload" {
            return "task: a URLProtocol knows nothing of \(step.task) tasks"
        }
        if step.body != nil, !["data", "file", "http-body-stream"].contains(step.bodyForm) {
            return "bodyForm: a URLProtocol gets its body with the request, not as \(step.bodyForm)"
        }
        if step.onResponse != "allow" { return "onResponse: a URLProtocol takes no answer to a response" }
        if step.suspendAt != nil { return "suspendAt: a URLProtocol cannot be suspended" }
        if step.resume != nil || step.producesResumeData { return "resume: a URLProtocol has no resume data" }
        if let moment = step.cancelAt, !moments.contains(moment.event) {
            return "cancelAt: a URLProtocol tells nothing of \(moment.event)"
        }
        if step.onChallenge.contains(where: { $0.token != nil }) {
            return "onChallenge: token: a URLProtocol forwards no challenge of Bearer (R20)"
        }
        if step.onChallenge.contains(where: { ($0.persistence ?? "none") != "none" }) {
            return "onChallenge: persistence: the loading system keeps credentials, a URLProtocol keeps none"
        }
        if let answer = step.onRedirect.first(where: { !redirectAnswers.contains($0.answer) }) {
            return "onRedirect: \(answer.answer): a URLProtocol is answered once"
        }
        return nil
    }
}
