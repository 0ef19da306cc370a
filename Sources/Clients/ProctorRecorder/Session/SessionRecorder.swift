public import Foundation
import ProctorEvents
public import ProctorProgram

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A delegate that records the beginning and the return of every callback.
///
/// A user's delegate answers the questions (``init(recordingTo:forwardingTo:as:)``), or a step's program; else the
/// answers are those without a delegate. Pass ``delegate`` to a session or a task, not the recorder itself.
public final class SessionRecorder: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
    URLSessionWebSocketDelegate, URLSessionStreamDelegate
{
    /// The recorder of the trace.
    public let recorder: TraceRecorder
    let records: TaskRecords
    let calls: DelegateCalls
    let user: UserDelegate?
    let answersChallenges: Bool
    /// Methods that URLSession must find missing.
    let without: [DelegateMethod]
    /// Records that no owner holds this object any longer; nil when a user may own it.
    private let token: DelegateToken?

    /// The kind of delegate that a recorder stands in for; the fact `who` in a trace.
    public enum Position: String, Sendable {
        /// The delegate of a session.
        case session
        /// The delegate of a task or an `async` method; it never receives calls about the session.
        case task
    }

    /// Records the calls of `delegate`, which gives all answers; without a delegate, each call has its default.
    ///
    /// Methods that `delegate` lacks have the effect of missing methods; on Darwin a challenge or a body stream is then
    /// not recorded. Recorders of one session need the same `recorder`.
    public convenience init(
        recordingTo recorder: TraceRecorder = TraceRecorder(),
        forwardingTo delegate: (any URLSessionDelegate)? = nil, as position: Position = .session
    ) {
        self.init(
            records: TaskRecords(recorder: recorder), user: delegate.map { UserDelegate(object: $0) },
            position: position,
            answersChallenges: true)
    }

    /// For programs, whose answers come from the tasks' records.
    init(
        records: TaskRecords, user: UserDelegate? = nil, position: Position, answersChallenges: Bool,
        without: [DelegateMethod] = [], token: DelegateToken? = nil
    ) {
        self.token = token
        recorder = records.recorder
        (self.records, self.user, self.answersChallenges, self.without) = (records, user, answersChallenges, without)
        calls = DelegateCalls(recorder: recorder, records: records, who: position.rawValue)
    }

    /// The delegate to pass to a session.
    ///
    /// On Linux URLSession looks at the protocols of a delegate, and behaves differently for one that conforms to all
    /// of them; so there a user's delegate is represented by an object that conforms to the same protocols.
    public var delegate: any URLSessionDelegate {
        #if canImport(Darwin)
            self
        #else
            if let user { user.narrowed(self) } else if let front { front } else { self }
        #endif
    }

    /// The delegate to pass to a task or an `async` method; see ``delegate``.
    public var taskDelegate: any URLSessionTaskDelegate {
        #if canImport(Darwin)
            self
        #else
            if let user { user.narrowedForTasks(self) } else if let front { front } else { self }
        #endif
    }

    /// Makes a serial queue for one session, whose label is in the events.
    public func makeDelegateQueue() -> OperationQueue { QueueLabel.queue("D") }

    /// Makes a session with this recorder as its delegate, on a queue of its own.
    ///
    /// The session keeps the recorder alive until it is invalidated.
    public func session(configuration: URLSessionConfiguration = .ephemeral) -> URLSession {
        URLSession(configuration: configuration, delegate: delegate, delegateQueue: makeDelegateQueue())
    }
}

// Acts of a test, recorded before they are performed; rules about causes need them.
extension SessionRecorder {
    /// Records `resume` and resumes the task.
    public func resume(_ task: URLSessionTask) {
        let record = records.record(of: task)
        record.resume(URLSessionStepTask(task: task, record: record))
    }

    /// Records `cancel` and cancels the task, with resume data when its program asks for it.
    public func cancel(_ task: URLSessionTask) {
        let record = records.record(of: task)
        record.cancel(URLSessionStepTask(task: task, record: record))
    }

    /// Records `suspend` and suspends the task until ``resume(_:)``.
    public func suspend(_ task: URLSessionTask) {
        records.record(of: task).notes.record(.suspend)
        task.suspend()
    }

    /// Records `invalidate(finish)` or `invalidate(cancel)` and invalidates the session.
    public func invalidate(_ session: URLSession, cancelling: Bool = false) {
        recorder.record(
            TraceEvent(
                lane: .harness, task: recorder.sessionNumber(of: session), name: .invalidate,
                argument: cancelling ? "cancel" : "finish"))
        if cancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
    }

    /// Lets a step answer a task's questions and act at its moments; call it before the task begins.
    ///
    /// When there is a user's delegate, that delegate gives the answers.
    public func follow(_ step: Assignment.Step, for task: URLSessionTask) {
        let earlier = records.record(of: task)
        records.add(
            StepRecord(
                step, number: earlier.number, family: earlier.family, recordingTo: recorder,
                challengeAnswers: step.challengeAnswers))
    }
}

#if canImport(Darwin)
    // URLSession asks which methods a delegate implements, and behaves differently when one is missing.
    extension SessionRecorder {
        /// False for the methods of a challenge, a body stream and a delayed request when no delegate answers them.
        ///
        /// The other questions are always recorded, since their default answer has the effect of a missing method.
        public override func responds(to selector: Selector?) -> Bool {
            if let selector, without.contains(where: { Self.selector(of: $0) == selector }) { return false }
            guard let selector, Self.decisive.contains(selector) else { return super.responds(to: selector) }
            if let user { return user.object.responds(to: selector) }
            return answersChallenges || !Self.challenges.contains(selector)
        }

        /// The selector; nil for methods of other families.
        private static func selector(of method: DelegateMethod) -> Selector? {
            switch method {
            case .redirect:
                #selector(
                    (any URLSessionTaskDelegate)
                        .urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:))
            case .needBodyStream: #selector((any URLSessionTaskDelegate).urlSession(_:task:needNewBodyStream:))
            case .bodySent:
                #selector(
                    (any URLSessionTaskDelegate)
                        .urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:))
            case .willCache:
                #selector((any URLSessionDataDelegate).urlSession(_:dataTask:willCacheResponse:completionHandler:))
            case .response:
                #selector((any URLSessionDataDelegate).urlSession(_:dataTask:didReceive:completionHandler:))
            case .askCanAuth, .askCredStore, .shouldDecode, .destination: nil
            }
        }

        private static var challenges: Set<Selector> {
            [
                #selector((any URLSessionDelegate).urlSession(_:didReceive:completionHandler:)),
                #selector((any URLSessionTaskDelegate).urlSession(_:task:didReceive:completionHandler:)),
            ]
        }

        private static var decisive: Set<Selector> {
            var decisive = challenges
            decisive.insert(#selector((any URLSessionTaskDelegate).urlSession(_:task:needNewBodyStream:)))
            decisive.insert(
                #selector((any URLSessionTaskDelegate).urlSession(_:task:willBeginDelayedRequest:completionHandler:)))
            if #available(iOS 17, *) {
                decisive.insert(
                    #selector(
                        (any URLSessionTaskDelegate).urlSession(_:task:needNewBodyStreamFrom:completionHandler:)))
            }
            return decisive
        }
    }
#endif
