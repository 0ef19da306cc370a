internal import ProctorTrace

/// What the old shapes have no way to do, found before anything is done.
enum LegacySupport {
    /// Why an assignment can't be done, in words that name the key; `noun` is the shape.
    static func missing(for assignment: Assignment, tasks: Set<String>, noun: String) -> String? {
        if let reason = missing(for: assignment.session, noun: noun) { return "session.\(reason)" }
        for (index, step) in assignment.steps.enumerated() {
            if let reason = missing(for: step, tasks: tasks, noun: noun) { return "steps[\(index)].\(reason)" }
        }
        return nil
    }

    private static func missing(for setup: SessionSetup, noun: String) -> String? {
        if setup.delegates != "session" { return "delegates: \(noun) has one delegate of its own" }
        if setup.queue != "serial", setup.queue != "default" {
            return "queue: \(noun) calls back on one thread of its own"
        }
        if setup.end != nil || setup.endAt != nil { return "end: \(noun) has no session that could end" }
        return nil
    }

    private static func missing(for step: Assignment.Step, tasks: Set<String>, noun: String) -> String? {
        guard tasks.contains(step.task) else { return "task: \(noun) does no \(step.task)" }
        if step.protocolScript != nil { return StepSupport.scriptless(noun) }
        if step.suspendAt != nil { return "suspendAt: \(noun) can't be suspended" }
        if step.onResponse != "allow" { return "onResponse: \(noun) asks for no disposition" }
        if step.onBodyStream == "never", !isCancelled(step, in: "needBodyStream") {
            return "onBodyStream: a return value can't be left out"
        }
        if step.answerAfter != nil, step.onChallenge.isEmpty {
            return "answerAfter: only challenges are answered by a call here, the rest by return value"
        }
        if let answer = step.onRedirect.first(where: { !returnable.contains($0.answer) }),
            !isCancelled(step, in: "redirect")
        {
            return "onRedirect: '\(answer.answer)' is nothing that a return value can say"
        }
        if noun == connection, step.producesResumeData { return "producesResumeData: \(noun) leaves none" }
        if noun == connection, step.resume != nil { return "resume: \(noun) goes on with nothing but itself" }
        if step.task == "download", step.bodyForm == "stream" || step.bodyForm == "bound-pair", step.body != nil {
            return "bodyForm: a download has no method that asks for a stream"
        }
        return nil
    }

    /// Whether the first of these questions gets no answer, because the program cancels in it.
    private static func isCancelled(_ step: Assignment.Step, in question: String) -> Bool {
        step.cancelAt?.event == question && step.cancelAt?.count == 1
    }

    static let connection = "a connection"
    static let download = "a download"

    private static let returnable: Set<String> = ["follow", "refuse", "change", "cancel"]
}
