public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A delegate that writes every callback down, when it begins and when it returns.
///
/// Questions are answered by a user's delegate (``init(recordingTo:forwardingTo:as:)``), by the program of a step, or as
/// if nobody had been asked. Give ``delegate`` to a session or a task, not the recorder itself: see there.
public final class SessionRecorder: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
    URLSessionWebSocketDelegate, URLSessionStreamDelegate
{
    /// Where the events go.
    public let recorder: TraceRecorder
    let roles: TaskRoles
    let desk: CallbackDesk
    let user: UserDelegate?
    let answersChallenges: Bool

    /// Which delegate of URLSession a recorder stands for; in a trace it is the fact `who`.
    public enum Position: String, Sendable {
        /// The one a session was made with.
        case session
        /// One that was set on a task or given to an `async` method; never asked about the session.
        case task
    }

    /// Observes `delegate`, which gives all answers, or nobody where there is none.
    ///
    /// What `delegate` does not implement is answered as URLSession would; a challenge or a body stream it does not
    /// implement is not even asked on Darwin. Give recorders of one session the same `recorder`.
    public convenience init(
        recordingTo recorder: TraceRecorder = TraceRecorder(),
        forwardingTo delegate: (any URLSessionDelegate)? = nil, as position: Position = .session
    ) {
        self.init(
            roles: TaskRoles(recorder: recorder), user: delegate.map(UserDelegate.init), position: position,
            answersChallenges: true)
    }

    /// For programs, whose answers are found by the roles of the tasks.
    init(roles: TaskRoles, user: UserDelegate? = nil, position: Position, answersChallenges: Bool) {
        recorder = roles.recorder
        self.roles = roles
        self.user = user
        self.answersChallenges = answersChallenges
        desk = CallbackDesk(recorder: recorder, roles: roles, who: position.rawValue)
    }

    /// What a session is to be given.
    ///
    /// On Linux URLSession looks at the protocols a delegate conforms to, and behaves otherwise for one that has all of
    /// them; so there a user's delegate is hidden behind an object that conforms to no more than it does itself.
    public var delegate: any URLSessionDelegate {
        #if canImport(Darwin)
            self
        #else
            user?.narrowed(self) ?? self
        #endif
    }

    /// What a task or an `async` method is to be given; like ``delegate``.
    public var taskDelegate: any URLSessionTaskDelegate {
        #if canImport(Darwin)
            self
        #else
            user?.narrowedForTasks(self) ?? self
        #endif
    }

    /// A serial queue whose label stands in the events, for one session.
    public func makeDelegateQueue() -> OperationQueue { QueueLabel.serialQueue("D") }

    /// A session that reports to this recorder, on a queue of its own.
    ///
    /// Until it is invalidated it keeps the recorder alive.
    public func session(configuration: URLSessionConfiguration = .ephemeral) -> URLSession {
        URLSession(configuration: configuration, delegate: delegate, delegateQueue: makeDelegateQueue())
    }
}
