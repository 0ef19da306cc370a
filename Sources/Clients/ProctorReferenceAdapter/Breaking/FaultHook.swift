internal import ProctorReference

/// How a deliberate fault reaches the client: what it makes of the loader's actions, or of the calls to a delegate.
///
/// The tables of hooks are by label; each function that makes a hook gets the actions or calls in place of the right ones.
struct FaultHook: Sendable {
    /// Makes a filter for the actions of each load, in every shape.
    private(set) var makeActionFilter: (@Sendable () -> any ActionFilter)?
    /// Makes, for each client, a function that makes the filter of each task; nil: the calls stay.
    private(set) var makeCallFilters: CallFilterMaker?
    /// The makers of filters for shapes beside the fault's own.
    private(set) var ofOtherShapes: [ReferenceShape: CallFilterMaker] = [:]

    /// Called once for each client; the function that it returns is called once for each task.
    typealias CallFilterMaker = @Sendable () -> @Sendable () -> any CallFilter

    static let all = (rules + wire).reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    init(makeCallFilters: @escaping CallFilterMaker) { self.makeCallFilters = makeCallFilters }

    private init(makeActionFilter: @escaping @Sendable () -> any ActionFilter) {
        self.makeActionFilter = makeActionFilter
    }

    // MARK: Actions of the loader

    /// `change` gets the actions of an event; its memory belongs to one load.
    static func actions<Memory: Sendable>(
        keeping memory: Memory, change: @escaping ActionChange<Memory>.Change
    ) -> FaultHook {
        FaultHook(makeActionFilter: { ActionChange(memory: memory, change: change) })
    }

    /// `change` returns the replacement of one action and has no memory.
    static func actions(
        change: @escaping @Sendable (_ action: LoadAction, _ loader: Loader) -> [LoadAction]
    ) -> FaultHook {
        actions(keeping: ()) { actions, _, loader, _ in actions.flatMap { change($0, loader) } }
    }

    /// `change` gets each request before it is sent; its memory belongs to one load.
    static func sending<Memory: Sendable>(
        keeping memory: Memory,
        change: @escaping @Sendable (_ request: inout ClientRequest, _ memory: inout Memory) -> Void
    ) -> FaultHook {
        actions(keeping: memory) { actions, _, _, memory in
            actions.map { action in
                guard case .send(var request, let onNewConnection) = action else { return action }
                change(&request, &memory)
                return .send(request, onNewConnection: onNewConnection)
            }
        }
    }

    static func sending(change: @escaping @Sendable (_ request: inout ClientRequest) -> Void) -> FaultHook {
        sending(keeping: ()) { request, _ in change(&request) }
    }

    /// Sends the requests that `isMeant` names on a new connection.
    static func sendingElsewhere(where isMeant: @escaping @Sendable (ClientRequest) -> Bool) -> FaultHook {
        actions { action, _ in
            guard case .send(let request, _) = action, isMeant(request) else { return [action] }
            return [.send(request, onNewConnection: true)]
        }
    }

    // MARK: Calls to a delegate, handler or client

    /// `change` gets each call of the fault's shape; its memory belongs to one load.
    static func calls<Memory: Sendable>(
        keeping memory: Memory, change: @escaping CallChange<Memory>.Change
    ) -> FaultHook {
        FaultHook { { CallChange(memory: memory, change: change) } }
    }

    static func calls(
        alsoOf others: ReferenceShape..., change: @escaping @Sendable (DelegateCall) -> [PlacedCall]
    ) -> FaultHook {
        var hook = calls(keeping: ()) { call, _ in change(call) }
        for shape in others { hook.ofOtherShapes[shape] = hook.makeCallFilters }
        return hook
    }

    /// A copy of the hook, with `change` for the calls of other shapes.
    func or(of shapes: ReferenceShape..., change: @escaping @Sendable (DelegateCall) -> [PlacedCall]) -> FaultHook {
        var hook = self
        for shape in shapes { hook.ofOtherShapes[shape] = Self.calls(change: change).makeCallFilters }
        return hook
    }

    /// Makes none of the calls that `isMeant` names.
    static func dropping(where isMeant: @escaping @Sendable (DelegateCall) -> Bool) -> FaultHook {
        calls { isMeant($0) ? [] : .placing($0) }
    }

    /// Makes the calls that `isMeant` names twice.
    static func repeating(where isMeant: @escaping @Sendable (DelegateCall) -> Bool) -> FaultHook {
        calls { isMeant($0) ? .placing($0, $0) : .placing($0) }
    }

    /// Makes the calls that `isMeant` names on a wrong thread.
    static func misplacing(where isMeant: @escaping @Sendable (DelegateCall) -> Bool) -> FaultHook {
        calls { isMeant($0) ? .elsewhere($0) : .placing($0) }
    }

    /// Makes, before the next data, the call that `delayed` made from an earlier call.
    static func callsBeforeData(delayed: @escaping @Sendable (DelegateCall) -> DelegateCall?) -> FaultHook {
        calls(keeping: DelegateCall?.none) { call, held in
            guard case .data = call else {
                held = delayed(call) ?? held
                return .placing(call)
            }
            defer { held = nil }
            return .placing(held, call)
        }
    }

    /// Replaces a response with one of the statuses by an error; its content and end are dropped.
    static func failing(of statuses: Set<Int>, with error: LoadError) -> FaultHook {
        calls(keeping: false) { call, isSwallowing in
            switch call {
            case .response(let response) where statuses.contains(response.status):
                isSwallowing = true
                return []
            case .data where isSwallowing: return []
            case .complete(nil) where isSwallowing: return .placing(.complete(error))
            default: return .placing(call)
            }
        }
    }
}

struct ActionChange<Memory: Sendable>: ActionFilter {
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

struct CallChange<Memory: Sendable>: CallFilter {
    typealias Change = @Sendable (_ call: DelegateCall, _ memory: inout Memory) -> [PlacedCall]

    var memory: Memory
    let change: Change

    mutating func filter(_ call: DelegateCall) -> [PlacedCall] { change(call, &memory) }
}

extension [PlacedCall] {
    /// The calls that are not nil, on the threads on which they belong.
    static func placing(_ calls: DelegateCall?...) -> [PlacedCall] { calls.compactMap(\.self).map { PlacedCall($0) } }

    /// The call on a wrong thread.
    static func elsewhere(_ call: DelegateCall) -> [PlacedCall] { [PlacedCall(call, isElsewhere: true)] }
}
