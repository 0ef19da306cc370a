/// The client's events that a scenario waits for; the recorder or exam that sees one reports it to the run.
package struct AwaitedEvents: Sendable, Equatable {
    private let names: EventNameSet
    private let takesProtocolClient: Bool

    /// nil where no event is awaited; names that are not in the vocabulary never match.
    ///
    /// `lanes` are those that the client reports. Events of lane `protocolClient` count only where the client does not
    /// report lane `task`, so that no event counts twice.
    package init?(_ names: [String]?, lanes: [Lane] = Lane.allCases) {
        guard let names, !names.isEmpty else { return nil }
        self.names = EventNameSet(names.compactMap(EventName.init(rawValue:)))
        takesProtocolClient = !lanes.contains(.task)
    }

    package func contains(_ event: TraceEvent) -> Bool {
        guard event.phase == .enter, names.contains(event.name) else { return false }
        return switch event.lane {
        case .task, .session, .handler, .proto, .harness: true
        case .protocolClient: takesProtocolClient
        case .wire: false
        }
    }

    /// Whether a client with these lanes reports events while they happen, and not only its final results.
    package static func canBeReported(in lanes: [Lane]) -> Bool {
        lanes.contains { $0 != .harness && $0 != .wire }
    }
}
