import ProctorBase
import ProctorEvents
import ProctorHTTP
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

/// Collects streams and connections of HTTP/2 from the entries of a journal.
struct FrameGathering {
    /// Streams in the order in which they first occur, those with only a priority included.
    private var streams: [SeenStream] = []
    private var indexes: [Key: Int] = [:]

    private struct Key: Hashable {
        let connection: Int
        let stream: UInt32
    }

    /// The streams that the client opened, in order.
    var opened: [SeenStream] {
        streams.filter { $0.sequence != nil }.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    }

    /// Records a frame; returns whether the client opened a stream with it.
    mutating func record(_ frame: FrameNote, at sequence: UInt64, on connection: Int) -> Bool {
        if case .priorityUpdate(let stream, let value) = frame.detail, frame.party == .client {
            update(stream, on: connection) { $0.priority = value }
        }
        guard frame.stream != 0 else { return false }
        var isOpened = false
        update(frame.stream, on: connection) { stream in
            let wasOpen = stream.sequence != nil
            stream.record(frame, at: sequence)
            isOpened = !wasOpen && stream.sequence != nil
        }
        return isOpened
    }

    /// Records the first block of the client's request.
    mutating func recordBlock(_ block: FieldBlockNote, on connection: Int) {
        guard block.party == .client, block.kind == .request else { return }
        update(block.stream, on: connection) { $0.block = $0.block ?? block }
    }

    private mutating func update(_ stream: UInt32, on connection: Int, _ change: (inout SeenStream) -> Void) {
        let key = Key(connection: connection, stream: stream)
        let index = indexes[key] ?? streams.count
        if index == streams.count {
            indexes[key] = index
            streams.append(SeenStream(stream, on: connection))
        }
        change(&streams[index])
    }
}
