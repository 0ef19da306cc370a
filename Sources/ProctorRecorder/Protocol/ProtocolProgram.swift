public import ProctorProgram

/// What a loading system that drives a URLProtocol does when it is asked, and when it loses interest.
public struct ProtocolProgram: Sendable, Equatable {
    /// One for each redirect in turn, the last stays; none cancels and answers, or answers twice.
    ///
    /// Of a refusal only a ``RedirectAnswering`` is told; any other URLProtocol just goes on (R51).
    public var onRedirect: [Assignment.RedirectAnswer] = [.follow]
    /// One for each challenge in turn, the last stays, as in ``Assignment/ChallengeAnswer``.
    ///
    /// Empty: default handling.
    public var onChallenge: [Assignment.ChallengeAnswer] = []
    /// Between a question and its answer; nil: in the next turn of the run loop.
    public var answerAfter: Duration?
    /// When it stops the object: at a call of the object on its client, `before-resume` (the object is made and never
    /// started) or `after-resume`.
    public var cancelAt: Assignment.Moment?
    /// Redirects that it follows before it gives up.
    public var redirectLimit = 20
    /// How long the client thread may keep its run loop from running before that is written down as `blocked`.
    public var blockedThreshold: Duration = .milliseconds(100)
    /// How long it listens, after it has stopped the last object, for late calls of an object that is not gone.
    public var settling: Duration = .milliseconds(250)

    /// What it does wrong; for drivers that are broken on purpose.
    package var fault: Fault?

    /// A duty of a loading system, neglected.
    package enum Fault: Sendable {
        /// Objects are let go of without a stop (R49).
        case neverStops
        /// Objects are made of requests as they are (R52).
        case skipsCanonicalForm
        /// A task of the session is told of the body's progress (R24).
        case tellsUpload
    }

    /// Follows redirects, handles challenges by default and waits for the end.
    public init() {}

    /// The answers of a step of a client program.
    public init(_ step: Assignment.Step) {
        onRedirect = step.onRedirect
        onChallenge = step.onChallenge
        answerAfter = step.answerAfter.map { .milliseconds($0) }
        cancelAt = step.cancelAt
    }

    /// The same for an exam, which may be sat on a crowded machine: no thread is called blocked for less than 400 ms, and
    /// late calls are listened for until the object is gone, or for two seconds.
    package init(examining step: Assignment.Step) {
        self.init(step)
        blockedThreshold = .milliseconds(400)
        settling = .seconds(2)
    }
}
