internal import ProctorScenario
internal import ProctorTLSWire

extension TLSProgram {
    /// The same, with or without alerts of the fixture's own.
    func with(canAlert: Bool) -> TLSProgram {
        var program = self
        program.canAlert = canAlert
        return program
    }
}

extension Scenario {
    /// Whether a fatal alert of the fixture's own may be sent at the origin.
    func alerts(at origin: Origin) -> Bool {
        let index = origins.firstIndex { $0.name == origin.name }
        let replies =
            exchanges.filter { $0.origin == index }.flatMap(\.replies) + guards.flatMap(\.refusals)
        return origin.connectionEffects.contains { $0.action.isAlert }
            || replies.contains { reply in reply.effects.contains { $0.action.isAlert } || reply.sendsAlertLater }
    }
}

extension Reply {
    /// Whether the script behind it sends an alert.
    fileprivate var sendsAlertLater: Bool {
        opaque?.contains { step in
            if case .effect(let action) = step { action.isAlert } else { false }
        } ?? false
    }
}

extension Effect.Action {
    fileprivate var isAlert: Bool {
        if case .alert = self { true } else { false }
    }
}
