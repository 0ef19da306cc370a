import ProctorBase
package import ProctorHTTP

/// A frame of HTTP/2 that came or went out (RFC 9113 §4.1), or one of HTTP/3 (RFC 9114 §7.1).
///
/// Over HTTP/3 the frames of QUIC that open and end streams, and end the connection, are told too: STREAM, RESET_STREAM,
/// STOP_SENDING and CONNECTION_CLOSE (RFC 9000 §19).
public struct FrameNote: Sendable, Equatable {
    /// Who sent it.
    package var party: JournalEvent.Party
    /// IANA's name, `HEADERS`; a type without one is its number, `0x1f`.
    package var type: String
    /// The names of the flags that are set, in the order of their bits: `END_STREAM`; one that the type does not
    /// define is its bit, `0x40`.
    package var flags: [String]
    /// 0 is the connection, or over HTTP/3 the first request; CONNECTION_CLOSE has 0.
    package var stream: UInt32
    /// Bytes of the payload, as the head says them.
    package var byteCount: Int
    /// Bytes from the first one of this direction of the connection, the preface counted, or over HTTP/3 of the stream, to the
    /// frame's first one.
    package var offset: Int
    /// Bytes of padding, without the byte that says their count; nil where the frame has no such byte.
    package var padding: Int?
    /// nil where the type has nothing to tell, and where the payload has not the form of its type.
    package var detail: Detail?
    /// How many frames of that party, type and stream with these flags the entry tells of: they came one after the other.
    ///
    /// The increment is that of all of them together, and all else is that of the first.
    package var count = 1
    package var isOfHTTP3 = false

    /// What the payload says; content of DATA and field blocks stand in entries of their own.
    package enum Detail: Sendable, Equatable {
        /// Of SETTINGS without ACK, in their order; at most ``settingLimit``.
        case settings([SettingNote])
        /// Of RST_STREAM: the name of the error code, or its number, `0x2a`.
        case code(String)
        /// At most ``keptByteLimit`` of the debug data.
        case goAway(lastStream: UInt32, code: String, debug: [UInt8])
        /// Of WINDOW_UPDATE, in bytes.
        case increment(UInt32)
        /// The eight bytes of PING.
        case opaque([UInt8])
        /// Of PRIORITY, and of HEADERS with that flag; a weight is from 1 to 256.
        case priority(dependsOn: UInt32, isExclusive: Bool, weight: Int)
        /// The stream that PUSH_PROMISE promises.
        case promised(UInt32)
        /// At most ``keptByteLimit`` of the value (RFC 9218 §7.1).
        case priorityUpdate(stream: UInt32, value: [UInt8])
        /// Over HTTP/3, what GOAWAY, CANCEL_PUSH, MAX_PUSH_ID and PUSH_PROMISE name.
        case id(UInt64)
        /// Of a unidirectional stream that opens: `control`, or its number, `0x21`.
        case streamType(String)
        /// Of CONNECTION_CLOSE: the name of a code of HTTP/3, or a number; at most ``keptByteLimit`` of the reason.
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
        (self.isOfHTTP3, self.count, self.party, self.type, self.flags) = (isOfHTTP3, count, party, type, flags)
        (self.stream, self.byteCount, self.offset, self.padding) = (stream, byteCount, offset, padding)
        self.detail = detail
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
    /// Who sent it.
    package var party: JournalEvent.Party
    /// The stream of its frames.
    package var stream: UInt32
    package var kind: SectionKind
    /// Frames that the block came in.
    package var frameCount: Int
    /// Bytes of the block as it stood in the frames.
    package var byteCount: Int
    /// All items of the block, also those that are not kept.
    package var itemCount: Int
    /// The first items; at most ``itemLimit``, with ``keptByteLimit`` bytes of names and values.
    package var items: [Item]

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
        (self.party, self.stream, self.kind, self.frameCount) = (party, stream, kind, frameCount)
        self.byteCount = byteCount
        self.itemCount = max(itemCount ?? 0, items.count)
        var rest = Self.keptByteLimit
        self.items = Array(
            items.prefix(Self.itemLimit).prefix { item in
                guard case .field(let field) = item else { return true }
                rest -= field.name.count + field.value.count
                return rest >= 0
            })
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
