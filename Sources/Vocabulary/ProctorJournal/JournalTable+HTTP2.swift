import ProctorBase

// The frames of HTTP/2, and what they say.
extension JournalTable {
    // MARK: Frames

    static let frame: JournalShape<FrameNote, JournalEvent> = JournalShape(
        named: "frame",
        says: "a frame of HTTP/2 or HTTP/3 came, or goes out next: see [below](journal.md#http2)",
        fields: JournalKey<FrameNote>.word("by", says: "who sent it", of: \.party),
        JournalKey<FrameNote>.text(
            "type", says: "IANA's name, or the number, as `0x1f`", of: \.type),
        JournalKey<FrameNote>.texts(
            "flags", says: "those that are set, as `END_STREAM` or `0x40`",
            of: \.flags),
        JournalKey<FrameNote>.integer(
            "stream", says: "0 is the connection of HTTP/2", of: { Int($0.stream) }
        ).within(
            UInt32.self),
        JournalKey<FrameNote>.integer("byteCount", says: "bytes of the payload", of: \.byteCount),
        JournalKey<FrameNote>.integer(
            "offset",
            says: "its first byte among those that this side sent, over HTTP/3 on the stream",
            of: \.offset),
        JournalKey<FrameNote>.integer(
            "count",
            says: "so many like it came in a row; `increment` is of all of them, the rest of the first",
            when: "of a [flood](journal.md#http2), where it is more than one",
            of: { $0.count > 1 ? $0.count : nil }),
        JournalKey<FrameNote>.integer(
            "padding", says: "bytes of padding",
            when: "where it has the flag PADDED", of: \.padding),
        JournalKey<FrameNote>.objects(
            "settings", setting, says: "the first 64 parameters",
            when: "of SETTINGS without ACK",
            of: { if case .settings(let settings) = $0.detail { settings } else { nil } }
        ),
        JournalKey<FrameNote>.text(
            "code", says: "its name, or its number",
            when: "of RST_STREAM and its like",
            of: { if case .code(let code) = $0.detail { code } else { nil } }),
        JournalKey<FrameNote>.object(
            "goAway", goAway, says: "what GOAWAY says", when: "of GOAWAY",
            of: {
                guard case .goAway(let stream, let code, let debug) = $0.detail else { return nil }
                return GoAway(lastStream: stream, code: code, debug: debug)
            }),
        JournalKey<FrameNote>.integer(
            "increment", says: "bytes by which the window grows", when: "of WINDOW_UPDATE",
            of: { if case .increment(let increment) = $0.detail { Int(increment) } else { nil } }
        ).within(UInt32.self),
        JournalKey<FrameNote>.bytes(
            "opaque", orBase64: "opaqueBase64", says: "the eight bytes", when: "of PING",
            of: { if case .opaque(let bytes) = $0.detail { bytes[...] } else { nil } }),
        JournalKey<FrameNote>.object(
            "priority", dependency, says: "the priority of RFC 7540",
            when: "of PRIORITY, and of HEADERS with that flag",
            of: {
                guard case .priority(let stream, let isExclusive, let weight) = $0.detail else { return nil }
                return Dependency(stream: stream, isExclusive: isExclusive, weight: weight)
            }),
        JournalKey<FrameNote>.integer(
            "promised", says: "the promised stream", when: "of PUSH_PROMISE",
            of: { if case .promised(let stream) = $0.detail { Int(stream) } else { nil } }
        ).within(UInt32.self),
        JournalKey<FrameNote>.object(
            "priorityUpdate", priorityUpdate, says: "the priority of RFC 9218", when: "of PRIORITY_UPDATE",
            of: {
                guard case .priorityUpdate(let stream, let value) = $0.detail else { return nil }
                return PriorityUpdate(stream: stream, value: value)
            }),
        JournalKey<FrameNote>.flag(
            "isHTTP3", says: "it is of HTTP/3 or QUIC", whenTrue: "only where it is true", of: \.isOfHTTP3),
        JournalKey<FrameNote>.integer(
            "id", says: "the stream or push that it names",
            when: "of GOAWAY and pushes of HTTP/3",
            of: { if case .id(let id) = $0.detail { Int(clamping: id) } else { nil } }
        ).within(UInt64.self),
        JournalKey<FrameNote>.text(
            "streamType", says: "its type, as `control` or `0x21`",
            when: "where one opens",
            of: { if case .streamType(let type) = $0.detail { type } else { nil } }),
        JournalKey<FrameNote>.object(
            "close", close, says: "what CONNECTION_CLOSE says", when: "of CONNECTION_CLOSE",
            of: {
                guard case .close(let code, let isOfTransport, let reason) = $0.detail else { return nil }
                return Close(code: code, isOfTransport: isOfTransport, reason: reason)
            })
    ) {
        party, type, flags, stream, byteCount, offset, count, padding, settings, code, goAway, increment, opaque,
        priority,
        promised, update, isOfHTTP3, id, streamType, close in
        let detail: FrameNote.Detail? =
            if let settings {
                .settings(settings)
            } else if let code {
                .code(code)
            } else if let goAway {
                .goAway(lastStream: goAway.lastStream, code: goAway.code, debug: goAway.debug)
            } else if let increment {
                .increment(increment)
            } else if let opaque {
                .opaque(opaque)
            } else if let priority {
                .priority(dependsOn: priority.stream, isExclusive: priority.isExclusive, weight: priority.weight)
            } else if let promised {
                .promised(promised)
            } else if let update {
                .priorityUpdate(stream: update.stream, value: update.value)
            } else if let id {
                .id(id)
            } else if let streamType {
                .streamType(streamType)
            } else if let close {
                .close(code: close.code, isOfTransport: close.isOfTransport, reason: close.reason)
            } else {
                nil
            }
        return .frame(
            FrameNote(
                by: party, type: type, flags: flags, stream: stream, byteCount: byteCount, offset: offset,
                padding: padding, detail: detail, count: count ?? 1, isOfHTTP3: isOfHTTP3))
    }

    private static let setting: JournalShape<SettingNote, SettingNote> = JournalShape(
        named: "settings", says: "a parameter",
        fields: JournalKey<SettingNote>.text(
            "name", says: "its name without SETTINGS_, or the number, as `0x2a`", of: \.name),
        JournalKey<SettingNote>.unsigned("value", says: "its value", of: \.value)
    ) { SettingNote($0, $1) }

    private struct Close {
        let code: String
        let isOfTransport: Bool
        let reason: [UInt8]
    }

    private static let close: JournalShape<Close, Close> = JournalShape(
        named: "close", says: "what CONNECTION_CLOSE says",
        fields: JournalKey<Close>.text("code", says: "its name, or a number", of: \.code),
        JournalKey<Close>.flag("isOfTransport", says: "the code is one of QUIC", of: \.isOfTransport),
        JournalKey<Close>.bytes(
            "reason", orBase64: "reasonBase64", says: "its first 1,024 bytes", of: { $0.reason[...] })
    ) { Close(code: $0, isOfTransport: $1, reason: $2) }

    private struct GoAway {
        let lastStream: UInt32
        let code: String
        let debug: [UInt8]
    }

    private static let goAway: JournalShape<GoAway, GoAway> = JournalShape(
        named: "goAway", says: "what GOAWAY says",
        fields: JournalKey<GoAway>.integer(
            "lastStream", says: "the last stream that is dealt with", of: { Int($0.lastStream) }
        ).within(UInt32.self),
        JournalKey<GoAway>.text("code", says: "its name, or its number", of: \.code),
        JournalKey<GoAway>.bytes(
            "debug", orBase64: "debugBase64", says: "the first 1,024 bytes of its debug data", of: { $0.debug[...] })
    ) { GoAway(lastStream: $0, code: $1, debug: $2) }

    private struct Dependency {
        let stream: UInt32
        let isExclusive: Bool
        let weight: Int
    }

    private static let dependency: JournalShape<Dependency, Dependency> = JournalShape(
        named: "priority", says: "the priority of RFC 7540",
        fields: JournalKey<Dependency>.integer(
            "dependsOn", says: "the stream that it depends on", of: { Int($0.stream) }
        ).within(UInt32.self),
        JournalKey<Dependency>.flag("isExclusive", says: "it depends on that stream alone", of: \.isExclusive),
        JournalKey<Dependency>.integer("weight", says: "from 1 to 256", of: \.weight)
    ) { Dependency(stream: $0, isExclusive: $1, weight: $2) }

    private struct PriorityUpdate {
        let stream: UInt32
        let value: [UInt8]
    }

    private static let priorityUpdate: JournalShape<PriorityUpdate, PriorityUpdate> = JournalShape(
        named: "priorityUpdate", says: "the priority of RFC 9218",
        fields: JournalKey<PriorityUpdate>.integer(
            "stream", says: "the stream that gets it", of: { Int($0.stream) }
        ).within(UInt32.self),
        JournalKey<PriorityUpdate>.bytes(
            "value", orBase64: "valueBase64", says: "the first 1,024 bytes of its value", of: { $0.value[...] })
    ) { PriorityUpdate(stream: $0, value: $1) }

    // MARK: Field blocks

    static let fieldBlock: JournalShape<FieldBlockNote, JournalEvent> = JournalShape(
        named: "fieldBlock",
        says: "a field block of HTTP/2 came, or goes out next: how each field is written",
        fields: JournalKey<FieldBlockNote>.word("by", says: "who sent it", of: \.party),
        JournalKey<FieldBlockNote>.integer("stream", says: "the stream of its frames", of: { Int($0.stream) }).within(
            UInt32.self),
        JournalKey<FieldBlockNote>.word("of", says: "what the block is", of: \.kind),
        JournalKey<FieldBlockNote>.integer("frameCount", says: "the frames that it is in", of: \.frameCount),
        JournalKey<FieldBlockNote>.integer("byteCount", says: "its bytes in the frames", of: \.byteCount),
        JournalKey<FieldBlockNote>.integer("itemCount", says: "all its items", of: \.itemCount),
        JournalKey<FieldBlockNote>.objects(
            "items", item, says: "the first 256 items with 64 KiB, in order", of: \.items)
    ) { party, stream, kind, frameCount, byteCount, itemCount, items in
        .fieldBlock(
            FieldBlockNote(
                by: party, stream: stream, kind: kind, frameCount: frameCount, byteCount: byteCount,
                itemCount: itemCount, items: items))
    }

    private static let item: JournalShape<FieldBlockNote.Item, FieldBlockNote.Item> = JournalShape(
        named: "items", says: "an item of a block",
        fields: JournalKey<FieldBlockNote.Item>.bytes(
            "name", orBase64: "nameBase64", says: "the name of the field", when: fieldOnly,
            of: { $0.field?.name[...] }),
        JournalKey<FieldBlockNote.Item>.bytes(
            "value", orBase64: "valueBase64", says: "its value", when: fieldOnly, of: { $0.field?.value[...] }),
        JournalKey<FieldBlockNote.Item>.word(
            "as", says: "how it is written (RFC 7541 §6)", when: fieldOnly, of: { $0.field?.representation }),
        JournalKey<FieldBlockNote.Item>.integer(
            "index", says: "its place in the tables", when: "where the name is not written",
            of: { $0.field?.index }),
        JournalKey<FieldBlockNote.Item>.flag(
            "isNameHuffman", says: "in Huffman code", whenTrue: "only where it is true",
            of: { $0.field?.isNameHuffman ?? false }),
        JournalKey<FieldBlockNote.Item>.flag(
            "isValueHuffman", says: "in Huffman code", whenTrue: "only where it is true",
            of: { $0.field?.isValueHuffman ?? false }),
        JournalKey<FieldBlockNote.Item>.integer(
            "tableSize", says: "the table's bytes from here on", when: "of a size update",
            of: { if case .tableSize(let size) = $0 { size } else { nil } })
    ) { (name, value, representation, index, isNameHuffman, isValueHuffman, tableSize) throws(LineFault) in
        if let tableSize { return .tableSize(tableSize) }
        guard let name else { throw JournalFields.missing("name") }
        guard let value else { throw JournalFields.missing("value") }
        guard let representation else { throw JournalFields.missing("as") }
        return .field(
            FieldBlockNote.Field(
                name, value, representation, index: index, isNameHuffman: isNameHuffman,
                isValueHuffman: isValueHuffman))
    }

    private static let fieldOnly = "of a field"

    // MARK: Violations

    static let frameViolation: JournalShape<FrameViolationNote, JournalEvent> = JournalShape(
        named: "frameViolation", says: "a departure of the client's frames from HTTP/2 or HTTP/3",
        fields: JournalKey<FrameViolationNote>.text("kind", says: "its name", of: \.kind),
        JournalKey<FrameViolationNote>.integer(
            "offset", says: "where the frame stands",
            of: \.offset),
        JournalKey<FrameViolationNote>.integer(
            "stream", says: "the stream of the frame; 0 is the connection", of: { Int($0.stream) }
        )
        .within(UInt32.self),
        JournalKey<FrameViolationNote>.text("frame", says: "the type of the frame", of: \.frame),
        JournalKey<FrameViolationNote>.word("scope", says: "what a server ends because of it", of: \.scope),
        JournalKey<FrameViolationNote>.text(
            "code", says: "the code that answers it", when: "where `scope` is not `none`", of: \.code),
        JournalKey<FrameViolationNote>.flag(
            "isReadOver", says: "nothing ended, for the origin `accepts: anything`", whenTrue: "only where it is true",
            of: \.isReadOver),
        JournalKey<FrameViolationNote>.text("section", says: "the section of the specification", of: \.section),
        JournalKey<FrameViolationNote>.text("sentence", says: "what is wrong", of: \.sentence)
    ) { kind, offset, stream, frame, scope, code, isReadOver, section, sentence in
        .frameViolation(
            FrameViolationNote(
                kind, section: section, sentence: sentence, at: offset, stream: stream, frame: frame, scope: scope,
                code: code, isReadOver: isReadOver))
    }
}

extension FieldBlockNote.Item {
    fileprivate var field: FieldBlockNote.Field? { if case .field(let field) = self { field } else { nil } }
}
