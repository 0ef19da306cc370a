internal import ProctorReference

/// The redirect of a task, kept until an event shows that the task was not cancelled in it.
struct CancelledRedirect: Sendable {
    private var response: LoadResponse?
    /// The metrics, which come before the end, and only the end shows a cancel.
    private var metrics: DelegateCall?

    mutating func calls(inPlaceOf call: DelegateCall) -> [PlacedCall] {
        switch call {
        case .redirect(_, let response):
            self.response = response
            return .placing(call)
        case .metrics where response != nil:
            metrics = call
            return []
        default:
            let isCancelled = if case .complete(let error?) = call { error.kind == .cancelled } else { false }
            let dropped = isCancelled ? response.map { DelegateCall.response($0) } : nil
            defer { (response, metrics) = (nil, nil) }
            return .placing(dropped, metrics, call)
        }
    }
}

/// The answer to a certificate, kept until the same question was answered twice.
struct HeldAnswer: Sendable {
    private var challenge: LoadChallenge?
    private var answer: LoadAction?

    mutating func filter(_ actions: [LoadAction], after event: LoadEvent) -> [LoadAction] {
        for case .tell(.challenge(let challenge)) in actions where challenge.trust != nil { self.challenge = challenge }
        guard case .challengeAnswered = event else { return actions }
        // The loader does not wait for the second answer.
        if let answer, actions.isEmpty {
            self.answer = nil
            return [answer]
        }
        guard let challenge, case .answerHandshake? = actions.first else { return actions }
        answer = actions.first
        self.challenge = nil
        return [.tell(.challenge(challenge))]
    }
}

/// The bytes that a download has written when it is cancelled.
struct PartOfFile: Sendable {
    private var byteCount = 0
    /// The metrics, which come before the end, and only the end shows a cancel.
    private var metrics: DelegateCall?

    mutating func calls(inPlaceOf call: DelegateCall) -> [PlacedCall] {
        switch call {
        case .progress(let progress): byteCount = progress.total
        case .fileReady: byteCount = 0
        case .metrics:
            metrics = call
            return []
        case .complete(let error):
            defer { metrics = nil }
            let isCancelled = error?.kind == .cancelled && byteCount > 0
            let file = isCancelled ? (try? DownloadFile(of: byteCount)) : nil
            return .placing(file.map { .fileReady($0) }, metrics, call)
        case .handler:
            defer { metrics = nil }
            return .placing(metrics, call)
        default: break
        }
        return .placing(call)
    }
}

extension DownloadFile {
    /// A file of `byteCount` zeros; no check reads its content.
    fileprivate convenience init(of byteCount: Int) throws(LoadError) {
        try self.init(in: ReferenceConfiguration().temporaryFolder, limit: byteCount)
        try append([UInt8](repeating: 0, count: byteCount))
    }
}
