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
    let family: CallbackFamily
    /// nil: nobody wrote a program, questions get the answer of a client without a delegate.
    let step: Assignment.Step?
    /// Ends the session in the callback of an event.
    let sessionEnd: SessionEnd?
    private let state = Locked(State())

    /// How a session ends, and when.
    struct SessionEnd: Sendable {
        let moment: Assignment.Moment
        let end: @Sendable () -> Void
    }

    /// What came of the task.
    struct State {
        var counts: [EventName: Int] = [:]
        var redirectCount = 0
        var challengeCount = 0
        var response: URLResponse?
        var body: [UInt8] = []
        var bodyByteCount = 0
        /// `ok` or the name of an error, when the end has come.
        var outcome: String?
        var resumeData: Data?
        var isResumeDataDue = false
    }

    /// Bytes of a body that are kept for the `result`; only the count of the others is.
    static let keptBodyByteCount = 1 << 20

    init(number: Int, family: CallbackFamily, step: Assignment.Step? = nil, sessionEnd: SessionEnd? = nil) {
        self.number = number
        self.family = family
        self.step = step
        self.sessionEnd = sessionEnd
    }

    var snapshot: State { state.withLock { $0 } }

    /// Counts the event, and says whether this is the moment meant.
    func count(_ event: EventName) -> Int {
        state.withLock { state in
            state.counts[event, default: 0] += 1
            return state.counts[event, default: 1]
        }
    }

    /// A new response makes what came before it void (R26); what comes after the end changes nothing.
    func received(_ response: URLResponse) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.response = response
            state.body = []
            state.bodyByteCount = 0
        }
    }

    /// Bytes after those before; what comes after the end changes nothing.
    func received(_ data: Data) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.bodyByteCount += data.count
            let room = Self.keptBodyByteCount - state.body.count
            if room > 0 { state.body += data.prefix(room) }
        }
    }

    /// The end of a task with a handler: what that was given is all there is, whatever callbacks brought.
    func returned(_ data: Data?, _ response: URLResponse?, outcome: String) {
        state.withLock { state in
            state.outcome = outcome
            if let response { state.response = response }
            guard let data else { return }
            state.bodyByteCount = data.count
            state.body = Array(data.prefix(Self.keptBodyByteCount))
        }
    }

    /// A finished file is all of the body.
    func received(_ file: DownloadedFile, response: URLResponse?) {
        state.withLock { state in
            if let response { state.response = response }
            state.body = file.start
            state.bodyByteCount = file.byteCount ?? 0
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
        let index = state.withLock { state in
            defer { state.redirectCount += 1 }
            return state.redirectCount
        }
        guard let answers = step?.onRedirect, let last = answers.last else {
            return Assignment.RedirectAnswer("follow")
        }
        return index < answers.count ? answers[index] : last
    }

    /// What the program says to this challenge; nil where it has no say.
    func nextChallengeAnswer() -> Assignment.ChallengeAnswer? {
        guard let answers = step?.onChallenge, let last = answers.last else { return nil }
        let index = state.withLock { state in
            defer { state.challengeCount += 1 }
            return state.challengeCount
        }
        return index < answers.count ? answers[index] : last
    }
}
