internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The task of a step, or the call of an `async` method, made and not yet started.
struct StepWork {
    private let run: StepRun
    private let role: TaskRole
    private let acts: TaskActs
    private let kind: Kind
    private let file: URL?

    /// Why a step can't be done here.
    struct Failure: Error {
        let reason: String
    }

    private enum Kind {
        case task(URLSessionTask)
        case call(AsyncCall)
    }

    init(_ run: StepRun, _ role: TaskRole, _ request: URLRequest) throws {
        self.run = run
        self.role = role
        acts = TaskActs(recorder: run.session.recorder)
        let body = BodySource(run.step.body)
        file = run.step.bodyForm == "file" && run.step.body != nil ? try body.temporaryFile() : nil
        let parts = StepParts(step: run.step, request: request, body: body, file: file, resumeData: run.resumeData)
        if run.step.task == "async" {
            kind = .call(AsyncCall(parts, role: role, session: run.session))
            return
        }
        let task = try parts.makeTask(in: run.session, role: role)
        run.session.recorder.assign(role.number, toTask: task)
        if let delegate = run.session.taskDelegate { task.delegate = delegate }
        kind = .task(task)
    }

    /// Starts it, with what the program wants just before and just after.
    func start() {
        switch kind {
        case .task(let task):
            act(at: "before-resume", on: task)
            acts.resume(task, role: role)
            act(at: "after-resume", on: task)
        case .call(let call):
            if isNow("before-resume", role.sessionEnd?.moment) { role.sessionEnd?.end() }
            call.start(isCancelledBefore: isNow("before-resume", run.step.cancelAt))
            if isNow("after-resume", role.sessionEnd?.moment) { role.sessionEnd?.end() }
            if isNow("after-resume", run.step.cancelAt) { call.cancel() }
        }
    }

    func cleanUp() {
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    private func act(at moment: String, on task: URLSessionTask) {
        if isNow(moment, role.sessionEnd?.moment) { role.sessionEnd?.end() }
        if isNow(moment, run.step.suspendAt) { acts.suspend(task, role: role) }
        if isNow(moment, run.step.cancelAt) { acts.cancel(task, role: role) }
    }

    private func isNow(_ moment: String, _ wanted: Assignment.Moment?) -> Bool { wanted?.event == moment }
}
