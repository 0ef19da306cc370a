/// The events of a client that its scenario waits for; the recorder or exam that sees one reports it to the run.
public struct AwaitedEvents: Sendable, Equatable {
    private let names: EventNameSet
    private let takesProtocolClient: Bool

    /// nil where nothing is awaited; names that the vocabulary does not have are never seen.
    ///
    /// `lanes` are those that the client reports. What a URLProtocol tells its client counts only where the client
    /// does not report lane `task`, so that no event counts twice.
    public init?(_ names: [String]?, lanes: [Lane] = Lane.allCases) {
        guard let names, !names.isEmpty else { return nil }
        self.names = EventNameSet(names.compactMap(EventName.init(rawValue:)))
        takesProtocolClient = !lanes.contains(.task)
    }

    /// Whether the run is to be told of it.
    public func contains(_ event: TraceEvent) -> Bool {
        guard event.phase == .enter, names.contains(event.name) else { return false }
        return switch event.lane {
        case .task, .session, .handler, .proto, .harness: true
        case .protocolClient: takesProtocolClient
        case .wire: false
        }
    }

    /// Whether a client that reports these lanes sees anything come, and not only what it was given in the end.
    public static func canBeReported(in lanes: [Lane]) -> Bool {
        lanes.contains { $0 != .harness && $0 != .wire }
    }
}
