import ProctorJournal
import ProctorScenario

/// What the journal knows of the frames that the client sent on one stream of HTTP/2.
struct SeenStream {
    let id: UInt32
    /// Index into ``WireRecord/connections``.
    let connection: Int
    /// The entry of its first HEADERS; nil while the client has only said its priority, and has not opened it.
    private(set) var sequence: UInt64?
    /// The types of the frames, in order; several DATA or CONTINUATION in a row stand once.
    private(set) var frames: [String] = []
    private(set) var dataCount = 0
    /// Bytes of content in the DATA frames that have entries.
    private(set) var contentByteCount = 0
    private(set) var paddingByteCount = 0
    private(set) var windowByteCount = 0
    private(set) var end: End?
    private(set) var resetCode: String?
    private(set) var dependency: Dependency?
    /// The field block of its request; nil where none came whole.
    private(set) var block: FieldBlockNote?
    private(set) var priority: [UInt8]?
    /// DATA frames of both sides that have entries.
    private var dataEntryCount = 0
    /// Whether DATA frames of the client may have no entries.
    private(set) var hasHiddenData = false

    /// What ended the client's half first.
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
        self.id = id
        self.connection = connection
    }

    /// A frame of either side on the stream.
    mutating func take(_ frame: FrameNote, at sequence: UInt64) {
        let endsStream = frame.flags.contains("END_STREAM")
        if frame.type == "DATA" { takeEntry(endsStream: endsStream && frame.party == .client) }
        guard frame.party == .client else { return }
        let repeats = frame.type == frames.last && (frame.type == "DATA" || frame.type == "CONTINUATION")
        if !repeats { frames += Array(repeating: frame.type, count: frame.count) }
        switch frame.type {
        case "HEADERS":
            self.sequence = self.sequence ?? sequence
            paddingByteCount += frame.padding ?? 0
        case "DATA":
            dataCount += 1
            // The byte that says the count stands before the content.
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

    /// Counts an entry of DATA; the journal leaves out those beyond its limit that do not end the stream.
    private mutating func takeEntry(endsStream: Bool) {
        guard end == nil else { return }
        dataEntryCount += 1
        hasHiddenData =
            endsStream
            ? dataEntryCount > FrameNote.dataEntryLimit : dataEntryCount >= FrameNote.dataEntryLimit
    }

    mutating func take(_ block: FieldBlockNote) {
        if block.party == .client, block.kind == .request { self.block = self.block ?? block }
    }

    mutating func take(priority value: [UInt8]) { priority = value }
}

extension SeenStream {
    private static let hidden = "the journal has entries of the first \(FrameNote.dataEntryLimit) DATA frames alone"

    /// `request` is the index of its request, `body` that request's content; nil where there is none.
    func measure(_ fact: FactName.StreamFact, request: Int?, body: RequestBody?) -> Measurement {
        switch fact {
        case .id: return Measurement(Int(id))
        case .connection: return Measurement(connection)
        case .request: return request.map { Measurement($0) } ?? .absent
        case .end: return end.map { Measurement($0.rawValue) } ?? .absent
        case .reset: return resetCode.map { Measurement($0) } ?? .absent
        case .data: return hasHiddenData ? .notKept(Self.hidden) : Measurement(dataCount)
        case .length:
            guard hasHiddenData else { return Measurement(contentByteCount) }
            guard let body, body.isComplete else { return .notKept(Self.hidden) }
            return Measurement(body.byteCount)
        case .padding: return hasHiddenData ? .notKept(Self.hidden) : Measurement(paddingByteCount)
        case .frames: return hasHiddenData ? .notKept(Self.hidden) : .list(frames.map { Array($0.utf8) })
        case .fields:
            guard let block else { return .notKept("no whole field block of it came") }
            guard block.items.count == block.itemCount else {
                return .notKept("the journal kept \(block.items.count) of \(block.itemCount) items of its field block")
            }
            return .list(block.fields.map(\.name))
        case .window: return Measurement(windowByteCount)
        case .weight: return dependency.map { Measurement($0.weight) } ?? .absent
        case .dependency: return dependency.map { Measurement(Int($0.stream)) } ?? .absent
        case .exclusive: return dependency.map { Measurement($0.isExclusive ? "true" : "false") } ?? .absent
        case .priority: return priority.map { .text($0) } ?? .absent
        }
    }
}
