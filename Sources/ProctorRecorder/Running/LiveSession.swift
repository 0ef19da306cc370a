internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The session of a program, with its delegates and its end.
final class LiveSession: Sendable {
    let recorder: TraceRecorder
    let roles: TaskRoles
    let session: URLSession
    let setup: SessionSetup
    /// Of each task, or of the `async` methods; nil where only the session has one.
    let taskDelegate: SessionRecorder?
    private let hasDelegate: Bool
    private let ending: SessionEnding
    /// Scripts are known as long as they are kept, and a URLProtocol object may outlive its step.
    private let scripts = Locked<[ScriptedLoad]>([])

    init(_ assignment: Assignment, recorder: TraceRecorder, protocolClasses: [URLProtocol.Type] = []) {
        self.recorder = recorder
        setup = assignment.session
        ending = SessionEnding(setup, recordingTo: recorder)
        let certificates = SessionCertificates(trust: setup.trust, identity: setup.identity)
        roles = TaskRoles(recorder: recorder, certificates: certificates)
        let asksChallenges =
            certificates.wantQuestions || assignment.steps.contains { !$0.onChallenge.isEmpty }
        let configuration = setup.configuration()
        ProtocolInstallation.prepare(configuration, for: assignment, others: protocolClasses)
        let ofSession =
            ["session", "both"].contains(setup.delegates)
            ? SessionRecorder(roles: roles, position: .session, answersChallenges: asksChallenges) : nil
        taskDelegate =
            ["task", "both"].contains(setup.delegates)
            ? SessionRecorder(roles: roles, position: .task, answersChallenges: asksChallenges) : nil
        hasDelegate = ofSession != nil
        session = URLSession(configuration: configuration, delegate: ofSession, delegateQueue: setup.delegateQueue())
    }

    /// The request that leads to the script of a step; the same one where the step has none.
    func scripted(_ request: URLRequest, for step: Assignment.Step, at index: Int) -> URLRequest {
        guard let load = ProtocolInstallation.load(of: step, for: request, task: index, recorder: recorder) else {
            return request
        }
        scripts.withLock { $0.append(load) }
        return load.request
    }

    /// The end that a program wants in the middle of its first step; nil for other steps.
    func end(atStep index: Int) -> PlannedSessionEnd? {
        PlannedSessionEnd(setup, atStep: index) { [self] in end() }
    }

    /// Invalidates the session, once.
    func end() {
        ending.begin(session: recorder.number(ofSession: session)) { isCancelling in
            if isCancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
        }
    }

    /// Ends the session where that has not happened and waits until it says so; false when it does not in time.
    func finish(before end: UInt64) async -> Bool {
        self.end()
        return hasDelegate ? await ending.isTold(before: end) : true
    }
}
