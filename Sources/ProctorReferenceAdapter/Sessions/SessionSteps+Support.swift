package import ProctorTrace

extension SessionSteps {
    /// The family of API that a step's task belongs to.
    static func family(of step: Assignment.Step) -> CallbackFamily {
        switch step.task {
        case "download": .UD
        case "handler", "async": .HT
        default: .US
        }
    }

    package static func missing(for assignment: Assignment) -> String? {
        switch assignment.session.queue {
        case "main": return "session.queue: main; this client calls back on threads of its own"
        case "concurrent": return "session.queue: concurrent; this client has serial queues only"
        default: break
        }
        for (index, step) in assignment.steps.enumerated() {
            if let reason = missing(for: step, delegates: assignment.session.delegates) {
                return "steps[\(index)].\(reason)"
            }
        }
        return nil
    }

    private static func missing(for step: Assignment.Step, delegates: String) -> String? {
        if step.protocolScript != nil { return StepSupport.scriptless("a session") }
        if delegates == "none", family(of: step) != .HT {
            return "task: a \(step.task) task shows nothing to a session without a delegate; only handler and async do"
        }
        if step.task != "data", step.task != "upload", step.bodyForm == "stream" || step.bodyForm == "bound-pair" {
            return "bodyForm: a \(step.task) task takes no streamed request"
        }
        if step.task == "async", step.suspendAt != nil { return "suspendAt: an async method can't be suspended" }
        if step.onResponse == "becomeStream" { return "onResponse: becomeStream; this client has no stream tasks" }
        return nil
    }
}
