internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

/// A structured reply with its text bound, before it is written.
///
/// What the fixture codes, and what it honours of the request, changes a draft; nothing else of it does.
struct ReplyDraft {
    private let version: [UInt8]
    private(set) var status: Int
    private var reason: [UInt8]
    /// In their order, duplicates kept.
    private(set) var fields: [Field]
    private(set) var content: ContentWalk
    private(set) var framing: StructuredReply.Framing
    /// Stands in Transfer-Encoding, before `chunked` where the body is chunked.
    private var transferCoding: [UInt8]?
    private let bodyIsGiven: Bool
    /// False where other content, or a part of it, stands in its place.
    private(set) var isWhole = true

    /// A name of any bytes and its bound value.
    struct Field {
        let name: [UInt8]
        var value: [UInt8]

        /// ASCII case aside (RFC 9110 §5.1).
        func isNamed(_ other: String) -> Bool {
            name.count == other.utf8.count
                && zip(name, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
        }

        init(_ name: [UInt8], _ value: [UInt8]) {
            self.name = name
            self.value = value
        }

        init(_ name: String, _ value: [UInt8]) {
            self.init(Array(name.utf8), value)
        }
    }

    init(_ message: StructuredReply, content: ContentWalk, _ binding: inout ReplyPlanner.Binding) {
        version = Array(message.version.utf8)
        status = message.status
        reason = Self.reason(message.reason, of: message.status)
        fields = message.headers.map { Field($0.name, binding.bytes(of: $0.value)) }
        self.content = content
        framing = message.framing
        bodyIsGiven = !message.body.isEmpty
    }

    /// The end of the body is the end of the connection.
    var endsByClose: Bool { framing == .close || framing == .unspecified && transferCoding != nil }

    /// Ends with its head (RFC 9112 §6.3), whatever was planned for a body.
    private(set) var isNotModified = false

    /// No range that was asked for is within the content, and the fixture writes the reply to that.
    var isUnsatisfied = false

    // MARK: Writing

    /// Status line and fields.
    var head: [UInt8] { Self.head(version, status, reason, lines) }

    /// All fields that are sent, the fixture's before ours.
    var lines: [Field] {
        var lines = fields
        var codings = transferCoding.map { [$0] } ?? []
        if case .chunked = framing { codings.append(Array("chunked".utf8)) }
        if !codings.isEmpty {
            lines.append(Field("Transfer-Encoding", Array(codings.joined(separator: Array(", ".utf8)))))
        }
        if saysLength { lines.append(Field("Content-Length", Array(String(content.byteCount).utf8))) }
        return lines
    }

    private var saysLength: Bool {
        switch framing {
        case .length: true
        case .unspecified:
            transferCoding == nil && !(ReplyHead.hasNoContent(status) && !bodyIsGiven)
                && !fields.contains { $0.isNamed("content-length") || $0.isNamed("transfer-encoding") }
        case .chunked, .close, .none: false
        }
    }

    private static func head(_ version: [UInt8], _ status: Int, _ reason: [UInt8], _ lines: [Field]) -> [UInt8] {
        var bytes: [UInt8] = []
        ReplyWriter.statusLine(version: version, status: status, reason: reason, into: &bytes)
        for line in lines { ReplyWriter.fieldLine(name: line.name, value: line.value, into: &bytes) }
        ReplyWriter.lineEnd(into: &bytes)
        return bytes
    }

    /// A 1xx, whole, and its fields.
    static func head(
        of interim: InterimReply, version: String, _ binding: inout ReplyPlanner.Binding
    ) -> (bytes: [UInt8], lines: [Field]) {
        let lines = interim.headers.map { Field($0.name, binding.bytes(of: $0.value)) }
        let reason = reason(interim.reason, of: interim.status)
        return (head(Array(version.utf8), interim.status, reason, lines), lines)
    }

    private static func reason(_ given: String?, of status: Int) -> [UInt8] {
        Array((given ?? StatusPhrase.registered(status) ?? "").utf8)
    }

    // MARK: Changing

    mutating func append(_ name: String, _ value: [UInt8]) {
        fields.append(Field(name, value))
    }

    /// In place of the first field of that name, or behind all of them.
    mutating func set(_ name: String, _ value: [UInt8]) {
        guard let index = fields.firstIndex(where: { $0.isNamed(name) }) else {
            return append(name, value)
        }
        fields[index].value = value
        let first = fields[...index]
        fields = first + fields[(index + 1)...].filter { !$0.isNamed(name) }
    }

    mutating func setTransferCoding(_ names: [UInt8]) {
        transferCoding = names
    }

    /// Leaves out the framing that the fixture didn't write: a 2xx to CONNECT MUST NOT have any (RFC 9110 §9.3.6).
    mutating func omitFraming() {
        if framing == .unspecified { framing = .none }
    }

    /// Another status with other content; a length that the fixture wrote itself becomes the true one.
    mutating func become(_ status: Int, _ pieces: [ContentPiece]) {
        self.status = status
        reason = Self.reason(nil, of: status)
        content = ContentWalk(pieces: pieces)
        isWhole = false
        guard fields.contains(where: { $0.isNamed("content-length") }) else { return }
        set("Content-Length", Array(String(content.byteCount).utf8))
    }

    /// 304 in place of a 200.
    mutating func becomeNotModified() {
        keepFieldsWithoutContent()
        become(304, [])
        framing = .none
        transferCoding = nil
        isNotModified = true
    }

    /// A refusal with a sentence of ours in place of the content.
    mutating func refuse(_ status: Int, _ sentence: String) {
        keepFieldsWithoutContent()
        transferCoding = nil
        append("Content-Type", Array("text/plain; charset=utf-8".utf8))
        switch framing {
        case .chunked, .close: break
        case .unspecified, .length, .none: framing = .length
        }
        become(status, [ContentPiece(Array((sentence + "\n").utf8))])
    }

    private mutating func keepFieldsWithoutContent() {
        fields = NotModified.fields(from: httpFields).map { Field($0.name, $0.bytes) }
    }

    /// As those who know the fields' meaning read them.
    var httpFields: [HTTPField] {
        fields.map { HTTPField(name: String(decoding: $0.name, as: UTF8.self), bytes: $0.value) }
    }
}
