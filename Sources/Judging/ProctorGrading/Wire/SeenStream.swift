import ProctorJournal
import ProctorScenario

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

extension SeenStream {
    private static let hidden = "the journal has entries of the first \(FrameNote.dataEntryLimit) DATA frames alone"

    /// `request` is the index of the stream's request, `body` the content of that request; nil when there is none.
    func measure(_ fact: FactName.StreamFact, request: Int?, body: RequestBody?) -> Measurement {
        switch fact {
        case .id: return Measurement(Int(id))
        case .connection: return Measurement(connection)
        case .request: return Measurement(request)
        case .end: return Measurement(end?.rawValue)
        case .reset: return Measurement(resetCode)
        case .data: return hasHiddenData ? .notKept(Self.hidden) : Measurement(dataCount)
        case .length:
            guard hasHiddenData else { return Measurement(contentByteCount) }
            guard let body, body.isComplete else { return .notKept(Self.hidden) }
            return Measurement(body.byteCount)
        case .padding: return hasHiddenData ? .notKept(Self.hidden) : Measurement(paddingByteCount)
        case .frames: return hasHiddenData ? .notKept(Self.hidden) : Measurement(ofList: frames)
        case .fields:
            guard let block else { return .notKept("no whole field block of it came") }
            guard block.items.count == block.itemCount else {
                return .notKept("the journal kept \(block.items.count) of \(block.itemCount) items of its field block")
            }
            return .list(block.fields.map(\.name))
        case .window: return Measurement(windowByteCount)
        case .weight: return Measurement(dependency?.weight)
        case .dependency: return Measurement(dependency.map { Int($0.stream) })
        case .exclusive: return dependency.map { Measurement($0.isExclusive) } ?? .absent
        case .priority: return priority.map { .text($0) } ?? .absent
        }
    }
}
