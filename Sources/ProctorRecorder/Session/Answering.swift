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

    /// Answers now or after the time of the program.
    func answer(_ word: String, to question: EventName, _ give: @escaping @Sendable () -> Void) {
        guard let delay = role.step?.answerAfter else { return answerNow(word, to: question, give) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) {
            answerNow(word, to: question, give)
        }
    }

    private func answerNow(_ word: String, to question: EventName, _ give: () -> Void) {
        note(word, to: question)
        give()
    }

    /// Writes an answer down that somebody else gives.
    func note(_ word: String, to question: EventName) {
        recorder.record(
            TraceEvent(
                lane: .harness, task: role.number, name: .answer, argument: word,
                facts: [EventFact(.to, .text(question.rawValue))]))
    }

    /// The program asks for something that this platform or this recorder does not have.
    func unimplemented(_ what: String) {
        recorder.record(
            TraceEvent(lane: .harness, task: role.number, name: .unimplemented, argument: what))
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
