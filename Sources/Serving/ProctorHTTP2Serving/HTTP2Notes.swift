internal import ProctorBase
internal import ProctorHTTP
package import ProctorHTTP2
package import ProctorJournal
internal import ProctorReplies
internal import ProctorServing

extension FrameNote {
    /// A frame that came.
    package init(_ read: ReadFrame, by party: JournalEvent.Party) {
        let frame = read.frame
        if let usual = Self.usual(frame.type, frame.flags, by: party) {
            self = usual.placed(on: frame.stream, byteCount: read.payloadByteCount, at: read.offset)
        } else {
            self.init(frame, content: read.content, byteCount: read.payloadByteCount, at: read.offset, by: party)
        }
    }

    /// A note of HEADERS or DATA without padding and priority, of which each message has some; nil for any other frame.
    static func usual(_ type: FrameType, _ flags: FrameFlags, by party: JournalEvent.Party) -> FrameNote? {
        let isHead = type == .headers
        guard isHead || type == .data, flags.isSubset(of: isHead ? bothEnds : .endStream) else { return nil }
        return usualNotes[
            (party == .server ? 8 : 0) + (isHead ? 4 : 0) + (flags.contains(.endHeaders) ? 2 : 0)
                + (flags.contains(.endStream) ? 1 : 0)]
    }

    private static let bothEnds: FrameFlags = [.endHeaders, .endStream]

    /// The notes by sender, type and flags; those of DATA with END_HEADERS, which it has not, are never asked for.
    private static let usualNotes = [JournalEvent.Party.client, .server].flatMap { party in
        [FrameType.data, .headers].flatMap { type in
            [[], FrameFlags.endStream, .endHeaders, bothEnds].map { flags in
                FrameNote(Frame(type, flags: flags), content: nil, byteCount: 0, at: 0, by: party)
            }
        }
    }

    private init(
        _ frame: Frame, content: FrameContent?, byteCount: Int, at offset: Int, by party: JournalEvent.Party
    ) {
        self.init(
            by: party, type: frame.type.noteName, flags: frame.type.names(of: frame.flags), stream: frame.stream,
            byteCount: byteCount, offset: offset, padding: content?.padding?.byteCount,
            detail: content.flatMap { Detail($0, of: frame) })
    }
}

extension FrameNote.Detail {
    /// nil where the content has nothing to tell.
    fileprivate init?(_ content: FrameContent, of frame: Frame) {
        func kept(_ range: Range<Int>) -> [UInt8] { Array(frame.payload[range].prefix(FrameNote.keptByteLimit)) }
        switch content {
        case .data, .continuation, .unknown: return nil
        case .headers(_, let dependency, _):
            guard let dependency else { return nil }
            self.init(dependency)
        case .priority(let dependency): self.init(dependency)
        case .resetStream(let code): self = .code(code.description)
        case .settings(let settings):
            guard !frame.isAck else { return nil }
            self = .settings(
                settings.prefix(FrameNote.settingLimit).map { SettingNote($0.identifier.description, UInt64($0.value)) }
            )
        case .pushPromise(let promised, _, _): self = .promised(promised)
        case .ping(let bytes): self = .opaque(bytes)
        case .goAway(let last, let code, let debug):
            self = .goAway(lastStream: last, code: code.description, debug: kept(debug))
        case .windowUpdate(let increment): self = .increment(increment)
        case .priorityUpdate(let stream, let value): self = .priorityUpdate(stream: stream, value: kept(value))
        }
    }

    private init(_ dependency: StreamDependency) {
        self = .priority(
            dependsOn: dependency.stream, isExclusive: dependency.isExclusive, weight: dependency.weight)
    }
}

extension FrameContent {
    fileprivate var padding: Padding? {
        switch self {
        case .data(_, let padding), .headers(_, _, let padding), .pushPromise(_, _, let padding): padding
        default: nil
        }
    }
}

extension FrameType {
    /// IANA's name, or the number: `0x1f`.
    fileprivate var noteName: String {
        let name = description
        return name.hasPrefix("type ") ? String(name.dropFirst(5)) : name
    }

    /// In the order of the bits; a bit that the type does not define is its number.
    fileprivate func names(of flags: FrameFlags) -> [String] {
        (0..<8).compactMap { bit in
            let flag = FrameFlags(rawValue: 1 << bit)
            guard flags.contains(flag) else { return nil }
            return name(of: flag) ?? "0x\(flag.rawValue < 16 ? "0" : "")\(String(flag.rawValue, radix: 16))"
        }
    }

    private func name(of flag: FrameFlags) -> String? {
        switch (self, flag) {
        case (.settings, .ack), (.ping, .ack): "ACK"
        case (.data, .endStream), (.headers, .endStream): "END_STREAM"
        case (.headers, .endHeaders), (.pushPromise, .endHeaders), (.continuation, .endHeaders): "END_HEADERS"
        case (.data, .padded), (.headers, .padded), (.pushPromise, .padded): "PADDED"
        case (.headers, .priority): "PRIORITY"
        default: nil
        }
    }
}

extension FieldBlockNote {
    /// A block that came whole; without `kind` of the one that its fields were judged as.
    init(
        _ block: ConnectionEvent.FieldBlock, by party: JournalEvent.Party, stream: UInt32, kind: SectionKind? = nil
    ) {
        self.init(
            block.section, by: party, stream: stream, kind: kind ?? block.check.kind,
            frameCount: block.frameCount, byteCount: block.blockByteCount)
    }

    /// A block that was decoded whole.
    init(
        _ section: HeaderDecoder.Section, by party: JournalEvent.Party, stream: UInt32, kind: SectionKind,
        frameCount: Int,
        byteCount: Int
    ) {
        self.init(
            fields: section.fields, written: section.items, by: party, stream: stream, kind: kind,
            frameCount: frameCount, byteCount: byteCount)
    }

    /// The fields of a block with the items by which they are written.
    ///
    /// `items` may have more fields than there are in `fields`; those beyond are only counted.
    init(
        fields: [HeaderField], written items: [ProctorHTTP2.Representation], by party: JournalEvent.Party,
        stream: UInt32, kind: SectionKind, frameCount: Int, byteCount: Int
    ) {
        var rest = fields[...]
        var kept: [Item] = []
        for item in items.prefix(Self.itemLimit) {
            if item.isField {
                guard let field = rest.popFirst() else { break }
                kept.append(.field(Field(field, item.kind)))
            } else if case .tableSize(let size) = item.kind {
                kept.append(.tableSize(size))
            }
        }
        self.init(
            by: party, stream: stream, kind: kind, frameCount: frameCount, byteCount: byteCount,
            itemCount: items.count, items: kept)
    }
}

extension FieldBlockNote.Field {
    fileprivate init(_ field: HeaderField, _ kind: ProctorHTTP2.Representation.Kind) {
        guard case .literal(let indexing, let name, let value) = kind else {
            var index: Int?
            if case .indexed(let place) = kind { index = place }
            self.init(field.name, field.value, .indexed, index: index)
            return
        }
        let representation: FieldBlockNote.Representation =
            switch indexing {
            case .incremental: .incremental
            case .without: .withoutIndexing
            case .never: .neverIndexed
            }
        switch name {
        case .indexed(let index):
            self.init(field.name, field.value, representation, index: index, isValueHuffman: value.isHuffman)
        case .text(let text):
            self.init(
                field.name, field.value, representation, isNameHuffman: text.isHuffman,
                isValueHuffman: value.isHuffman)
        }
    }
}

extension FrameViolationNote {
    init(_ violation: HTTP2Violation, isReadOver: Bool = false) {
        self.init(violation, frame: violation.frame?.noteName ?? "", isReadOver: isReadOver)
    }
}
