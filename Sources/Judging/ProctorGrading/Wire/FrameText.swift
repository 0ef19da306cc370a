import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// Frames of HTTP/2 and HTTP/3, and field blocks of HTTP/2, as sentences.
enum FrameText {
    /// `HEADERS from the client, stream 1: END_STREAM END_HEADERS, 32 bytes`.
    static func frame(_ frame: FrameNote) -> String {
        let flags = frame.flags.isEmpty ? "" : frame.flags.map { text($0) }.joined(separator: " ") + ", "
        let padding = frame.padding.map { ", \(Plural.count($0, "byte")) of padding" } ?? ""
        let detail = frame.detail.map { ", \(words($0))" } ?? ""
        let count = frame.count > 1 ? "\(frame.count) times " : ""
        return "\(count)\(text(frame.type)) \(by(frame.party))\(place(of: frame)): "
            + "\(flags)\(Plural.count(frame.byteCount, "byte"))\(padding)\(detail)"
    }

    private static func words(_ detail: FrameNote.Detail) -> String {
        switch detail {
        case .settings(let settings):
            settings.isEmpty ? "no settings" : settings.map { "\(text($0.name))=\($0.value)" }.joined(separator: " ")
        case .code(let code): text(code)
        case .goAway(let last, let code, let debug):
            "\(text(code)), last stream \(last)" + (debug.isEmpty ? "" : ", \(WireText.quoted(debug, limit: 100))")
        case .increment(let increment): "+\(increment)"
        case .opaque(let bytes): bytes.hexadecimal
        case .priority(let stream, let isExclusive, let weight):
            "depends on stream \(stream)\(isExclusive ? " alone" : ""), weight \(weight)"
        case .promised(let stream): "promises stream \(stream)"
        case .id(let id): "\(id)"
        case .streamType(let type): text(type)
        case .close(let code, let isOfTransport, let reason):
            (isOfTransport ? "transport " : "") + text(code)
                + (reason.isEmpty ? "" : ", \(WireText.quoted(reason, limit: 100))")
        case .priorityUpdate(let stream, let value): "stream \(stream) has \(WireText.quoted(value, limit: 100))"
        }
    }

    /// The frame's offset in its sender's bytes; empty for DATA and WINDOW_UPDATE, of which there are many.
    static func details(of frame: FrameNote) -> [String] {
        ["DATA", "WINDOW_UPDATE"].contains(frame.type)
            ? [] : ["from byte \(frame.offset) of what the \(frame.party.rawValue) sends"]
    }

    /// `request block from the client, stream 1: 5 fields in 1 frame of 32 bytes, 3 indexed, 2 incremental`.
    static func block(_ block: FieldBlockNote) -> String {
        let fields = block.fields
        let kinds = FieldBlockNote.Representation.allCases.compactMap { kind -> String? in
            let count = fields.count { $0.representation == kind }
            return count > 0 ? ", \(count) \(kind.rawValue)" : nil
        }
        let rest = block.itemCount - block.items.count
        return "\(block.kind.rawValue) block \(by(block.party))\(place(block.stream)): "
            + "\(Plural.count(fields.count, "field")) in \(Plural.count(block.frameCount, "frame")), "
            + "\(Plural.count(block.byteCount, "byte"))\(kinds.joined())\(rest > 0 ? ", and \(rest) more" : "")"
    }

    /// Each item as it was written: `:method: GET  (indexed 2)`.
    static func details(of block: FieldBlockNote) -> [String] {
        let rest = block.itemCount - block.items.count
        return block.items.map(item) + (rest > 0 ? ["… \(Plural.count(rest, "item")) more"] : [])
    }

    private static func item(_ item: FieldBlockNote.Item) -> String {
        switch item {
        case .tableSize(let size): return "the table has \(Plural.count(size, "byte")) from here on"
        case .field(let field):
            var words = [field.representation.rawValue]
            if let index = field.index { words.append(field.representation == .indexed ? "\(index)" : "name \(index)") }
            let coded = [field.isNameHuffman ? "name" : nil, field.isValueHuffman ? "value" : nil].compactMap(\.self)
            let huffman = coded.isEmpty ? "" : ", \(coded.joined(separator: " and ")) in Huffman code"
            let how = words.joined(separator: " ") + huffman
            return "\(WireText.escaped(field.name)): \(WireText.escaped(field.value))  (\(how))"
        }
    }

    /// `violation: wrong-length at byte 24: … (RFC 9113 §6.4), answered by GOAWAY FRAME_SIZE_ERROR`.
    static func violation(_ violation: FrameViolationNote) -> String {
        let answer =
            switch violation.scope {
            case _ where !violation.isFatal: ""
            case .none: ""
            case .stream: ", answered by RST_STREAM \(text(violation.code ?? ""))"
            case .connection: ", answered by GOAWAY \(text(violation.code ?? ""))"
            }
        let word = violation.isFatal ? "refused" : "violation"
        return "\(word): \(text(violation.description, limit: 1_000))\(answer)"
    }

    /// The place of a violation that belongs to no request: `, stream 3`, or empty for the connection.
    static func place(_ stream: UInt32) -> String { stream == 0 ? "" : ", stream \(stream)" }

    /// Over HTTP/3 the first request has stream 0.
    private static func place(of frame: FrameNote) -> String {
        frame.isOfHTTP3 && frame.type != "CONNECTION_CLOSE" ? ", stream \(frame.stream)" : place(frame.stream)
    }

    private static func by(_ party: JournalEvent.Party) -> String { party == .client ? "from the client" : "sent" }

    static func text(_ text: String, limit: Int = 100) -> String { EventText.printable(text, limit: limit) }
}

extension Sequence<UInt8> {
    /// Two digits in lower case for each byte.
    package var hexadecimal: String { map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined() }
}
