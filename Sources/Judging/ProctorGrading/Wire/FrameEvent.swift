import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorScenario

extension WireRecord {
    /// A frame that an expression can name.
    struct FrameEvent {
        let sequence: UInt64
        let nanoseconds: UInt64
        let name: EventName
        let argument: String?

        /// nil for any other frame.
        init?(_ frame: FrameNote, _ entry: JournalEntry) {
            let isAcknowledgement = frame.party == .client && frame.flags.contains("ACK")
            switch (frame.type, frame.detail) {
            case ("RST_STREAM", .code(let code)), ("RESET_STREAM", .code(let code)):
                (name, argument) = (frame.party == .client ? .reset : .resetSent, code)
            case ("GOAWAY", .goAway(_, let code, _)):
                (name, argument) = (frame.party == .client ? .goaway : .goawaySent, code)
            case ("GOAWAY", .id(let id)):
                (name, argument) = (frame.party == .client ? .goaway : .goawaySent, "\(id)")
            case ("SETTINGS", _) where isAcknowledgement: (name, argument) = (.settingsAcknowledged, nil)
            case ("PING", _) where isAcknowledgement: (name, argument) = (.pingAcknowledged, nil)
            default: return nil
            }
            sequence = entry.sequence
            nanoseconds = entry.nanoseconds
        }

        var symbol: TraceEventSymbol { TraceEventSymbol(name.rawValue, argument) }
    }

    /// The events for an expression with these names: the requests and the named frames, in their order.
    func symbols(named names: Set<String>) -> [(symbol: TraceEventSymbol, sequence: UInt64)] {
        let requests = exchanges.map { ($0.symbol, $0.sequence) }
        let frames = frameEvents.filter { names.contains($0.name.rawValue) }
        guard !frames.isEmpty else { return requests }
        return (requests + frames.map { ($0.symbol, $0.sequence) }).sorted { $0.1 < $1.1 }
    }
}
