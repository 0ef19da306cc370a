import ProctorEvents

extension Rules {
    static let r57 = Rule(
        57, title: "webSocket tasks",
        statement: """
            wsOpen comes once, when the handshake is over. wsClose may follow it, once. A handshake that fails is an \
            error of the task, and complete(ok) needs wsOpen.
            """,
        source: "NSURLSession.h", confidence: .documented, families: [.webSocket],
        monitors: [.load(R57WebSocketOrder.self)], limits: nil,
        legal: "wsOpen wsClose(1000) complete(ok)", illegal: "wsClose(1000) complete(ok)")
}

struct R57WebSocketOrder: RuleMonitor {
    static var rule: Rule { Rules.r57 }
    static let interests: EventNameSet = [
        .waiting, .redirect, .challenge, .informational, .wsOpen, .wsClose, .complete,
    ]

    private var isOpen = false
    private var isClosed = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard load.terminal == nil else { return }
        switch event.name {
        case .wsOpen:
            if isOpen { report("wsOpen comes a second time", event, in: load, into: &hits) }
            isOpen = true
        case .wsClose:
            if !isOpen {
                report("\(event.symbol) without wsOpen; there was nothing to close", event, in: load, into: &hits)
            } else if isClosed {
                report("wsClose comes a second time", event, in: load, into: &hits)
            }
            isClosed = true
        case .complete:
            guard !isOpen, !isClosed, event.argument == "ok" else { return }
            report("complete(ok) without wsOpen; a handshake that fails is an error", event, in: load, into: &hits)
        default:
            guard isOpen else { return }
            report("\(event.symbol) after wsOpen; the handshake was over", event, in: load, into: &hits)
        }
    }

    private func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, in load: LoadState, into hits: inout HitList
    ) {
        hits.report(Self.rule, sentence(), at: event, in: load.lane)
    }
}
