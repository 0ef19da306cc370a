package import ProctorEvents
package import ProctorHTTP
package import ProctorRecorder
package import ProctorReference

/// One mistake that the client makes on purpose.
///
/// Each hook makes a filter for one load or one delegate; nil leaves that part unchanged.
package struct Breakage: Sendable {
    /// The value of `--break`, also in the trace's header: `R12`, or a word like `nonce-count-stays`.
    package let label: String
    /// What the client does wrong, in a few words.
    package let name: String
    /// The shape in which the mistake shows; in others it may have no effect.
    package let shape: ReferenceShape
    /// The only rule that the trace breaks; nil: no callback shows the mistake, but the wire does.
    package let rule: RuleNumber?
    /// The fault that a guard finds in the credential; nil: the credential or question should not exist at all, or the
    /// mistake concerns no credential.
    package var fault: CredentialFault.Kind?
    /// Between the loader and its surroundings, in every shape.
    package var makeActionFilter: (@Sendable () -> any ActionFilter)?
    /// Before the delegate, handler or client of each shape.
    private var callFilters: [ReferenceShape: @Sendable () -> any CallFilter] = [:]
    /// Makes what makes the filters of one client, whose tasks share a memory.
    private var sharedCallFilters: [ReferenceShape: @Sendable () -> @Sendable () -> any CallFilter] = [:]
    /// The number of redirects that a session follows instead of 20.
    package var redirectLimit: Int?
    package var securityFault: ReferenceSecurity.Fault?
    package var cookieFault: CookieFault?
    package var cacheFault: CacheFault?
    var encodingFault: FormEncoder.Fault?
    /// What the application deletes by hand stays in the stores.
    package var deletesNothing = false
    package var transportFault: TransportFault?
    package var legacyFault: LegacyFault?
    package var downloadFault: DownloadFault?
    /// A URLProtocol asks its client whether a server is trusted.
    package var forwardsTrust = false
    /// A URLProtocol continues after a stop.
    package var ignoresStop = false
    package var protocolFault: ReferenceProtocol.Options.Fault?
    /// Sessions and loads hold their delegates for ever.
    package var keepsDelegate = false
    package var classFault: ProtocolClassFault?
    package var driverFault: ProtocolProgram.Fault?
    /// A connection calls back on the thread that made it, wherever it was scheduled.
    package var ignoresSchedule = false
    /// A connection that is to start later starts when it is made.
    package var startsWhenMade = false

    /// Has no hook yet; a label `R12` or `R12b` names the rule that is broken.
    package init(_ label: String, _ name: String, as shape: ReferenceShape = .session) {
        self.label = label
        self.name = name
        self.shape = shape
        let digits = label.dropFirst().prefix(while: \.isNumber)
        rule = label.hasPrefix("R") ? Int(digits).map { RuleNumber($0) } : nil
    }

    /// ``rules``, then ``wire``, then ``http2``.
    package static let all = rules + wire + http2

    /// Makes a filter for each task; called once for each client.
    package func makeCallFilter(of shape: ReferenceShape) -> (@Sendable () -> any CallFilter)? {
        callFilters[shape] ?? sharedCallFilters[shape]?()
    }

    private mutating func changeCalls<Memory: Sendable>(
        of shape: ReferenceShape, keeping memory: Memory, _ change: @escaping CallChange<Memory>.Change
    ) {
        callFilters[shape] = { CallChange(memory: memory, change: change) }
    }

    /// `make` is called once for each client, and what it returns once for each task.
    mutating func changeCallsOfAll(
        of shape: ReferenceShape, _ make: @escaping @Sendable () -> @Sendable () -> any CallFilter
    ) {
        sharedCallFilters[shape] = make
    }
}

/// Functions that make the rows of the tables: each gives what is done or called instead of the right thing.
extension Breakage {
    /// `change` receives the actions of an event; its memory belongs to one load.
    static func actions<Memory: Sendable>(
        _ label: String, _ name: String, finds fault: CredentialFault.Kind? = nil, keeping memory: Memory,
        change: @escaping ActionChange<Memory>.Change
    ) -> Breakage {
        setting(label, name) { broken in
            broken.fault = fault
            broken.makeActionFilter = { ActionChange(memory: memory, change: change) }
        }
    }

    /// `change` returns the replacement of one action and has no memory.
    static func actions(
        _ label: String, _ name: String, as shape: ReferenceShape = .session,
        change: @escaping @Sendable (_ action: LoadAction, _ loader: Loader) -> [LoadAction]
    ) -> Breakage {
        setting(label, name, as: shape) { broken in
            broken.makeActionFilter = {
                ActionChange(memory: ()) { actions, _, loader, _ in actions.flatMap { change($0, loader) } }
            }
        }
    }

    /// `change` receives each request before it is sent; its memory belongs to one load.
    static func sending<Memory: Sendable>(
        _ label: String, _ name: String, finds fault: CredentialFault.Kind? = nil, keeping memory: Memory,
        change: @escaping @Sendable (_ request: inout ClientRequest, _ memory: inout Memory) -> Void
    ) -> Breakage {
        actions(label, name, finds: fault, keeping: memory) { actions, _, _, memory in
            actions.map { action in
                guard case .send(var request, let onNewConnection) = action else { return action }
                change(&request, &memory)
                return .send(request, onNewConnection: onNewConnection)
            }
        }
    }

    /// `change` receives each call to a shape's delegate or client; its memory belongs to one load.
    static func calls<Memory: Sendable>(
        _ label: String, _ name: String, of shape: ReferenceShape = .session, keeping memory: Memory,
        change: @escaping CallChange<Memory>.Change
    ) -> Breakage {
        setting(label, name, as: shape) { $0.changeCalls(of: shape, keeping: memory, change) }
    }

    static func calls(
        _ label: String, _ name: String, of shape: ReferenceShape = .session,
        change: @escaping @Sendable (DelegateCall) -> [PlacedCall]
    ) -> Breakage {
        calls(label, name, of: shape, keeping: ()) { call, _ in change(call) }
    }

    func andCalls(of shape: ReferenceShape, change: @escaping @Sendable (DelegateCall) -> [PlacedCall]) -> Breakage {
        var broken = self
        broken.changeCalls(of: shape, keeping: ()) { call, _ in change(call) }
        return broken
    }

    /// Before the next data comes the call that `late` made from an earlier one.
    static func callsBeforeData(
        _ label: String, _ name: String, of shape: ReferenceShape = .session,
        late: @escaping @Sendable (DelegateCall) -> DelegateCall?
    ) -> Breakage {
        calls(label, name, of: shape, keeping: DelegateCall?.none) { call, held in
            guard case .data = call else {
                held = late(call) ?? held
                return .made(call)
            }
            defer { held = nil }
            return .made(held, call)
        }
    }

    /// A response with one of the statuses becomes an error; its content and end are dropped.
    static func failing(_ label: String, _ name: String, of statuses: Set<Int>, with error: LoadError) -> Breakage {
        calls(label, name, keeping: false) { call, isSwallowing in
            switch call {
            case .response(let response) where statuses.contains(response.status):
                isSwallowing = true
                return []
            case .data where isSwallowing: return []
            case .complete(nil) where isSwallowing: return .made(.complete(error))
            default: return .made(call)
            }
        }
    }

    /// Only the driver of a URLProtocol is broken: the rule is not the protocol's to break.
    static func driver(_ label: String, _ name: String, fault: ProtocolProgram.Fault) -> Breakage {
        setting(label, "the loading system, not the protocol: \(name)", as: .urlProtocol) { $0.driverFault = fault }
    }

    static func setting(
        _ label: String, _ name: String, as shape: ReferenceShape = .session, set: (inout Breakage) -> Void
    ) -> Breakage {
        var broken = Breakage(label, name, as: shape)
        set(&broken)
        return broken
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
    /// The calls that are not nil, on their right threads.
    static func made(_ calls: DelegateCall?...) -> [PlacedCall] { calls.compactMap(\.self).map { PlacedCall($0) } }

    /// The call on a wrong thread.
    static func elsewhere(_ call: DelegateCall) -> [PlacedCall] { [PlacedCall(call, isElsewhere: true)] }
}
