internal import ProctorAssignments
internal import ProctorBase
internal import ProctorDialling
package import ProctorEvents
package import ProctorHTTP
internal import ProctorRecorder
package import ProctorReference
internal import ProctorReferenceStorage
internal import ProctorSOCKS

/// One deliberate fault of the client: a row of `faults.tsv`.
///
/// It reaches the client as a value of a kind of faults, whose raw value is the label, or by the ``FaultHook`` of the label.
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
    package let fault: CredentialFault.Kind?
    /// Makes a filter for the actions of the loader, in every shape.
    package var makeActionFilter: (@Sendable () -> any ActionFilter)?
    private let hook: FaultHook?

    /// A label `R12` or `R12b` names the rule that is broken.
    package init(
        _ label: String, _ name: String, as shape: ReferenceShape = .session, finds fault: CredentialFault.Kind? = nil
    ) {
        (self.label, self.name, self.shape, self.fault) = (label, name, shape, fault)
        let digits = label.dropFirst().prefix(while: \.isNumber)
        rule = label.hasPrefix("R") ? Int(digits).map { RuleNumber($0) } : nil
        hook = LoadResponse.Fault(rawValue: label).map { .responses($0) } ?? FaultHook.all[label]
        makeActionFilter = hook?.makeActionFilter
    }

    // MARK: The table

    /// Every fault: those that break a rule, in the order of the rules' numbers, then those that the wire shows.
    package static let all = TableCells.rows(of: "faults").map { cells in
        let breakage = Breakage(
            cells["kind"], cells["words"], as: cells.valueIfAny("as", ReferenceShape.init) ?? .session,
            finds: cells.valueIfAny("finds", CredentialFault.Kind.init))
        guard breakage.hasEffect else { preconditionFailure("faults.tsv: no fault of the client is \(breakage.label)") }
        return breakage
    }

    /// Mistakes that only a storm has to show; those of ``all`` among the rows of their table stand there.
    package static let storms = TableCells.rows(of: "storm-mistakes").compactMap { cells -> Breakage? in
        guard !all.contains(where: { $0.label == cells["kind"] }) else { return nil }
        let breakage = Breakage(cells["kind"], cells["words"])
        guard breakage.hasEffect else {
            preconditionFailure("storm-mistakes.tsv: no fault of the client is \(breakage.label)")
        }
        return breakage
    }

    package static let rules = all.filter { $0.rule != nil }
    /// Faults over HTTP/2, which scenarios served over HTTP/2 show; no callback rule is about them.
    package static let http2 = all.filter { $0.label.hasPrefix("h2-") }
    package static let http3 = all.filter { $0.label.hasPrefix("h3-") }
    /// Wrong uses of credentials, cookies, TLS and proxies that break no callback rule; a guard names the fault of a
    /// credential.
    package static let wire = all.filter { breakage in
        breakage.rule == nil && !(http2 + http3).contains { $0.label == breakage.label }
    }

    private static let kinds: [any ContainedTableKind.Type] = [
        ProgramFault.self, PACRouting.Fault.self, FormEncoder.Fault.self, ProtocolClassFault.self,
        ProtocolProgram.Fault.self, ReferenceProtocol.Options.Fault.self, ReferenceSecurity.Fault.self,
        CookieFault.self, CacheFault.self, StorageFault.self, EventSourceFault.self, WebSocketFault.self,
        LegacyFault.self, DownloadFault.self, SourceFault.self, LimitFault.self, SequenceFault.self,
    ]

    private var hasEffect: Bool {
        func isOne<Fault: ContainedTableKind>(_: Fault.Type) -> Bool { Fault(rawValue: label) != nil }
        return hook != nil || transportFault != nil || Self.kinds.contains { isOne($0) }
    }

    // MARK: The fault in the client

    /// The fault as one of the kind; nil: it is of another kind.
    func asFault<Fault: ContainedTableKind>(_: Fault.Type = Fault.self) -> Fault? { Fault(rawValue: label) }

    var transportFault: TransportFault? { TransportFault(label: label) }

    /// Makes a filter for each task; called once for each client.
    func makeCallFilter(of shape: ReferenceShape) -> (@Sendable () -> any CallFilter)? {
        (hook?.ofOtherShapes[shape] ?? (shape == self.shape ? hook?.makeCallFilters : nil))?()
    }
}

/// A fault of the program that uses the client, by its label.
enum ProgramFault: String, Sendable, CaseIterable {
    /// Every step goes the ways of the first one, whatever it says.
    case keepsFirstWays = "ways-of-the-first-load"
    /// One proxy is asked for every URL, whatever hosts the program takes out, and whichever is for https.
    case asksOneProxy = "proxy-for-every-host"
    /// The stores keep what the application deletes.
    case deletesNothing = "deleted-by-hand-stays"
    /// Sessions and loads keep their delegates for ever.
    case keepsDelegate = "R65"
    /// The last token of Negotiate proves any server.
    case believesAnyServer = "negotiate-any-server"
    /// A connection makes its calls on the thread that made it, wherever it was scheduled.
    case ignoresSchedule = "R47b"
    /// A connection starts when it is made, although it should start later.
    case startsWhenMade = "starts-when-made"
    case followsThirtyRedirects = "R9"
    /// A load is cancelled only where its head has come, or only where it has not.
    case cancelsBehindHead = "cancel-before-the-head-ignored"
    case cancelsBeforeHead = "cancel-behind-the-head-ignored"
    /// A load that is suspended goes on.
    case suspendsNothing = "suspends-nothing"
}

extension Breakage? {
    func has(_ fault: ProgramFault) -> Bool { self?.label == fault.rawValue }
}
