internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What a recorder knows of one task: how its questions are answered, and what came of it so far.
final class TaskRole: Sendable {
    /// In the trace.
    let number: Int
    /// nil: nobody wrote a program, questions get the answer of a client without a delegate.
    let step: Assignment.Step?
    /// Ends the session in the callback of an event.
    let sessionEnd: PlannedSessionEnd?
    private let state: Locked<State>

    /// What came of the task.
    struct State {
        var moments = MomentCounts()
        var redirects: AnswersInTurn<Assignment.RedirectAnswer>
        var challenges: AnswersInTurn<Assignment.ChallengeAnswer>
        var response: URLResponse?
        var body = KeptBody()
        /// `ok` or the name of an error, when the end has come.
        var outcome: String?
        var resumeData: Data?
        var isResumeDataDue = false
        var family: CallbackFamily
    }

    init(number: Int, family: CallbackFamily, step: Assignment.Step? = nil, sessionEnd: PlannedSessionEnd? = nil) {
        self.number = number
        self.step = step
        self.sessionEnd = sessionEnd
        state = Locked(
            State(
                redirects: AnswersInTurn(step?.onRedirect ?? []),
                challenges: AnswersInTurn(step?.challengeAnswers ?? []),
                family: family))
    }

    /// Of the callbacks that come next.
    var family: CallbackFamily { state.withLock { $0.family } }

    /// What comes from now on is another kind of task's (R29).
    func become(_ family: CallbackFamily) { state.withLock { $0.family = family } }

    var snapshot: State { state.withLock { $0 } }

    /// Counts the event, and says whether this is the moment meant.
    func count(_ event: EventName) -> @Sendable (Assignment.Moment?) -> Bool {
        state.withLock { $0.moments.count(event) }
    }

    /// A new response makes what came before it void (R26); what comes after the end changes nothing.
    func received(_ response: URLResponse) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.response = response
            state.body = KeptBody()
        }
    }

    /// Bytes after those before; what comes after the end changes nothing.
    func received(_ data: Data) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.body.append(data)
        }
    }

    /// The end of a task with a handler: what that was given is all there is, whatever callbacks brought.
    func returned(_ data: Data?, _ response: URLResponse?, outcome: String) {
        state.withLock { state in
            state.outcome = outcome
            if let response { state.response = response }
            if let data { state.body = KeptBody(data, byteCount: data.count) }
        }
    }

    /// A finished file is all of the body.
    func received(_ file: DownloadedFile, response: URLResponse?) {
        state.withLock { state in
            if let response { state.response = response }
            state.body = KeptBody(file.start, byteCount: file.byteCount ?? 0)
        }
    }

    /// The end, with the response the task has in the end where no callback brought one.
    func ended(with outcome: String, response: URLResponse?) {
        state.withLock { state in
            state.outcome = outcome
            if state.response == nil { state.response = response }
        }
    }

    func awaitsResumeData() { state.withLock { $0.isResumeDataDue = true } }

    func received(resumeData: Data?) {
        state.withLock { state in
            state.isResumeDataDue = false
            if let resumeData { state.resumeData = resumeData }
        }
    }

    /// A download that failed may leave resume data in its error.
    func keepResumeData(of error: any Error) {
        guard let data = (error as NSError).userInfo[Self.resumeDataKey] as? Data else { return }
        state.withLock { $0.resumeData = data }
    }

    /// NSURLSessionDownloadTaskResumeData, which has a name of its own on each platform.
    private static let resumeDataKey = "NSURLSessionDownloadTaskResumeData"

    /// What the program says to this redirect; the last answer stays.
    func nextRedirectAnswer() -> Assignment.RedirectAnswer {
        state.withLock { $0.redirects.take() } ?? Assignment.RedirectAnswer("follow")
    }

    /// What the program says to this challenge; nil where it has no say.
    func nextChallengeAnswer() -> Assignment.ChallengeAnswer? { state.withLock { $0.challenges.take() } }
}
