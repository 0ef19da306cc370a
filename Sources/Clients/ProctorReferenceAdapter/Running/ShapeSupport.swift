internal import ProctorAssignments
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

extension ReferenceShape {
    /// Why the shape can't run an assignment, with the name of the key; nil when it can.
    ///
    /// `refusals.tsv` says what a shape can't do; here stands what depends on more than words of the assignment.
    func missing(for assignment: Assignment) -> String? {
        if let unknown = assignment.unknownWord() { return unknown }
        if let reason = assignment.session.missingRoute { return "session.\(reason)" }
        for (index, step) in assignment.steps.enumerated() {
            if let fault = step.body?.fault { return "steps[\(index)].body: \(fault)" }
            if self != .session, let resumed = step.resume, resumed < assignment.earlierSteps ?? 0 {
                return "steps[\(index)].resume: \(noun) of this client leaves its file to no other process"
            }
        }
        let clients = groups.union(ClientRefusals.Client(rawValue: rawValue).map { [$0, .reference] } ?? [])
        guard self == .session, assignment.opensEventSources else {
            return ClientRefusals(of: clients, called: noun).reason(for: assignment)
        }
        return ClientRefusals(of: clients.union([.eventSources]), called: "an event source").reason(for: assignment)
    }

    private var noun: String {
        switch self {
        case .session: "a session"
        case .connection, .connectionDownload: "a connection"
        case .connectionSync: "a synchronous request"
        case .connectionQueued: "a queued request"
        case .download: "a download"
        case .urlProtocol: "a URLProtocol"
        case .sequence: "a response that is a sequence"
        }
    }

    /// What the table calls the shape with others.
    private var groups: Set<ClientRefusals.Client> {
        switch self {
        case .connection, .connectionDownload, .download: [.old]
        case .connectionSync, .connectionQueued, .sequence: [.request]
        case .session, .urlProtocol: []
        }
    }
}
