internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorServing

/// Writes the field blocks that go out on one connection, in their order.
///
/// It keeps what the journal says of the last one, since most replies are written like the one before.
struct SentBlocks {
    private let encoder: HeaderEncoder
    private var last: Written?

    private final class Written {
        let fields: [HeaderField]
        let block: HeaderEncoder.Block
        let note: FieldBlockNote

        init(_ fields: [HeaderField], _ block: HeaderEncoder.Block, _ note: FieldBlockNote) {
            (self.fields, self.block, self.note) = (fields, block, note)
        }
    }

    init(_ encoder: HeaderEncoder) { self.encoder = encoder }

    /// Follows the client's SETTINGS.
    func follow(_ settings: [Setting]) { encoder.follow(settings) }

    /// Gives back memory until the next block.
    mutating func rest() {
        last = nil
        encoder.rest()
    }

    /// The block of the fields; its note says one frame until ``SentBlock`` knows better.
    mutating func write(
        _ fields: [HeaderField], as kind: SectionKind, on stream: UInt32
    ) throws(ConnectionEnd) -> (bytes: [UInt8], note: FieldBlockNote) {
        guard let block = encoder.encode(fields) else { throw .unanswerable("there is no memory for its fields") }
        // Arrays of one buffer are equal at once.
        if let last, last.note.kind == kind, last.block == block, last.fields == fields {
            return (block.bytes, last.note.placed(on: stream))
        }
        let note = FieldBlockNote(
            fields: fields, written: block.items, by: .server, stream: stream, kind: kind, frameCount: 1,
            byteCount: block.bytes.count)
        last = Written(fields, block, note)
        return (block.bytes, note)
    }
}

/// A field block in the frames that carry it, with what the journal says of it behind them.
struct SentBlock {
    let frames: [Frame]
    let note: FieldBlockNote

    init(_ frames: [Frame], _ note: FieldBlockNote) {
        self.frames = frames
        self.note = note.inFrames(frames.count)
    }
}
