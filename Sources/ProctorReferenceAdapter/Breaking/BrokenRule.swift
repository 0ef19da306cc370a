public import ProctorEvents
internal import ProctorRecorder
internal import ProctorReference

/// A callback rule, and a way to break it.
public struct BrokenRule: Sendable {
    /// The rule that a trace of this client breaks, and no other.
    public let rule: RuleNumber
    /// What is done in its place.
    public var breakage: Breakage

    /// Breaks nothing before a hook is set; `letter` tells a second way to break a rule from the first.
    package init(_ rule: RuleNumber, letter: String = "", _ name: String, as shape: ReferenceShape = .session) {
        self.rule = rule
        breakage = Breakage("\(rule)\(letter)", name, as: shape)
    }
}

extension BrokenRule {
    /// Every rule that this client can be made to break, in the order of their numbers; each once.
    public static let all: [BrokenRule] =
        (shape + authentication + requestBody + response + downloads + ends + threads + shapes).sorted {
            $0.rule < $1.rule
        }

    // MARK: A variant is one function: what is done, or called, in place of what should be

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

    /// `change` is given each call of a shape's delegate or client, and keeps what it wants to remember of one load.
    static func calls<Memory: Sendable>(
        _ rule: Int, letter: String = "", _ name: String, of shape: ReferenceShape = .session, keeping memory: Memory,
        _ change: @escaping CallChange<Memory>.Change
    ) -> BrokenRule {
        var broken = BrokenRule(RuleNumber(rule), letter: letter, name, as: shape)
        broken.breakage.changeCalls(of: shape, keeping: memory, change)
        return broken
    }

    /// The same without a memory.
    static func calls(
        _ rule: Int, letter: String = "", _ name: String, of shape: ReferenceShape = .session,
        _ change: @escaping @Sendable (DelegateCall) -> [PlacedCall]
    ) -> BrokenRule {
        calls(rule, letter: letter, name, of: shape, keeping: ()) { call, _ in change(call) }
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
struct CallChange<Memory: Sendable>: CallFilter {
    /// What is called in place of the call.
    typealias Change = @Sendable (_ call: DelegateCall, _ memory: inout Memory) -> [PlacedCall]

    var memory: Memory
    let change: Change

    mutating func filter(_ call: DelegateCall) -> [PlacedCall] { change(call, &memory) }
}

extension PlacedCall {
    /// On a thread where it does not belong.
    static func elsewhere(_ call: DelegateCall) -> PlacedCall { PlacedCall(call, isElsewhere: true) }
    /// A question that a later call may be made during.
    static func question(_ call: DelegateCall, _ question: OpenQuestion) -> PlacedCall {
        PlacedCall(call, asking: question)
    }
    /// Only as long as the question has no answer; a delegate that answers before it returns is not told.
    static func during(_ question: OpenQuestion, _ call: DelegateCall) -> PlacedCall {
        PlacedCall(call, during: question)
    }
}

extension [PlacedCall] {
    /// The calls that are not nil, where they belong.
    static func made(_ calls: DelegateCall?...) -> [PlacedCall] { calls.compactMap(\.self).map { PlacedCall($0) } }
}
