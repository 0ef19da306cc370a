internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// `events:` with options.
struct EventStreamKeys: Sendable {
    let list = Key<Node>("list", isRequired: true)
    let lineEnd = UsualKey("line-end", Shape<LineEnd>.choice("a line end"), usual: .lf)
    let bom = UsualKey("bom", Shape<Bool>.boolean("bom"), usual: false)

    enum LineEnd: String, CaseIterable, Sendable {
        case lf, cr, crlf, mixed

        /// The ends of lines in turn.
        ///
        /// Behind CR an empty line that LF ends would be a part of CRLF, so LF never follows CR.
        var turns: [[UInt8]] {
            switch self {
            case .lf: [[0x0A]]
            case .cr: [[0x0D]]
            case .crlf: [[0x0D, 0x0A]]
            case .mixed: [[0x0D], [0x0D, 0x0A], [0x0A]]
            }
        }
    }
}

/// An event, bytes between events, or items that are repeated.
struct StreamItemKeys: Sendable {
    let id = Key("id", StreamItemKeys.line)
    let event = Key("event", StreamItemKeys.line)
    let data = Key<Node>("data")
    let retry = Key("retry", Shape<Int>.integer("a time in milliseconds", in: 0...Bounds.bodyByteCount))
    let comment = Key<Node>("comment")
    let lines = Key<Node>("lines")
    let closed = UsualKey("closed", Shape<Bool>.boolean("closed"), usual: true)
    let raw = Key("raw", Shape<ByteSource>.bytes("the bytes of a stream"))
    let `repeat` = Key("repeat", Shape<Int>.integer("a number of repetitions", in: 1...Bounds.chunks))
    let events = Key<Node>("events")

    private static let line = Shape<Template> { node, reader in
        guard let text = reader.line(node, "a field of an event", hint: "write lines: to send one") else { return nil }
        return reader.template(node, text)?.inField
    }

    /// The keys of an event, whose lines come in the order of the file.
    static let ofEvent = ["id", "event", "data", "retry", "comment", "lines", "closed"]
}
