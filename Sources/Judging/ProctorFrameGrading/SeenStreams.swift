internal import ProctorBase
internal import ProctorGrading
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// Streams of HTTP/2 and the frames that clients sent on them: the facts `stream[N].…`, in the order in which clients opened streams on
/// all connections.
struct SeenStreams: FactGatherer {
    /// Streams in the order in which they first occur, those with only a priority included.
    private var streams: [SeenStream] = []
    private var indexes: [Key: Int] = [:]
    /// The indexes of those that the client opened, in order.
    private var opened: [Int] = []

    private struct Key: Hashable {
        let connection: Int
        let stream: UInt32
    }

    var all: [SeenStream] { opened.map { streams[$0] } }

    static let group = FactGroup.stream

    static let words = GatheredWords(
        owner: "stream $", counted: "stream", "were opened", never: "stream $ was never opened", wrong: "$ is wrong")

    mutating func read(_ entry: JournalEntry, on connection: Int?, of request: Int?) {
        guard let connection else { return }
        switch entry.event {
        case .frame(let frame) where !frame.isOfHTTP3: read(frame, at: entry.sequence, on: connection)
        // Of the client's request, the first one.
        case .fieldBlock(let block) where block.party == .client && block.kind == .request:
            update(block.stream, on: connection) { $0.block = $0.block ?? block }
        default: break
        }
    }

    private mutating func read(_ frame: FrameNote, at sequence: UInt64, on connection: Int) {
        if case .priorityUpdate(let stream, let value) = frame.detail, frame.party == .client {
            update(stream, on: connection) { $0.priority = value }
        }
        if frame.stream != 0 { update(frame.stream, on: connection) { $0.record(frame, at: sequence) } }
    }

    private mutating func update(_ stream: UInt32, on connection: Int, _ change: (inout SeenStream) -> Void) {
        let key = Key(connection: connection, stream: stream)
        let index = indexes[key] ?? streams.count
        if index == streams.count {
            indexes[key] = index
            streams.append(SeenStream(stream, on: connection))
        }
        let wasOpened = streams[index].sequence != nil
        change(&streams[index])
        if !wasOpened, streams[index].sequence != nil { opened.append(index) }
    }
    func sequence(of stream: SeenStream, in record: WireRecord) -> UInt64? { stream.sequence }

    func faults(of stream: SeenStream, in record: WireRecord) -> [ListedFault] { [] }
}

/// The journal's entries about the frames of one HTTP/2 stream that the client sent.
struct SeenStream {
    let id: UInt32
    /// The index in ``WireRecord/connections``.
    let connection: Int
    /// The entry of its first HEADERS; nil while the client has sent only priorities, and has not opened the stream.
    private(set) var sequence: UInt64?
    /// The types of the frames, in order; adjacent DATA frames are listed once, and so are adjacent CONTINUATION
    /// frames.
    private(set) var frames: [String] = []
    private(set) var dataCount = 0
    /// The bytes of content in the DATA frames that have entries.
    private(set) var contentByteCount = 0
    private(set) var paddingByteCount = 0
    private(set) var windowByteCount = 0
    private(set) var end: End?
    private(set) var resetCode: String?
    private(set) var dependency: Dependency?
    /// The field block of its request; nil when no complete one arrived.
    var block: FieldBlockNote?
    var priority: [UInt8]?
    /// The number of entries for DATA frames of both sides.
    private var dataEntryCount = 0
    /// Whether the client may have sent DATA frames without entries.
    private(set) var hasHiddenData = false

    /// What ended the client's half of the stream first.
    enum End: String {
        case endStream = "end-stream"
        case reset
    }

    struct Dependency {
        let stream: UInt32
        let isExclusive: Bool
        let weight: Int
    }

    init(_ id: UInt32, on connection: Int) {
        (self.id, self.connection) = (id, connection)
    }

    /// Records a frame of either side on the stream.
    mutating func record(_ frame: FrameNote, at sequence: UInt64) {
        let endsStream = frame.flags.contains("END_STREAM")
        if frame.type == "DATA" { countDataEntry(endsStream: endsStream && frame.party == .client) }
        guard frame.party == .client else { return }
        let repeats = frame.type == frames.last && (frame.type == "DATA" || frame.type == "CONTINUATION")
        if !repeats { frames += Array(repeating: frame.type, count: frame.count) }
        switch frame.type {
        case "HEADERS":
            self.sequence = self.sequence ?? sequence
            paddingByteCount += frame.padding ?? 0
        case "DATA":
            dataCount += 1
            // The Pad Length byte precedes the content.
            contentByteCount += max(0, frame.byteCount - (frame.padding.map { $0 + 1 } ?? 0))
            paddingByteCount += frame.padding ?? 0
        default: break
        }
        switch frame.detail {
        case .priority(let stream, let isExclusive, let weight):
            dependency = Dependency(stream: stream, isExclusive: isExclusive, weight: weight)
        case .increment(let byteCount): windowByteCount += Int(byteCount)
        case .code(let code) where frame.type == "RST_STREAM":
            resetCode = resetCode ?? code
            end = end ?? .reset
        default: break
        }
        if endsStream { end = end ?? .endStream }
    }

    /// Counts an entry for DATA; beyond its limit, the journal leaves out DATA frames that do not end the stream.
    private mutating func countDataEntry(endsStream: Bool) {
        guard end == nil else { return }
        dataEntryCount += 1
        hasHiddenData =
            endsStream
            ? dataEntryCount > FrameNote.dataEntryLimit : dataEntryCount >= FrameNote.dataEntryLimit
    }
}
