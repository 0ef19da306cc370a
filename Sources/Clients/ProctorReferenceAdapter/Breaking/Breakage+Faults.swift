internal import ProctorBase
internal import ProctorDialling
internal import ProctorHTTP
internal import ProctorReference
internal import ProctorReferenceStorage
internal import ProctorSOCKS

/// Breakages that are a fault of the client's, set before it begins.
extension Breakage {
    /// Faults over HTTP/2, which scenarios served over HTTP/2 show; no callback rule is about them.
    package static let http2 = each(HTTP2Fault.self) { $0.transportFault = .http2($1) }

    /// Faults over HTTP/3, which scenarios served over HTTP/3 show; no callback rule is about them.
    package static let http3 = each(HTTP3Fault.self) { $0.transportFault = .http3($1) }

    static let webSockets = each(WebSocketFault.self) { $0.webSocketFault = $1 }
    static let socks = each(SOCKSFault.self) { $0.transportFault = .socks($1) }
    static let dialling = each(DiallingFault.self) { $0.transportFault = .dialling($1) }

    /// Mistakes of event sources that break no rule.
    static let eventSources = ofEventSources.filter { $0.rule == nil }
    static let eventSourceRules = ofEventSources.filter { $0.rule != nil }
    private static let ofEventSources = each(EventSourceFault.self) { $0.eventSourceFault = $1 }

    /// Faults with what the client keeps from one launch to the next.
    static let storage =
        each(StorageFault.self) { $0.storageFault = $1 } + [
            .sending("resumes-any-version", "go on with a download whose content may have changed", keeping: ()) {
                request, _ in request.fields.removeAll(named: "If-Range")
            }
        ]

    /// A breakage for each fault of a kind, whose name is the label, in the words of `faults.tsv`.
    static func each<Fault: ContainedTableKind>(
        _ faults: Fault.Type, set: (inout Breakage, Fault) -> Void
    ) -> [Breakage] {
        faults.allCases.map { fault in
            guard let words = words[fault.rawValue] else {
                preconditionFailure("faults.tsv has no row for \(fault.rawValue), a fault of \(faults)")
            }
            return setting(fault.rawValue, words) { set(&$0, fault) }
        }
    }

    private static let words = Dictionary(
        uniqueKeysWithValues: TableCells.rows(of: "faults").map { ($0["kind"], $0["words"]) })
}
