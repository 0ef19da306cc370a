internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario

/// The reply that a script sends step by step in the bytes of HTTP/1.1, as a stream sends it: field sections, content, an end.
///
/// Chunks become content, and the end of the script ends content without a length.
struct SteppedSections {
    private var reader: ReplyReader
    /// The status of the final reply; nil before its head.
    private(set) var status: Int?
    /// Whether the end of the stream was sent.
    private(set) var isOver = false
    private var hasTrailers = false

    init(to method: [UInt8]) {
        reader = ReplyReader(limits: ReplyLimits(interimCount: Self.interimCount))
        reader.expectReply(to: method)
    }

    private static let interimCount = 100

    /// What the stream sends of further bytes; throws where they are no reply, or follow its end.
    mutating func steps(for bytes: [UInt8]) throws(ConnectionEnd) -> LaidOutReply {
        var steps: [LaidOutReply.Step] = []
        var offset = 0
        while let event = reader.next(bytes.span, at: &offset) {
            switch event {
            case .head(let head) where head.status == 101:
                throw .unanswerable("the script sends a 101, which HTTP/1.1 alone has (RFC 9113 §8.6)")
            case .head(let head): steps.append(section(head))
            case .content(let range): steps.append(.bytes(Array(bytes[range])))
            case .trailers(let lines):
                let section = StreamSection(trailers: lines)
                guard !section.fields.isEmpty else { break }
                hasTrailers = true
                steps.append(.section(section))
            case .end:
                if !hasTrailers { steps.append(.end) }
                isOver = true
            case .refused(let violation):
                throw .unanswerable(
                    "the script sends what is no reply of HTTP/1.1, as which its bytes are read on a stream: "
                        + violation.sentence)
            case .chunk, .violation: break
            }
        }
        return LaidOutReply(steps)
    }

    /// What the stream sends in place of bytes between its frames; nil for an effect that sends none.
    mutating func reply(of action: Effect.Action) throws(ConnectionEnd) -> LaidOutReply? {
        guard case .send(.literal(let bytes)) = action else { return nil }
        return try steps(for: bytes)
    }

    /// What is left at the end of the script, with the word of the fixture on the connection.
    func rest(_ traits: LaidOutReply.Traits) throws(ConnectionEnd) -> LaidOutReply {
        guard status != nil else {
            throw .unanswerable("the script ends without the whole head of a final reply")
        }
        var traits = traits
        traits.status = status
        return LaidOutReply(isOver ? [] : [.end], traits)
    }

    private mutating func section(_ head: ReplyHead) -> LaidOutReply.Step {
        var fields: [ReplySection.Field] = []
        for field in [HTTPField](head.fields) { fields.append(.init(field.name, field.bytes)) }
        if !head.isInterim { status = head.status }
        let section = ReplySection(status: head.status, fields: fields)
        return .section(StreamSection(section, endsStream: false, content: head.isInterim ? .empty : nil))
    }
}
