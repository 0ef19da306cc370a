internal import ProctorRecorder
internal import ProctorReference
internal import ProctorTrace

/// R46 to R52: threads, and the life of a URLProtocol; R53 is about the test, which no client can break.
extension BrokenRule {
    static let threads: [BrokenRule] = [
        .calls(46, "call the delegate from another thread than its queue's") { call in
            if case .response = call { [.elsewhere(call)] } else { .made(call) }
        },
        .connectionCalls(47, "call the delegate from another thread than its run loop's") { call in
            if case .didReceiveData = call { [.elsewhere(call)] } else { .made(call) }
        },
        .protocolCalls(48, "call the client from another thread") { call in
            if case .data = call { [.elsewhere(call)] } else { .made(call) }
        },
        .driver(49, "let a protocol object go that was never stopped", .neverStops),
        deafToStop,
        .protocolCalls(51, "go on with the redirect's response though the client has followed it") { call in
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
}
