import ProctorBase

// The frames of HTTP/2, and what they say.
extension JournalTable {
    // MARK: Frames

    static let frame: Event<FrameNote> = Event("frame") {
        Key("by", .word, \.party)
        Key("type", .text, \.type)
        Key("flags", .list(.text), \.flags)
        Key("stream", .number, \.stream)
        Key("byteCount", .number, \.byteCount)
        Key("offset", .number, \.offset)
        Key("count", .number, ifAny: { $0.count > 1 ? $0.count : nil })
        Key("padding", .number, ifAny: \.padding)
        Key(
            "settings", .list(.object(setting)),
            ifAny: { if case .settings(let settings) = $0.detail { settings } else { nil } })
        Key("code", .text, ifAny: { if case .code(let code) = $0.detail { code } else { nil } })
        Key(
            "goAway", .object(goAway),
            ifAny: {
                guard case .goAway(let stream, let code, let debug) = $0.detail else { return nil }
                return (lastStream: stream, code: code, debug: debug)
            })
        Key("increment", .number, ifAny: { if case .increment(let increment) = $0.detail { increment } else { nil } })
        Key(bytes: "opaque", ifAny: { if case .opaque(let bytes) = $0.detail { bytes } else { nil } })
        Key(
            "priority", .object(dependency),
            ifAny: {
                guard case .priority(let stream, let isExclusive, let weight) = $0.detail else { return nil }
                return (stream: stream, isExclusive: isExclusive, weight: weight)
            })
        Key("promised", .number, ifAny: { if case .promised(let stream) = $0.detail { stream } else { nil } })
        Key(
            "priorityUpdate", .object(priorityUpdate),
            ifAny: {
                guard case .priorityUpdate(let stream, let value) = $0.detail else { return nil }
                return (stream: stream, value: value)
            })
        Key("isHTTP3", ifTrue: \.isOfHTTP3)
        Key("id", .number, ifAny: { if case .id(let id) = $0.detail { id } else { nil } })
        Key("streamType", .text, ifAny: { if case .streamType(let type) = $0.detail { type } else { nil } })
        Key(
            "close", .object(close),
            ifAny: {
                guard case .close(let code, let isOfTransport, let reason) = $0.detail else { return nil }
                return (code: code, isOfTransport: isOfTransport, reason: reason)
            })
    } make: {
        party, type, flags, stream, byteCount, offset, count, padding, settings, code, goAway, increment, opaque,
        priority, promised, update, isOfHTTP3, id, streamType, close in
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

    private static let setting: Object<SettingNote> = Object {
        Key("name", .text, \.name)
        Key("value", .number, \.value)
    } make: {
        SettingNote($0, $1)
    }

    private typealias Close = (code: String, isOfTransport: Bool, reason: [UInt8])

    private static let close: Object<Close> = Object {
        Key("code", .text, \.code)
        Key("isOfTransport", .flag, \.isOfTransport)
        Key(bytes: "reason", \.reason)
    } make: {
        (code: $0, isOfTransport: $1, reason: $2)
    }

    private typealias GoAway = (lastStream: UInt32, code: String, debug: [UInt8])

    private static let goAway: Object<GoAway> = Object {
        Key("lastStream", .number, \.lastStream)
        Key("code", .text, \.code)
        Key(bytes: "debug", \.debug)
    } make: {
        (lastStream: $0, code: $1, debug: $2)
    }

    private typealias Dependency = (stream: UInt32, isExclusive: Bool, weight: Int)

    private static let dependency: Object<Dependency> = Object {
        Key("dependsOn", .number, \.stream)
        Key("isExclusive", .flag, \.isExclusive)
        Key("weight", .number, \.weight)
    } make: {
        (stream: $0, isExclusive: $1, weight: $2)
    }

    private typealias PriorityUpdate = (stream: UInt32, value: [UInt8])

    private static let priorityUpdate: Object<PriorityUpdate> = Object {
        Key("stream", .number, \.stream)
        Key(bytes: "value", \.value)
    } make: {
        (stream: $0, value: $1)
    }

    // MARK: Field blocks

    static let fieldBlock: Event<FieldBlockNote> = Event("fieldBlock") {
        Key("by", .word, \.party)
        Key("stream", .number, \.stream)
        Key("of", .word, \.kind)
        Key("frameCount", .number, \.frameCount)
        Key("byteCount", .number, \.byteCount)
        Key("itemCount", .number, \.itemCount)
        Key("items", .list(.object(item)), \.items)
    } make: { party, stream, kind, frameCount, byteCount, itemCount, items in
        .fieldBlock(
            FieldBlockNote(
                by: party, stream: stream, kind: kind, frameCount: frameCount, byteCount: byteCount,
                itemCount: itemCount, items: items))
    }

    private static let item: Object<FieldBlockNote.Item> = Object {
        Key(bytes: "name", ifAny: { $0.field?.name })
        Key(bytes: "value", ifAny: { $0.field?.value })
        Key("as", .word, ifAny: { $0.field?.representation })
        Key("index", .number, ifAny: { $0.field?.index })
        Key("isNameHuffman", ifTrue: { $0.field?.isNameHuffman ?? false })
        Key("isValueHuffman", ifTrue: { $0.field?.isValueHuffman ?? false })
        Key("tableSize", .number, ifAny: { if case .tableSize(let size) = $0 { size } else { nil } })
    } make: { (name, value, representation, index, isNameHuffman, isValueHuffman, tableSize) throws(LineFault) in
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

    static let frameViolation: Event<FrameViolationNote> = Event("frameViolation") {
        Key("kind", .text, \.kind)
        Key("offset", .number, \.offset)
        Key("stream", .number, \.stream)
        Key("frame", .text, \.frame)
        Key("scope", .word, \.scope)
        Key("code", .text, ifAny: \.code)
        Key("isReadOver", ifTrue: \.isReadOver)
        Key("section", .text, \.section)
        Key("sentence", .text, \.sentence)
    } make: { kind, offset, stream, frame, scope, code, isReadOver, section, sentence in
        .frameViolation(
            FrameViolationNote(
                kind, section: section, sentence: sentence, at: offset, stream: stream, frame: frame, scope: scope,
                code: code, isReadOver: isReadOver))
    }
}

extension FieldBlockNote.Item {
    fileprivate var field: FieldBlockNote.Field? { if case .field(let field) = self { field } else { nil } }
}
