package import ProctorEvents
package import ProctorHTTP
package import ProctorRecorder
package import ProctorReference
package import ProctorReferenceStorage

/// One deliberate fault of the client.
///
/// Each hook makes a filter for one load or one delegate; nil leaves that part unchanged.
package struct Breakage: Sendable {
    /// The value of `--break`, also in the trace's header: `R12`, or a word like `nonce-count-stays`.
    package let label: String
    /// The fault in a few words.
    package let name: String
    /// The shape that shows the fault; in others it may have no effect.
    package let shape: ReferenceShape
    /// The only rule that the trace breaks; nil: no callback shows the fault, but the wire does.
    package let rule: RuleNumber?
    /// The fault that a guard finds in the credential.
    ///
    /// nil: the credential or the question should not exist at all, or the fault is not about a credential.
    package var fault: CredentialFault.Kind?
    /// Makes a filter for the actions of the loader, in every shape.
    package var makeActionFilter: (@Sendable () -> any ActionFilter)?
    /// Make a filter for the calls to the delegate, handler or client, by shape.
    private var callFilters: [ReferenceShape: @Sendable () -> any CallFilter] = [:]
    /// Make a function that makes the filters of one client, whose tasks share a memory.
    private var sharedCallFilters: [ReferenceShape: @Sendable () -> @Sendable () -> any CallFilter] = [:]
    /// The number of redirects that a session follows instead of 20.
    package var redirectLimit: Int?
    /// Whether the last token of Negotiate proves any server.
    package var believesAnyServer = false
    var routeFault: PACRouting.Fault?
    package var securityFault: ReferenceSecurity.Fault?
    package var cookieFault: CookieFault?
    package var cacheFault: CacheFault?
    package var storageFault: StorageFault?
    var encodingFault: FormEncoder.Fault?
    var eventSourceFault: EventSourceFault?
    var webSocketFault: WebSocketFault?
    /// Whether a step goes the ways of the first one, whatever it says.
    var keepsFirstWays = false
    /// Whether one proxy is asked for every URL, whatever hosts the program takes out, and whichever is for https.
    var asksOneProxy = false
    /// Whether the stores keep what the application deletes.
    package var deletesNothing = false
    package var transportFault: TransportFault?
    package var legacyFault: LegacyFault?
    package var downloadFault: DownloadFault?
    /// Whether a URLProtocol asks its client about the trust in a server.
    package var forwardsTrust = false
    /// Whether a URLProtocol continues after a stop.
    package var ignoresStop = false
    package var protocolFault: ReferenceProtocol.Options.Fault?
    /// Whether sessions and loads keep their delegates for ever.
    package var keepsDelegate = false
    package var classFault: ProtocolClassFault?
    package var driverFault: ProtocolProgram.Fault?
    /// Whether a connection makes its calls on the thread that made it, wherever it was scheduled.
    package var ignoresSchedule = false
    /// Whether a connection starts when it is made, although it should start later.
    package var startsWhenMade = false

    /// Makes a fault without a hook; a label `R12` or `R12b` names the rule that is broken.
    package init(_ label: String, _ name: String, as shape: ReferenceShape = .session) {
        (self.label, self.name, self.shape) = (label, name, shape)
        let digits = label.dropFirst().prefix(while: \.isNumber)
        rule = label.hasPrefix("R") ? Int(digits).map { RuleNumber($0) } : nil
    }

    /// ``rules``, then ``wire``, then ``http2`` and ``http3``.
    package static let all = rules + wire + http2 + http3

    /// Makes a filter for each task; called once for each client.
    package func makeCallFilter(of shape: ReferenceShape) -> (@Sendable () -> any CallFilter)? {
        callFilters[shape] ?? sharedCallFilters[shape]?()
    }

    private mutating func changeCalls<Memory: Sendable>(
        of shape: ReferenceShape, keeping memory: Memory, _ change: @escaping CallChange<Memory>.Change
    ) {
        callFilters[shape] = { CallChange(memory: memory, change: change) }
    }

    /// `make` is called once for each client, and the function that it returns once for each task.
    mutating func changeCallsOfAll(
        of shape: ReferenceShape, _ make: @escaping @Sendable () -> @Sendable () -> any CallFilter
    ) {
        sharedCallFilters[shape] = make
    }
}

/// Functions that make the rows of the tables; each returns the actions or calls in place of the right ones.
extension Breakage {
    /// `change` gets the actions of an event; its memory belongs to one load.
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

    /// `change` gets each request before it is sent; its memory belongs to one load.
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

    /// `change` gets each call to a shape's delegate or client; its memory belongs to one load.
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

    /// Makes, before the next data, the call that `late` made from an earlier call.
    static func callsBeforeData(
        _ label: String, _ name: String, of shape: ReferenceShape = .session,
        late: @escaping @Sendable (DelegateCall) -> DelegateCall?
    ) -> Breakage {
        calls(label, name, of: shape, keeping: DelegateCall?.none) { call, held in
            guard case .data = call else {
                held = late(call) ?? held
                return .placing(call)
            }
            defer { held = nil }
            return .placing(held, call)
        }
    }

    /// Replaces a response with one of the statuses by an error; its content and end are dropped.
    static func failing(_ label: String, _ name: String, of statuses: Set<Int>, with error: LoadError) -> Breakage {
        calls(label, name, keeping: false) { call, isSwallowing in
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

    /// A fault of the driver of a URLProtocol, for a rule that the protocol itself can't break.
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
    /// The calls that are not nil, on the threads on which they belong.
    static func placing(_ calls: DelegateCall?...) -> [PlacedCall] { calls.compactMap(\.self).map { PlacedCall($0) } }

    /// The call on a wrong thread.
    static func elsewhere(_ call: DelegateCall) -> [PlacedCall] { [PlacedCall(call, isElsewhere: true)] }
}
