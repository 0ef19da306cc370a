internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorScenario

/// `{ frame: { … } }` under `do:`.
struct FrameKeys: Sendable {
    let type = Key<FrameTemplate.TypeName>("type", isRequired: true) { $1.frameType($0) }
    let flags = Key<FrameFlags>("flags") { $1.frameFlags($0) }
    let stream = Key<FrameTemplate.Stream>("stream") { $1.frameStream($0) }
    let payload = Key("payload", Shape<[UInt8]>.literal("the payload", limit: 1 << 20))
    let fields = Key("fields", Shape<[ReplyField]>.fields("the fields of the frame"))
    let promised = Key("promised", Shape<UInt32>.number("a promised stream", in: 0...Int(UInt32.max >> 1)))
    let length = Key("length", Shape<Int>.integer("the length of a frame", in: 0...FrameLimits.largestMaximum))
    let reserved = Key("reserved", Shape<Bool>.boolean("reserved"))
}

extension FrameType {
    static let fixtureNames = named.map(\.description)
}

extension HTTP3FrameType {
    /// The names of the frame types of HTTP/3 alone.
    static let fixtureNames = ["CANCEL_PUSH", "MAX_PUSH_ID", "PUSH_PRIORITY_UPDATE"]
}

extension ScenarioReader {
    static let frameTable = Table("a frame", FrameKeys())

    static let flagNames: [(name: String, flag: FrameFlags)] = [
        ("END_STREAM", .endStream), ("END_HEADERS", .endHeaders), ("PADDED", .padded), ("PRIORITY", .priority),
        ("ACK", .ack),
    ]

    func frame(_ node: Node) -> FrameTemplate? {
        guard let keys = Self.frameTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        let errorCount = sink.diagnostics.count
        let type = keys[\.type]
        let flags = keys[\.flags]
        let stream = keys[\.stream]
        let payload = keys[\.payload]
        let fields = keys[\.fields]
        let promised = keys[\.promised]
        let length = keys[\.length]
        let isReserved = keys[\.reserved]
        if keys.has(\.payload), let entry = keys.entry(\.fields)?.keyNode {
            sink.report(entry, "\"fields\" does not go with \"payload\"", hint: "leave one of them out")
        }
        if let entry = keys.entry(\.promised)?.keyNode, !keys.has(\.fields) {
            sink.report(entry, "\"promised\" goes with \"fields\" only", hint: "write its four bytes into payload:")
        }
        guard let type, sink.diagnostics.count == errorCount else { return nil }
        let content: FrameTemplate.Content =
            fields.map { .fields($0, promised: promised) } ?? .payload(payload ?? [])
        var frame = FrameTemplate(
            type: type, flags: flags ?? (fields == nil ? [] : .endHeaders),
            stream: stream ?? (type.isOfConnections ? .connection : .this), content: content)
        frame.statedByteCount = length
        frame.hasReservedBit = isReserved ?? false
        return frame
    }

    fileprivate func frameType(_ node: Node) -> FrameTemplate.TypeName? {
        guard let text = sink.text(node, "a type") else { return nil }
        var (http2, http3) = (FrameType(named: text), HTTP3FrameType(named: text))
        if let http2, http3 == nil {
            // The number of a type that HTTP/3 may not have; of another one it means something else there.
            let same = HTTP3FrameType(rawValue: UInt64(http2.rawValue))
            if same.isForbidden { http3 = same }
        } else if http2 == nil, http3 == nil, let number = UInt64(quicNumber: text) {
            http2 = UInt8(exactly: number).map { FrameType(rawValue: $0) }
            http3 = HTTP3FrameType(rawValue: number)
        }
        guard http2 != nil || http3 != nil else {
            return sink.refuse(
                node, "unknown type \(quoted(text)) of a frame",
                hint: NearestName.find(text, in: FrameType.fixtureNames + HTTP3FrameType.fixtureNames)
                    .map { "did you mean \(quoted($0))?" } ?? "a name like HEADERS, or a number below 2^62")
        }
        if http2 == nil {
            need([.h3], for: text, at: node)
        } else if http3 == nil {
            need([.h2], for: text, at: node)
        }
        return FrameTemplate.TypeName(
            http2?.description ?? http3?.description ?? text, http2: http2, http3: http3)
    }

    fileprivate func frameFlags(_ node: Node) -> FrameFlags? {
        guard node.items != nil else {
            return sink.integer(node, "flags", in: 0...255).map { FrameFlags(rawValue: UInt8(clamping: $0)) }
        }
        guard let items = sink.list(node, "flags", limit: UInt8.bitWidth) else { return nil }
        var flags: FrameFlags = []
        for item in items {
            guard let text = sink.text(item, "a flag") else { return nil }
            guard let flag = Self.flagNames.first(where: { $0.name == text })?.flag else {
                return sink.refuse(
                    item, "unknown flag \(quoted(text))",
                    hint: DiagnosticSink.hint(for: text, among: Self.flagNames.map(\.name)))
            }
            flags.insert(flag)
        }
        return flags
    }

    fileprivate func frameStream(_ node: Node) -> FrameTemplate.Stream? {
        guard let text = sink.text(node, "a stream") else { return nil }
        switch text {
        case "this": return .this
        case "connection": return .connection
        case "idle": return .idle
        default:
            if let stream = HTTP3Behaviour.allStreams.first(where: { $0.description == text }) {
                need([.h3], for: text, at: node)
                return .critical(stream)
            }
            if text.utf8.allSatisfy(\.isASCIIDigit), let number = UInt32(text), number <= UInt32.max >> 1 {
                return .number(number)
            }
            return sink.refuse(
                node, "unknown stream \(quoted(text))",
                hint: "permitted: this, connection, idle, control, encoder, decoder, or a number up to 2147483647")
        }
    }
}

extension FrameTemplate.TypeName {
    /// Whether frames of the type are sent on stream 0 (RFC 9113 §6), or on the control stream (RFC 9114 §7).
    fileprivate var isOfConnections: Bool {
        http2.map { [.settings, .ping, .goAway].contains($0) } ?? false
            || http3.map { [.settings, .goAway, .cancelPush, .maxPushID].contains($0) } ?? false
    }
}
