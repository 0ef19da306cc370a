internal import ProctorRecorder
package import ProctorTrace

/// What no shape of the reference client can do, or no client at all.
package enum StepSupport {
    /// Why an assignment can't be done, in words that name the key; nil when nothing is in the way.
    package static func missing(for assignment: Assignment) -> String? {
        let setup = assignment.session
        guard ["session", "task", "both", "none"].contains(setup.delegates) else {
            return "session.delegates: \(setup.delegates)"
        }
        guard ["serial", "default", "main", "concurrent"].contains(setup.queue) else {
            return "session.queue: \(setup.queue)"
        }
        guard setup.cookiePolicy != nil else { return "session.cookies: \(setup.cookies)" }
        if let reason = setup.missingRoute { return "session.\(reason)" }
        for (index, step) in assignment.steps.enumerated() {
            if let reason = missing(for: step) { return "steps[\(index)].\(reason)" }
        }
        return nil
    }

    private static func missing(for step: Assignment.Step) -> String? {
        guard ["data", "upload", "download", "handler", "async"].contains(step.task) else {
            return "task: \(step.task)"
        }
        guard ["data", "file", "stream", "http-body-stream", "bound-pair"].contains(step.bodyForm) else {
            return "bodyForm: \(step.bodyForm)"
        }
        guard StepRequest.cachePolicy(of: step) != nil else { return "cachePolicy: \(step.cachePolicy ?? "")" }
        if let word = step.onChallenge.compactMap(\.persistence).first(where: { !persistences.contains($0) }) {
            return "onChallenge: persistence: \(word)"
        }
        return step.body?.fault.map { "body: \($0)" }
    }

    /// What a shape says to a script, which is a URLProtocol's: only `url-protocol` has a place for one.
    static func scriptless(_ noun: String) -> String {
        "protocolScript: \(noun) of this client loads by itself; --as url-protocol plays scripts"
    }

    private static let persistences: Set = ["none", "session", "permanent"]
}
