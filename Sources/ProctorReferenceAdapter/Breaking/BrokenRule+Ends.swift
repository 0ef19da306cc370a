internal import ProctorReference

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
}
