internal import ProctorEvents
internal import ProctorRecorder
internal import ProctorReference

/// R34 to R38: downloads.
extension BrokenRule {
    static let downloads: [BrokenRule] = [
        .calls(34, "leave a byte out of the total") { call in
            guard case .progress(var progress) = call else { return .made(call) }
            progress.total -= 1
            return .made(.progress(progress))
        },
        .calls(35, "keep the finished file to itself") { call in
            if case .fileReady = call { [] } else { .made(call) }
        },
        .calls(36, "announce a resumption after the first progress", keeping: false) { call, hasAnnounced in
            guard case .progress(let progress) = call, !hasAnnounced else { return .made(call) }
            hasAnnounced = true
            return .made(call, .downloadResumed(nil, offset: progress.total, expected: progress.expected))
        },
        .calls(37, "ask twice where the file is to go", of: .download) { call in
            if case .decideDestination = call { .made(call, call) } else { .made(call) }
        },
        .calls(38, "hand over what there is of a file after the cancel", keeping: PartOfFile()) { call, part in
            part.calls(inPlaceOf: call)
        },
    ]
}

extension DownloadFile {
    /// Of so many zeros, which is as good as any content here.
    fileprivate convenience init(of byteCount: Int) throws(LoadError) {
        try self.init(in: ReferenceConfiguration().temporaryFolder, limit: byteCount)
        try append([UInt8](repeating: 0, count: byteCount))
    }
}

/// What a download has written when it is cancelled.
private struct PartOfFile: Sendable {
    private var byteCount = 0
    /// Metrics come before the end, which alone tells of a cancel.
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
            return .made(file.map { .fileReady($0) }, metrics, call)
        case .handler:
            defer { metrics = nil }
            return .made(metrics, call)
        default: break
        }
        return .made(call)
    }
}

/// R39 to R45: the end of loads and sessions.
extension BrokenRule {
    static let ends: [BrokenRule] = [
        .calls(39, "end twice") { call in
            if case .complete = call { .made(call, .complete(timedOut)) } else { .made(call) }
        },
        .calls(40, "deliver data after the end") { call in
            if case .complete = call { .made(call, .data([0x20])) } else { .made(call) }
        },
        .calls(41, "tell metrics twice") { call in
            if case .metrics = call { .made(call, call) } else { .made(call) }
        },
        .calls(42, "let a task that was cancelled before its start time out", keeping: false) { call, hasBegun in
            switch call {
            case .created, .metrics: break
            case .complete(let error?) where !hasBegun && error.kind == .cancelled: return .made(.complete(timedOut))
            default: hasBegun = true
            }
            return .made(call)
        },
        .calls(43, "end the session before its task") { call in
            if case .complete = call { .made(.sessionInvalid, call) } else { .made(call) }
        },
        .calls(44, "take a status from 400 on for an error of the load", keeping: false) { call, isError in
            switch call {
            case .response(let response): isError = response.status >= 400
            case .complete(nil) where isError:
                return .made(.complete(LoadError(.badServerResponse, "the server answered with an error status")))
            default: break
            }
            return .made(call)
        },
        .calls(45, "say nothing of the end") { call in
            if case .complete = call { [] } else { .made(call) }
        },
    ]

    private static let timedOut = LoadError(.timedOut, "the time is over")

    // R46 to R52: threads, and the life of a URLProtocol; R53 is about the test, which no client can break.

    static let threads: [BrokenRule] = [
        .calls(46, "call the delegate from another thread than its queue's") { call in
            if case .response = call { [.elsewhere(call)] } else { .made(call) }
        },
        .calls(47, "call the delegate from another thread than its run loop's", of: .connection) { call in
            if case .data = call { [.elsewhere(call)] } else { .made(call) }
        },
        .calls(48, "call the client from another thread", of: .urlProtocol) { call in
            if case .data = call { [.elsewhere(call)] } else { .made(call) }
        },
        .driver(49, "let a protocol object go that was never stopped", .neverStops),
        deafToStop,
        .calls(51, "go on with the redirect's response though the client has followed it", of: .urlProtocol) { call in
            guard case .redirect(_, let response) = call else { return .made(call) }
            return .made(call, .response(response))
        },
        .driver(52, "start a protocol object for a request whose canonical form nobody asked for", .skipsCanonicalForm),
    ]

    private static let deafToStop = {
        var broken = BrokenRule(RuleNumber(50), "go on when the client stops the object", as: .urlProtocol)
        broken.breakage.ignoresStop = true
        return broken
    }()

    // R54 to R56: tasks with handlers, delegates of tasks, and early events; of WebSockets and streams there is nothing here.

    static let shapes: [BrokenRule] = [
        .calls(54, "tell the delegate of a task with a handler of its data") { call in
            guard case .handler(let outcome) = call else { return .made(call) }
            return .made(.data(outcome.bytes), call)
        },
        .calls(55, "tell both delegates of a redirect") { call in
            guard case .redirect = call else { return .made(call) }
            return [PlacedCall(call), PlacedCall(call, isForSession: true)]
        },
        .calls(56, "tell of the task when it is about to end") { call in
            if case .metrics = call { .made(.created, call) } else { .made(call) }
        },
    ]
}
