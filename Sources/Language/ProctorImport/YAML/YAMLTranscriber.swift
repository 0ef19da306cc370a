internal import ProctorBase
internal import ProctorDocument

/// What was made of a YAML file: a JSON text, and the places of its values.
struct YAMLTranscript {
    var text: [UInt8] = []
    var places: PlaceTable
    /// Values with `!!binary`.
    var binaries = AscendingIndexes()
    var valueCount = 0
}

/// Writes the JSON text of a YAML file while libyaml reads it; its own memory is bounded by the depth and ``anchorBound``.
struct YAMLTranscriber: ~Copyable {
    private var parser: YAMLParser
    private let source: SourceFile
    private let limits: Document.Limits
    private var made: YAMLTranscript
    private var open: [Container] = []
    /// Complete values by anchor.
    private var anchors: [String: Anchored] = [:]

    private struct Container {
        let isMapping: Bool
        let anchor: String?
        /// Where it begins in the text, and its number.
        let textOffset: Int
        let index: Int
        /// Whether the next node of a mapping is a key.
        var wantsKey: Bool
        var isEmpty = true
    }

    private enum Anchored {
        case scalar(Scalar)
        /// Its part of the text, and its values.
        case container(text: Range<Int>, values: Range<Int>)
    }

    private struct Scalar {
        let text: String
        let style: Node.Style
        let isBinary: Bool
        let offset: Int
    }

    /// Names of anchors that are kept, at 100 bytes each.
    private static let anchorBound = 100_000
    /// Bytes of the text beyond one and a half times the file's; only aliases and escapes make it so long.
    private static let reserveByteCount = 16 << 20

    init(parser: consuming YAMLParser, source: SourceFile, limits: Document.Limits) {
        self.parser = parser
        self.source = source
        self.limits = limits
        made = YAMLTranscript(places: PlaceTable(reserving: min(limits.nodeCount, source.bytes.count) * 2))
        made.text.reserveCapacity(source.bytes.count + source.bytes.count / 8 + 64)
    }

    /// The only document of the file, or its first mistake.
    mutating func transcript() -> Result<YAMLTranscript, YAMLRefusal> {
        do throws(YAMLRefusal) {
            _ = try next()
            guard case .documentStart = try next() else {
                throw YAMLRefusal(Diagnostic(path: source.path, sentence: DocumentSentence.empty))
            }
            repeat {
                try append(next())
            } while !open.isEmpty
            _ = try next()
            if case .documentStart(let offset) = try next() {
                throw refusal(at: offset, DocumentSentence.second, hint: DocumentSentence.secondHint)
            }
            return .success(made)
        } catch {
            return .failure(error)
        }
    }

    private mutating func next() throws(YAMLRefusal) -> YAMLEvent {
        do {
            return try parser.next()
        } catch {
            throw YAMLRefusal(error.diagnostic(in: source))
        }
    }

    private func refusal(at offset: Int, _ sentence: String, hint: String? = nil) -> YAMLRefusal {
        YAMLRefusal(Diagnostic(location: source.location(at: offset), sentence: sentence, hint: hint))
    }

    private mutating func append(_ event: YAMLEvent) throws(YAMLRefusal) {
        switch event {
        case .scalar(let text, let style, let anchor, let tag, let offset):
            let kind = tag.flatMap(RecordedTags.scalar)
            if kind == nil, let tag { throw refusal(of: tag, at: offset) }
            let scalar = Scalar(
                text: text, style: kind == .text && style == .plain ? .doubleQuoted : style, isBinary: kind == .bytes,
                offset: offset)
            try appendScalar(scalar, at: offset)
            if let anchor { try recordAnchor(.scalar(scalar), as: anchor, at: offset) }
        case .sequenceStart(let anchor, let tag, let offset):
            try openContainer(isMapping: false, anchor, tag, at: offset)
        case .mappingStart(let anchor, let tag, let offset):
            try openContainer(isMapping: true, anchor, tag, at: offset)
        case .sequenceEnd, .mappingEnd:
            let container = open.removeLast()
            made.text.append(container.isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            endValue()
            if let anchor = container.anchor {
                let text = container.textOffset..<made.text.count
                let values = container.index..<made.valueCount
                try recordAnchor(.container(text: text, values: values), as: anchor, at: source.bytes.count)
            }
        case .alias(let name, let offset): try appendAlias(name, at: offset)
        case .documentStart, .documentEnd, .streamStart, .streamEnd:
            preconditionFailure("libyaml's parser gave \(event) where a node begins")
        }
    }

    private var wantsKey: Bool { open.last?.wantsKey ?? false }

    // MARK: Values

    private mutating func beginValue(at offset: Int) throws(YAMLRefusal) {
        try count(1, at: offset)
        separate()
        made.places.append(offset)
    }

    private mutating func endValue() {
        if let last = open.indices.last, open[last].isMapping { open[last].wantsKey = true }
    }

    private mutating func recordAnchor(_ node: Anchored, as anchor: String, at offset: Int) throws(YAMLRefusal) {
        guard anchors.count < Self.anchorBound else {
            throw refusal(at: offset, "the file has more than \(Self.anchorBound) anchors")
        }
        anchors[anchor] = node
    }

    private mutating func count(_ added: Int, at offset: Int) throws(YAMLRefusal) {
        made.valueCount += added
        guard made.valueCount <= limits.nodeCount else {
            throw refusal(at: offset, DocumentSentence.tooMany(limits.nodeCount))
        }
    }

    /// A comma where the last list or mapping has elements already; a value of a mapping has its key before it.
    private mutating func separate() {
        guard let last = open.indices.last else { return }
        if !open[last].isMapping || open[last].wantsKey {
            if !open[last].isEmpty { made.text.append(UInt8(ascii: ",")) }
            open[last].isEmpty = false
        }
    }

    private func checkRoom(for byteCount: Int, at offset: Int) throws(YAMLRefusal) {
        let bound = source.bytes.count + source.bytes.count / 2 + Self.reserveByteCount
        guard made.text.count + byteCount <= bound else {
            throw refusal(at: offset, "with what aliases repeat, the file has more than \(bound) bytes")
        }
    }

    private mutating func openContainer(
        isMapping: Bool, _ anchor: String?, _ tag: String?, at offset: Int
    ) throws(YAMLRefusal) {
        if wantsKey { throw keyRefusal(at: offset, isMapping ? "a mapping" : "a list") }
        guard open.count < limits.depth else {
            throw refusal(at: offset, DocumentSentence.tooDeep(limits.depth))
        }
        let known = isMapping ? RecordedTags.mappings : RecordedTags.lists
        if let tag, tag != "!", !known.contains(DocumentTags.name(tag)) { throw refusal(of: tag, at: offset) }
        try beginValue(at: offset)
        open.append(
            Container(
                isMapping: isMapping, anchor: anchor, textOffset: made.text.count, index: made.valueCount - 1,
                wantsKey: isMapping))
        made.text.append(isMapping ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    private func refusal(of tag: String, at offset: Int) -> YAMLRefusal {
        guard DocumentTags.name(tag).hasPrefix("python/") else {
            return refusal(at: offset, DocumentSentence.tag(tag), hint: DocumentSentence.tagHint)
        }
        return refusal(
            at: offset,
            "the tag \(quoted(DocumentTags.shown(tag))) makes an object of a program in Python, and is neither made nor run here",
            hint: "write in its place what the object says: a text, a list or a mapping")
    }

    private func keyRefusal(at offset: Int, _ found: String) -> YAMLRefusal {
        refusal(at: offset, "expected a key, found \(found)", hint: "a key is text")
    }

    // MARK: Aliases

    private mutating func appendAlias(_ name: String, at offset: Int) throws(YAMLRefusal) {
        switch anchors[name] {
        case nil:
            let isInside = open.contains { $0.anchor == name }
            throw refusal(at: offset, DocumentSentence.alias(name, isInside: isInside))
        case .scalar(let scalar)?: try appendScalar(scalar, at: offset)
        case .container(let text, let values)?:
            if wantsKey {
                let isList = made.text[text.lowerBound] == UInt8(ascii: "[")
                throw keyRefusal(at: offset, isList ? "a list" : "a mapping")
            }
            try checkRoom(for: text.count, at: offset)
            try count(values.count, at: offset)
            separate()
            made.binaries.repeatIndexes(values, from: made.valueCount - values.count)
            made.places.repeatPlaces(values)
            // A slice would keep the text in use, so that each append copied all of it.
            let repeated = Array(made.text[text])
            made.text.append(contentsOf: repeated)
            endValue()
        }
    }

    /// `offset` is that of the scalar or of its alias.
    private mutating func appendScalar(_ scalar: Scalar, at offset: Int) throws(YAMLRefusal) {
        try checkRoom(for: scalar.text.utf8.count, at: offset)
        if wantsKey {
            if scalar.text == "<<", scalar.style == .plain {
                throw refusal(at: offset, DocumentSentence.merge, hint: DocumentSentence.mergeHint)
            }
            separate()
            appendText(scalar.text)
            made.text.append(UInt8(ascii: ":"))
            open[open.count - 1].wantsKey = false
            return
        }
        try beginValue(at: scalar.offset)
        if scalar.isBinary { made.binaries.append(made.valueCount - 1) }
        if scalar.style == .plain, !scalar.isBinary, let plain = Self.plainValue(scalar.text) {
            made.text.append(contentsOf: plain)
        } else {
            appendText(scalar.text)
        }
        endValue()
    }

    // MARK: Scalars

    private mutating func appendText(_ text: String) {
        made.text.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            made.text.append(contentsOf: text.utf8)
        } else {
            for byte in text.utf8 { appendEscaped(byte) }
        }
        made.text.append(UInt8(ascii: "\""))
    }

    /// One byte of a text by RFC 8259 §7.
    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): made.text.append(contentsOf: [UInt8(ascii: "\\"), byte])
        case 0x0A: made.text.append(contentsOf: "\\n".utf8)
        case 0x0D: made.text.append(contentsOf: "\\r".utf8)
        case 0x09: made.text.append(contentsOf: "\\t".utf8)
        case 0..<0x10: made.text.append(contentsOf: "\\u000\(String(byte, radix: 16))".utf8)
        case 0x10..<0x20: made.text.append(contentsOf: "\\u00\(String(byte, radix: 16))".utf8)
        default: made.text.append(byte)
        }
    }

    /// The JSON of a plain scalar that is not text; nil for text.
    private static func plainValue(_ text: String) -> String.UTF8View? {
        switch text {
        case "", "~", "null": "null".utf8
        case "true", "false": text.utf8
        default: JSONDecimal(text.utf8) == nil ? nil : text.utf8
        }
    }
}
