import ProctorBase
package import ProctorHTTP

/// A frame of HTTP/2 that came or went out (RFC 9113 §4.1), or one of HTTP/3 (RFC 9114 §7.1).
///
/// Over HTTP/3 the frames of QUIC that open and end streams, and end the connection, are told too: STREAM, RESET_STREAM,
/// STOP_SENDING and CONNECTION_CLOSE (RFC 9000 §19).
public struct FrameNote: Sendable, Equatable {
    /// What all frames that are written alike share, so that the entry of a usual frame allocates nothing.
    private var form: Form
    /// Bytes of the payload, as the head says them.
    package var byteCount: Int
    /// Bytes from the first one of this direction of the connection, the preface counted, or over HTTP/3 of the stream, to the
    /// frame's first one.
    package var offset: Int
    /// 0 is the connection, or over HTTP/3 the first request; CONNECTION_CLOSE has 0.
    package var stream: UInt32

    private final class Form: Sendable, Equatable {
        let party: JournalEvent.Party
        let type: String
        let flags: [String]
        let padding: Int?
        let detail: Detail?
        let count: Int
        let isOfHTTP3: Bool
        /// A note has about 128 bytes, a flag and a setting a head of 16.
        let keptByteCount: Int

        init(
            _ party: JournalEvent.Party, _ type: String, _ flags: [String], _ padding: Int?, _ detail: Detail?,
            _ count: Int, isOfHTTP3: Bool
        ) {
            (self.party, self.type, self.flags, self.padding) = (party, type, flags, padding)
            (self.detail, self.count, self.isOfHTTP3) = (detail, count, isOfHTTP3)
            let kept =
                switch detail {
                case .settings(let settings): 32 * settings.count
                case .goAway(_, _, let bytes), .priorityUpdate(_, let bytes), .opaque(let bytes): 32 + bytes.count
                case .close(_, _, let bytes): 64 + bytes.count
                case .code, .increment, .priority, .promised, .id, .streamType, nil: 0
                }
            keptByteCount = 128 + 16 * flags.count + kept
        }

        static func == (one: Form, other: Form) -> Bool {
            one === other
                || one.party == other.party && one.type == other.type && one.flags == other.flags
                    && one.padding == other.padding && one.detail == other.detail && one.count == other.count
                    && one.isOfHTTP3 == other.isOfHTTP3
        }
    }

    /// Who sent it.
    package var party: JournalEvent.Party { form.party }
    /// IANA's name, `HEADERS`; a type without one is its number, `0x1f`.
    package var type: String { form.type }
    /// The names of the flags that are set, in the order of their bits: `END_STREAM`; one that the type does not
    /// define is its bit, `0x40`.
    package var flags: [String] { form.flags }
    /// Bytes of padding, without the byte that says their count; nil where the frame has no such byte.
    package var padding: Int? { form.padding }
    /// nil where the type has nothing to tell, and where the payload has not the form of its type.
    package var detail: Detail? { form.detail }
    /// How many frames of that party, type and stream with these flags the entry tells of: they came one after the other.
    ///
    /// The increment is that of all of them together, and all else is that of the first.
    package var count: Int { form.count }
    package var isOfHTTP3: Bool { form.isOfHTTP3 }
    /// About the bytes of memory that it keeps.
    var keptByteCount: Int { form.keptByteCount }

    /// What the payload says; content of DATA and field blocks stand in entries of their own.
    package enum Detail: Sendable, Equatable {
        /// The settings of SETTINGS without ACK, in their order; at most ``settingLimit``.
        case settings([SettingNote])
        /// The error code of RST_STREAM: its name, or its number, `0x2a`.
        case code(String)
        /// At most ``keptByteLimit`` of the debug data.
        case goAway(lastStream: UInt32, code: String, debug: [UInt8])
        /// The increment of WINDOW_UPDATE, in bytes.
        case increment(UInt32)
        /// The eight bytes of PING.
        case opaque([UInt8])
        /// The priority in PRIORITY, and in HEADERS with that flag; a weight is from 1 to 256.
        case priority(dependsOn: UInt32, isExclusive: Bool, weight: Int)
        /// The stream that PUSH_PROMISE promises.
        case promised(UInt32)
        /// At most ``keptByteLimit`` of the value (RFC 9218 §7.1).
        case priorityUpdate(stream: UInt32, value: [UInt8])
        /// Over HTTP/3, what GOAWAY, CANCEL_PUSH, MAX_PUSH_ID and PUSH_PROMISE name.
        case id(UInt64)
        /// The type of a unidirectional stream that opens: `control`, or its number, `0x21`.
        case streamType(String)
        /// The end by CONNECTION_CLOSE: a code's name in HTTP/3, or a number; at most ``keptByteLimit`` of the reason.
        case close(code: String, isOfTransport: Bool, reason: [UInt8])
    }

    /// DATA frames of one stream, those of both sides together, that have entries, beside the last one of each side.
    package static let dataEntryLimit = 64
    /// IANA's names of the error codes, in the order of their numbers (RFC 9113 §7).
    package static let codes = ErrorCode.named.map(\.description)
    /// The types of frames that a client may send on a stream.
    package static let typesOfStreams = ["DATA", "HEADERS", "PRIORITY", "RST_STREAM", "WINDOW_UPDATE", "CONTINUATION"]
    /// Settings of one frame that are kept.
    package static let settingLimit = 64
    /// Bytes of debug data, or of a priority, that are kept.
    package static let keptByteLimit = 1 << 10

    package init(
        by party: JournalEvent.Party, type: String, flags: [String] = [], stream: UInt32 = 0, byteCount: Int,
        offset: Int, padding: Int? = nil, detail: Detail? = nil, count: Int = 1, isOfHTTP3: Bool = false
    ) {
        form = Form(party, type, flags, padding, detail, count, isOfHTTP3: isOfHTTP3)
        (self.stream, self.byteCount, self.offset) = (stream, byteCount, offset)
    }

    /// The note of another frame that is written alike.
    package func placed(on stream: UInt32, byteCount: Int, at offset: Int) -> FrameNote {
        var note = self
        (note.stream, note.byteCount, note.offset) = (stream, byteCount, offset)
        return note
    }

    /// Tells of one frame more, which came behind those so far.
    package mutating func addFrame(_ detail: Detail?) {
        form = Form(
            form.party, form.type, form.flags, form.padding, detail, form.count + 1, isOfHTTP3: form.isOfHTTP3)
    }
}

/// A parameter of a SETTINGS frame (RFC 9113 §6.5.1, RFC 9114 §7.2.4).
package struct SettingNote: Sendable, Equatable {
    /// IANA's name without SETTINGS_, or the number, `0x2a`.
    package var name: String
    package var value: UInt64

    package init(_ name: String, _ value: UInt64) {
        (self.name, self.value) = (name, value)
    }
}

/// A whole field block of HTTP/2 with the way in which it was written (RFC 9113 §4.3, RFC 7541).
public struct FieldBlockNote: Sendable, Equatable {
    /// What all blocks that are written alike share, so that the entry of a repeated one allocates nothing.
    private var form: Form
    /// The stream of its frames.
    package var stream: UInt32

    private final class Form: Sendable, Equatable {
        let party: JournalEvent.Party
        let kind: SectionKind
        let frameCount: Int
        let byteCount: Int
        let itemCount: Int
        let items: [Item]
        /// A field has about 48 bytes, and a name and a value have a head of 32 each.
        let keptByteCount: Int

        init(
            _ party: JournalEvent.Party, _ kind: SectionKind, frameCount: Int, byteCount: Int, itemCount: Int,
            _ items: [Item]
        ) {
            (self.party, self.kind, self.frameCount, self.byteCount) = (party, kind, frameCount, byteCount)
            (self.itemCount, self.items) = (itemCount, items)
            keptByteCount = items.reduce(96) { sum, item in
                guard case .field(let field) = item else { return sum + 48 }
                return sum + 112 + field.name.count + field.value.count
            }
        }

        static func == (one: Form, other: Form) -> Bool {
            one === other
                || one.party == other.party && one.kind == other.kind && one.frameCount == other.frameCount
                    && one.byteCount == other.byteCount && one.itemCount == other.itemCount
                    && one.items == other.items
        }
    }

    /// Who sent it.
    package var party: JournalEvent.Party { form.party }
    package var kind: SectionKind { form.kind }
    /// Frames that the block came in.
    package var frameCount: Int { form.frameCount }
    /// Bytes of the block as it stood in the frames.
    package var byteCount: Int { form.byteCount }
    /// All items of the block, also those that are not kept.
    package var itemCount: Int { form.itemCount }
    /// The first items; at most ``itemLimit``, with ``keptByteLimit`` bytes of names and values.
    package var items: [Item] { form.items }
    /// About the bytes of memory that it keeps.
    var keptByteCount: Int { form.keptByteCount }

    /// One instruction of RFC 7541 §6.
    package enum Item: Sendable, Equatable {
        case field(Field)
        /// The table has this many bytes from here on (§6.3).
        case tableSize(Int)
    }

    package struct Field: Sendable, Equatable {
        package var name: [UInt8]
        package var value: [UInt8]
        package var representation: Representation
        /// The place in the tables of the field, or of its name; nil where the name is written.
        package var index: Int?
        /// False also where the name has an index.
        package var isNameHuffman: Bool
        /// False also where the whole field has an index.
        package var isValueHuffman: Bool

        package init(
            _ name: [UInt8], _ value: [UInt8], _ representation: Representation, index: Int? = nil,
            isNameHuffman: Bool = false, isValueHuffman: Bool = false
        ) {
            (self.name, self.value, self.representation, self.index) = (name, value, representation, index)
            (self.isNameHuffman, self.isValueHuffman) = (isNameHuffman, isValueHuffman)
        }
    }

    package enum Representation: String, Sendable, CaseIterable {
        /// A field of a table (§6.1).
        case indexed
        /// A literal that the table takes in (§6.2.1).
        case incremental
        /// A literal that stays out of the table (§6.2.2).
        case withoutIndexing = "without-indexing"
        /// A literal that stays out of the tables of everybody who sends it on (§6.2.3).
        case neverIndexed = "never-indexed"
    }

    /// Items of one block that are kept.
    package static let itemLimit = 256
    /// Bytes of all names and values of one block that are kept.
    package static let keptByteLimit = 64 << 10

    /// Keeps `items` up to the first one beyond a limit; `itemCount` counts those too that the caller left out.
    package init(
        by party: JournalEvent.Party, stream: UInt32, kind: SectionKind, frameCount: Int, byteCount: Int,
        itemCount: Int? = nil, items: [Item]
    ) {
        var rest = Self.keptByteLimit
        let kept = items.prefix(Self.itemLimit).prefix { item in
            guard case .field(let field) = item else { return true }
            rest -= field.name.count + field.value.count
            return rest >= 0
        }
        form = Form(
            party, kind, frameCount: frameCount, byteCount: byteCount, itemCount: max(itemCount ?? 0, items.count),
            Array(kept))
        self.stream = stream
    }

    /// Returns the same block on another stream.
    package func placed(on stream: UInt32) -> FieldBlockNote {
        var note = self
        note.stream = stream
        return note
    }

    /// Returns the same block in so many frames.
    package func inFrames(_ frameCount: Int) -> FieldBlockNote {
        guard frameCount != self.frameCount else { return self }
        var note = self
        note.form = Form(
            party, kind, frameCount: frameCount, byteCount: byteCount, itemCount: itemCount, items)
        return note
    }

    /// The kept fields in their order.
    package var fields: [Field] {
        items.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }
}

/// A departure of the client's frames from RFC 9113, RFC 7541, RFC 8441 or RFC 9218.
public struct FrameViolationNote: Sendable, Equatable {
    /// `wrong-length`; the names are stable for ever.
    package var kind: String
    /// `RFC 9113 §6.5`.
    package var section: String
    /// What is wrong, for a person.
    package var sentence: String
    /// Bytes from the client's first one, the preface counted, to the frame.
    package var offset: Int
    /// The stream of the frame; 0 is the connection.
    package var stream: UInt32
    /// The type of the frame, as in ``FrameNote/type``.
    package var frame: String
    package var scope: ViolationScope
    /// The name of the error code that answers it; nil where nothing does.
    package var code: String?
    /// Whether nothing ended in spite of the scope, since the origin accepts anything.
    package var isReadOver: Bool

    package init(
        _ kind: String, section: String, sentence: String, at offset: Int, stream: UInt32, frame: String,
        scope: ViolationScope,
        code: String? = nil, isReadOver: Bool = false
    ) {
        (self.isReadOver, self.kind, self.section, self.sentence) = (isReadOver, kind, section, sentence)
        (self.offset, self.stream, self.frame, self.scope, self.code) = (offset, stream, frame, scope, code)
    }
}

extension FrameViolationNote: CustomStringConvertible {
    /// Whether the stream or the connection ended because of it.
    package var isFatal: Bool { scope != .none && !isReadOver }

    /// `wrong-length at byte 24: … (RFC 9113 §6.4)`.
    public var description: String { "\(kind) at byte \(offset): \(sentence) (\(section))" }
}

extension FrameViolationNote {
    /// Every ``kind`` that the server notes, in the order of its list, which a test compares; fixtures and facts name
    /// them.
    package static let kinds = TableCells.kinds(of: "http2-violations")
}
