internal import ProctorProgram
internal import ProctorRecorder

/// What no shape of the reference client can do, or no client at all.
enum StepSupport {
    /// Why an assignment can't be done, in words that name the key; nil when nothing is in the way.
    static func missing(for assignment: Assignment) -> String? {
        let setup = assignment.session
        if let unknown = assignment.unknownWord() { return unknown }
        if let reason = setup.missingRoute { return "session.\(reason)" }
        for (index, step) in assignment.steps.enumerated() {
            if let fault = step.body?.fault { return "steps[\(index)].body: \(fault)" }
        }
        return nil
    }

    /// What a shape says to a script, which is a URLProtocol's: only `url-protocol` has a place for one.
    static func scriptless(_ noun: String) -> String {
        "protocolScript: \(noun) of this client loads by itself; --as url-protocol plays scripts"
    }
}
