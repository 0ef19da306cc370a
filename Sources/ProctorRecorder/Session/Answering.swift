internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Gives the answers of a program, in the callback or later from another thread, and writes each down before it counts.
struct Answering: Sendable {
    let recorder: TraceRecorder
    let role: TaskRole

    /// Writes an answer down that somebody else gives.
    func note(_ word: String, to question: EventName) { notes.note(word, to: question) }

    /// The program asks for something that this platform or this recorder does not have.
    func unimplemented(_ what: String) { notes.unimplemented(what) }

    private var notes: StepNotes { StepNotes(role.number, recorder: recorder) }

    /// Without a task there is nothing to cancel.
    func carryOut(
        _ plan: [PlannedAct], to question: EventName, cancelling task: URLSessionTask? = nil,
        _ give: @escaping @Sendable (_ word: String) -> Void
    ) {
        notes.carryOut(
            plan, to: question, after: role.step?.answerAfter, cancel: { if let task { cancel(task) } }, give)
    }

    func cancel(_ task: URLSessionTask) { TaskActs(recorder: recorder).cancel(task, role: role) }

    /// A challenge's handler that writes down what somebody else says.
    func notingChallenge(_ handler: @escaping ChallengeHandler) -> ChallengeHandler {
        { disposition, credential in
            let word =
                switch disposition {
                case .useCredential: credential == nil ? "use-none" : "use"
                case .performDefaultHandling: "default"
                case .cancelAuthenticationChallenge: "cancel"
                case .rejectProtectionSpace: "reject"
                #if canImport(Darwin)
                    @unknown default: "other"
                #endif
                }
            note(word, to: .challenge)
            handler(disposition, credential)
        }
    }

    /// A body stream's handler that writes down what somebody else says.
    func notingStream(_ handler: @escaping @Sendable (InputStream?) -> Void) -> @Sendable (InputStream?) -> Void {
        { stream in
            note(stream == nil ? "none" : "stream", to: .needBodyStream)
            handler(stream)
        }
    }
}
