internal import ProctorBase
package import ProctorHTTP
package import ProctorJournal
internal import ProctorScenario

/// A field section that a stream sends (RFC 9113 §8.1).
package final class StreamSection: Sendable {
    package let kind: SectionKind
    /// With `:status` first, except in trailers.
    package let fields: [HeaderField]
    package let endsStream: Bool
    /// The journal's event; nil for trailers.
    package let reply: SentReply?

    init(kind: SectionKind, fields: [HeaderField], endsStream: Bool, reply: SentReply?) {
        (self.kind, self.fields, self.endsStream, self.reply) = (kind, fields, endsStream, reply)
    }
}

extension StreamSection {
    package convenience init(
        _ section: ReplySection, endsStream: Bool, content: SentContent?, coded: SentContent? = nil
    ) {
        let fields = section.headerFields
        self.init(
            kind: section.status < 200 ? .interim : .response, fields: fields, endsStream: endsStream,
            reply: SentReply(
                status: section.status, fields: fields.section, headByteCount: nil, content: content,
                codedContent: coded))
    }

    /// Trailers that end a stream: names in lower case, without fields of one connection (RFC 9113 §8.2).
    package convenience init(trailers: FieldSection) {
        let fields = [HTTPField](trailers).map { ReplySection.Field($0.name, $0.bytes) }
            .filter { !ConnectionSpecificFields.contain($0.name) }
            .map { HeaderField($0.name.lowercasedASCII, $0.value) }
        self.init(kind: .trailers, fields: fields, endsStream: true, reply: nil)
    }
}

/// Lays a plan out for HTTP/2: field sections, content and END_STREAM, with effects between them.
///
/// Chunks become content, and what ends a body by closing the connection, END_STREAM. Cuts are those of the content.
struct SectionLayout {
    private let plan: ReplyPlan
    private var effects: PendingEffects
    private var list = StepList()

    init(_ plan: ReplyPlan) {
        self.plan = plan
        effects = plan.effects
    }

    /// Throws for bytes that only HTTP/1.1 has a place for.
    mutating func laidOut() throws(ReplyFailure) -> LaidOutReply {
        switch plan.message {
        case .effects(let items):
            return LaidOutReply(items.map { .effect($0.action, at: $0.position.text) }, plan.traits)
        case .raw:
            throw .unanswerable(
                "its bytes are written in the fixture, and a stream of HTTP/2 has no place for bytes of HTTP/1.1")
        case .structured(let message): return laidOut(message)
        }
    }

    private mutating func laidOut(_ message: ReplyPlan.Structured) -> LaidOutReply {
        let content = message.content
        addInterim(message)
        let endsWithHead =
            !message.opensTunnel && message.trailers.isEmpty
            && (!message.hasContent || content.byteCount == 0 && effects.isEmpty)
        effects.appendDue(before: 0, of: .head, into: &list)
        list.section(section(message, endsStream: endsWithHead))
        effects.appendDue(before: .max - 1, of: .head, into: &list)
        if message.hasContent { add(content) } else { effects.dropBody() }
        if !message.trailers.isEmpty {
            let fields = message.trailers.map { HeaderField($0.name.lowercasedASCII, $0.value) }
            list.section(StreamSection(kind: .trailers, fields: fields, endsStream: true, reply: nil))
        } else if !endsWithHead, !message.opensTunnel {
            list.endStream()
        }
        effects.playRest(into: &list)
        var traits = plan.traits
        (traits.status, traits.leavesHTTP) = (message.head.status, message.opensTunnel)
        traits.tunnel = message.opensTunnel ? plan.tunnel : nil
        traits.schedule = WriteSchedule(plan.slicing, byteCount: content.byteCount, pace: plan.pace)
        traits.setCookies = plan.setCookies(message.head.fields, headEnd: 0, [])
        traits.beforeFrames = effects.beforeFrames
        return LaidOutReply(list.allSteps(), traits)
    }

    private mutating func add(_ content: ReplyContent) {
        let range = 0..<content.byteCount
        let stops = effects.offsets(in: range, of: .content) + effects.offsets(in: range, of: .wire)
        content.walk(range, stops: stops.sorted()) { part in
            effects.appendDue(before: part.range.lowerBound, of: .content, into: &list)
            effects.appendDue(before: part.range.lowerBound, of: .wire, into: &list)
            list.add(part.piece)
        }
        effects.appendDue(before: .max - 1, of: .content, into: &list)
        effects.appendDue(before: .max - 1, of: .wire, into: &list)
    }

    private mutating func addInterim(_ message: ReplyPlan.Structured) {
        var count = 0
        for piece in message.interim {
            switch piece {
            // 101 is of HTTP/1.1 alone (RFC 9113 §8.6).
            case .reply(let interim) where interim.status == 101: continue
            case .reply(let interim):
                list.section(StreamSection(interim, endsStream: false, content: .empty))
                count += 1
            case .effect(let action): list.effect(action, at: "interim \(count)")
            }
        }
    }

    /// The final head, with what a client receives behind it.
    private func section(_ message: ReplyPlan.Structured, endsStream: Bool) -> StreamSection {
        guard message.hasContent else { return StreamSection(message.head, endsStream: endsStream, content: .empty) }
        let sent = SentContent(reading: message.content.pieces)
        let plain = StreamSection(message.head, endsStream: endsStream, content: sent)
        guard plain.reply?.fields?.namesCodings == true else { return plain }
        return StreamSection(
            message.head, endsStream: endsStream, content: message.uncoded.flatMap { SentContent(reading: $0) },
            coded: sent)
    }
}

extension [HeaderField] {
    /// Without pseudo-fields.
    package var section: FieldSection { FieldSection(filter { !$0.isPseudo }.map { ($0.name, $0.value) }) }
}

extension [UInt8] {
    package var lowercasedASCII: [UInt8] { map(\.asciiLowercased) }
}
