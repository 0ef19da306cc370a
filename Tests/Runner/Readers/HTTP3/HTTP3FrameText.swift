import ProctorBase
import ProctorHTTP
import ProctorHTTP3

/// A frame of HTTP/3, or an instruction of QPACK, as words, lawful or not: `HEADERS GET`, `SETTINGS H3_DATAGRAM=1`,
/// `GOAWAY 4`, `insert a=b`.
///
/// The name of its type, or the number as `0x21`; then words in any order:
/// - `wide 8` and `type-wide 8` (bytes of the length and of the type), `stated 9` (in place of the length), `cut 1` (bytes
///   that do not come)
/// - a number, of GOAWAY, CANCEL_PUSH, MAX_PUSH_ID, PUSH_PROMISE and PRIORITY_UPDATE
/// - content: `5` (that many letters a), `hex:8286`, `text:u=3`, `[:status=200|x=y]` (a section of literals), `GET`
///   (a request), `[GET|x=y]`, `H3_DATAGRAM=0`
///
/// An instruction is `capacity 220`, `insert a=b`, `name static 1 b`, `name 0 b`, `duplicate 0`; or `ack 4`, `cancel 4`,
/// `increment 1`.
struct HTTP3FrameText {
    private var words: ArraySlice<[UInt8]>
    private var payload: [UInt8] = []
    private var settings: [HTTP3Setting] = []
    private var number: UInt64?
    private var form = HTTP3Frame.Form()
    private var cut = 0

    static func bytes(_ text: some Collection<UInt8>) throws(TextError) -> [UInt8] {
        try bytes(FrameText.words(Array(text))[...])
    }

    static func bytes(_ words: ArraySlice<[UInt8]>) throws(TextError) -> [UInt8] {
        if let instruction = try instruction(words.map { String(decoding: $0, as: UTF8.self) }) { return instruction }
        var reading = HTTP3FrameText(words: words)
        return try reading.read()
    }

    private init(words: ArraySlice<[UInt8]>) { self.words = words }

    private static let numbered: [HTTP3FrameType] = [
        .goAway, .cancelPush, .maxPushID, .pushPromise, .priorityUpdate, .pushPriorityUpdate,
    ]

    private mutating func read() throws(TextError) -> [UInt8] {
        let name = text(words.popFirst() ?? [])
        if name.hasPrefix("hex:") { return try ByteText.hexadecimal(name.dropFirst(4)) }
        let type: HTTP3FrameType
        if let known = HTTP3FrameType(named: name) {
            type = known
        } else if name.hasPrefix("0x"), let value = UInt64(name.dropFirst(2), radix: 16) {
            type = HTTP3FrameType(rawValue: value)
        } else {
            throw TextError("unknown frame \"\(name)\"; write DATA, SETTINGS … or a number such as 0x21")
        }
        if Self.numbered.contains(type), let first = words.first.flatMap({ UInt64(text($0)) }) {
            number = first
            words.removeFirst()
        }
        while let word = words.popFirst() { try add(word) }
        var frame = HTTP3Frame(type, payload)
        if type == .settings, payload.isEmpty { frame = .settings(settings) }
        if let number { frame = payload.isEmpty ? .number(type, number) : .number(type, number, then: payload) }
        var bytes: [UInt8] = []
        frame.write(form, to: &bytes)
        return bytes.dropLast(cut)
    }

    private mutating func add(_ word: [UInt8]) throws(TextError) {
        let name = text(word)
        switch name {
        case "wide": form.lengthWidth = try nextNumber()
        case "type-wide": form.typeWidth = try nextNumber()
        case "stated": form.statedByteCount = UInt64(try nextNumber())
        case "cut": cut = try nextNumber()
        case "GET": payload += Self.section(Array(FrameText.request.utf8))
        case _ where name.hasPrefix("hex:"): payload += try ByteText.hexadecimal(name.dropFirst(4))
        case _ where name.hasPrefix("text:"): payload += Array(word.dropFirst(5))
        case _ where name.hasPrefix("["): payload += Self.section(Array(word.dropFirst().dropLast()))
        default:
            if let count = Int(name) {
                payload += [UInt8](repeating: 0x61, count: count)
            } else if let sign = name.firstIndex(of: "="), let value = UInt64(name[name.index(after: sign)...]),
                let identifier = HTTP3SettingIdentifier(named: String(name[..<sign]))
                    ?? UInt64(name[..<sign].dropFirst(2), radix: 16).map({ HTTP3SettingIdentifier(rawValue: $0) })
            {
                settings.append(HTTP3Setting(identifier, value))
            } else {
                throw TextError("unknown word \"\(name)\" of a frame")
            }
        }
    }

    private mutating func nextNumber() throws(TextError) -> Int {
        let word = text(words.popFirst() ?? [])
        guard let number = Int(word) else { throw TextError("expected a number, found \"\(word)\"") }
        return number
    }

    private func text(_ word: [UInt8]) -> String { String(decoding: word, as: UTF8.self) }

    /// A field section of literals, from `name=value` separated by `|`.
    static func section(_ fields: [UInt8]) -> [UInt8] {
        let isRequest = fields.starts(with: Array("GET|".utf8))
        let all = isRequest ? Array(FrameText.request.utf8) + fields.dropFirst(3) : fields
        var section = RawSection()
        for field in EncoderLines.fields(Array("[".utf8) + all + Array("]".utf8)) {
            section.append(
                .literal(name: field.name, value: field.value, isNeverIndexed: field.isNeverIndexed))
        }
        return section.bytes
    }

    // MARK: Instructions

    /// nil where the words are no instruction.
    private static func instruction(_ words: [String]) throws(TextError) -> [UInt8]? {
        var bytes: [UInt8] = []
        func number(_ index: Int) throws(TextError) -> Int {
            guard words.indices.contains(index), let number = Int(words[index]) else {
                throw TextError("\"\(words.joined(separator: " "))\" needs a number")
            }
            return number
        }
        switch words.first {
        case "capacity": EncoderInstruction.setCapacity(try number(1)).write(to: &bytes)
        case "duplicate": EncoderInstruction.duplicate(try number(1)).write(to: &bytes)
        case "insert":
            let parts = words[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            EncoderInstruction.insert(name: Array(parts[0].utf8), value: Array(parts[1].utf8)).write(to: &bytes)
        case "name":
            let isStatic = words[1] == "static"
            EncoderInstruction.insertNamed(
                isStatic: isStatic, index: try number(isStatic ? 2 : 1), value: Array((words.last ?? "").utf8)
            ).write(to: &bytes)
        case "ack": DecoderInstruction.acknowledgeSection(stream: UInt64(try number(1))).write(to: &bytes)
        case "cancel": DecoderInstruction.cancelStream(UInt64(try number(1))).write(to: &bytes)
        case "increment": DecoderInstruction.increment(try number(1)).write(to: &bytes)
        default: return nil
        }
        return bytes
    }
}
