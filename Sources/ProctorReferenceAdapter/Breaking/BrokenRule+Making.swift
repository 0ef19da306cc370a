internal import ProctorRecorder
internal import ProctorReference
internal import ProctorTrace

/// A variant is one function: what is done, or called, in place of what should be.
extension BrokenRule {
    /// `change` is given what came of an event, and keeps what it wants to remember of one load.
    static func actions<Memory: Sendable>(
        _ rule: Int, letter: String = "", _ name: String, keeping memory: Memory,
        _ change: @escaping ActionChange<Memory>.Change
    ) -> BrokenRule {
        var broken = BrokenRule(RuleNumber(rule), letter: letter, name)
        broken.breakage.makeActionFilter = { ActionChange(memory: memory, change: change) }
        return broken
    }

    /// `change` says what is done in place of one action, and remembers nothing.
    static func actions(
        _ rule: Int, _ name: String, as shape: ReferenceShape = .session,
        _ change: @escaping @Sendable (_ action: LoadAction, _ loader: Loader) -> [LoadAction]
    ) -> BrokenRule {
        var broken = BrokenRule(RuleNumber(rule), name, as: shape)
        broken.breakage.makeActionFilter = {
            ActionChange(memory: ()) { actions, _, loader, _ in actions.flatMap { change($0, loader) } }
        }
        return broken
    }

    /// `change` is given each call of a session's delegate, and keeps what it wants to remember of one task.
    static func calls<Memory: Sendable>(
        _ rule: Int, letter: String = "", _ name: String, keeping memory: Memory,
        _ change: @escaping CallChange<SessionCall, Memory>.Change
    ) -> BrokenRule {
        var broken = BrokenRule(RuleNumber(rule), letter: letter, name)
        broken.breakage.makeSessionFilter = { CallChange(memory: memory, change: change) }
        return broken
    }

    /// The same without a memory.
    static func calls(
        _ rule: Int, letter: String = "", _ name: String,
        _ change: @escaping @Sendable (SessionCall) -> [PlacedCall<SessionCall>]
    ) -> BrokenRule {
        calls(rule, letter: letter, name, keeping: ()) { call, _ in change(call) }
    }

    /// Each call of a connection's delegate.
    static func connectionCalls<Memory: Sendable>(
        _ rule: Int, _ name: String, keeping memory: Memory,
        _ change: @escaping CallChange<ConnectionCall, Memory>.Change
    ) -> BrokenRule {
        var broken = BrokenRule(RuleNumber(rule), name, as: .connection)
        broken.breakage.makeConnectionFilter = { CallChange(memory: memory, change: change) }
        return broken
    }

    /// The same without a memory.
    static func connectionCalls(
        _ rule: Int, _ name: String, _ change: @escaping @Sendable (ConnectionCall) -> [PlacedCall<ConnectionCall>]
    ) -> BrokenRule {
        connectionCalls(rule, name, keeping: ()) { call, _ in change(call) }
    }

    /// Each call of a download's delegate.
    static func downloadCalls(
        _ rule: Int, _ name: String, _ change: @escaping @Sendable (DownloadCall) -> [PlacedCall<DownloadCall>]
    ) -> BrokenRule {
        var broken = BrokenRule(RuleNumber(rule), name, as: .download)
        broken.breakage.makeDownloadFilter = { CallChange(memory: ()) { call, _ in change(call) } }
        return broken
    }

    /// Each call of the client of a URLProtocol.
    static func protocolCalls(
        _ rule: Int, _ name: String, _ change: @escaping @Sendable (ProtocolCall) -> [PlacedCall<ProtocolCall>]
    ) -> BrokenRule {
        var broken = BrokenRule(RuleNumber(rule), name, as: .urlProtocol)
        broken.breakage.makeProtocolFilter = { CallChange(memory: ()) { call, _ in change(call) } }
        return broken
    }

    /// Nothing but the driver of a URLProtocol is broken, which the name says: the rule is not the protocol's to break.
    static func driver(_ rule: Int, _ name: String, _ fault: ProtocolProgram.Fault) -> BrokenRule {
        var broken = BrokenRule(RuleNumber(rule), "the loading system, not the protocol: \(name)", as: .urlProtocol)
        broken.breakage.driverFault = fault
        return broken
    }
}

/// A filter of actions that is one function with a memory.
struct ActionChange<Memory: Sendable>: ActionFilter {
    /// What is done in place of the actions.
    typealias Change =
        @Sendable (
            _ actions: [LoadAction], _ event: LoadEvent, _ loader: Loader, _ memory: inout Memory
        ) -> [LoadAction]

    var memory: Memory
    let change: Change

    mutating func filter(_ actions: [LoadAction], after event: LoadEvent, of loader: Loader) -> [LoadAction] {
        change(actions, event, loader, &memory)
    }
}

/// A filter of calls that is one function with a memory.
struct CallChange<Call: Sendable, Memory: Sendable>: CallFilter {
    /// What is called in place of the call.
    typealias Change = @Sendable (_ call: Call, _ memory: inout Memory) -> [PlacedCall<Call>]

    var memory: Memory
    let change: Change

    mutating func filter(_ call: Call) -> [PlacedCall<Call>] { change(call, &memory) }
}

extension PlacedCall {
    /// On a thread where it does not belong.
    static func elsewhere(_ call: Call) -> PlacedCall { PlacedCall(call, isElsewhere: true) }
    /// Those that there are, where they belong.
    static func made(_ calls: Call?...) -> [PlacedCall] { calls.compactMap(\.self).map { PlacedCall($0) } }
    /// A question that a later call may be made during.
    static func question(_ call: Call, _ question: OpenQuestion) -> PlacedCall { PlacedCall(call, asking: question) }
    /// Only as long as nobody has answered; a delegate that answers before it returns is not told.
    static func during(_ question: OpenQuestion, _ call: Call) -> PlacedCall { PlacedCall(call, during: question) }
}

extension Array {
    /// Calls where they belong.
    static func made<Call>(_ calls: Call...) -> [PlacedCall<Call>] where Element == PlacedCall<Call> {
        calls.map { PlacedCall($0) }
    }
}
