import ProctorBase
package import ProctorDocument
package import ProctorScenario

/// The forms of bytes other than text: exactly one of them, some with `times` or `bytes`.
struct ByteKeys: Sendable {
    let text = Key("text", Shape<String>.text("text"))
    let hex = Key(
        "hex",
        Shape<[UInt8]>.encoded("hexadecimal digits") {
            (bytes) throws(EncodedTextError) in try HexText.decode(bytes)
        })
    let base64 = Key(
        "base64",
        Shape<[UInt8]>.encoded("base64") {
            (bytes) throws(EncodedTextError) in try Base64Text.decode(bytes)
        })
    let file = Key<SidecarFile>("file") { $1.sidecar($0) }
    let `repeat` = Key("repeat", Shape<String>.nonEmptyText("the text to repeat"))
    let pattern = Key("pattern", Shape<OffsetPattern>.choice("a pattern"))
    let macbinary = Key("macbinary", ScenarioReader.macBinary.shape)
    let binhex = Key("binhex", ScenarioReader.binHex.shape)
    let values = Key("values", Shape<Bool>.boolean("values"))
    let times = Key("times", Shape<Int>.byteCount("times"))
    let bytes = Key("bytes", Shape<Int>.byteCount("bytes"))
}

extension Shape where Value == [UInt8] {
    fileprivate static func encoded(
        _ what: String, decode: @escaping @Sendable ([UInt8]) throws(EncodedTextError) -> [UInt8]
    ) -> Shape {
        Shape { node, reader in
            guard let text = reader.sink.text(node, what) else { return nil }
            do throws(EncodedTextError) {
                return try decode(Array(text.utf8))
            } catch {
                return reader.sink.refuse(node.location(ofTextOffset: error.offset), error.sentence)
            }
        }
    }
}

extension Shape where Value == ByteSource {
    /// Bytes in any form; `what` is the noun in messages: `a body`.
    package static func bytes(_ what: String) -> Shape {
        Shape(.named("bytes")) { node, reader in reader.bytes(node, what) }
    }
}

extension ScenarioReader {
    static let bytesTable = Table("bytes", ByteKeys())

    /// A file of the classic Mac OS, packed.
    package static let macBinary = LanguageSlot<[UInt8]>("MacBinary")
    package static let binHex = LanguageSlot<[UInt8]>("BinHex")

    /// The keys that stand beside a form.
    private static let companions: [String: Set<String>] = [
        "file": ["values"], "repeat": ["times", "bytes"], "pattern": ["bytes"],
    ]

    private static let byteForms = ["text", "hex", "base64", "file", "repeat", "pattern", "macbinary", "binhex"]

    /// Bytes in any form; `what` is the noun in messages: `a body`.
    package func bytes(_ node: Node, _ what: String) -> ByteSource? {
        if let text = node.text {
            return TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text)).map { ByteSource($0) }
        }
        guard let entries = node.entries else {
            return sink.refuse(
                node,
                "expected \(what) as text or as a mapping with one of \(Self.byteForms.joined(separator: ", ")), "
                    + "found \(node.found)", hint: node.items == nil ? nil : JSONHint.text(node))
        }
        if entries.allSatisfy({ NearestName.find($0.key, in: Self.byteForms + ["times", "bytes"]) == nil }) {
            return sink.refuse(
                node, "expected \(what), found a mapping with none of \(Self.byteForms.joined(separator: ", "))",
                hint: JSONHint.text(node))
        }
        guard let keys = Self.bytesTable.called(what).open(node, self), !keys.hasUnknownKeys else { return nil }
        let forms = keys.entries.filter { Self.byteForms.contains($0.key) }
        guard forms.count == 1, let form = forms.first else {
            return sink.refuse(
                node, "\(what) needs exactly one of \(Self.byteForms.joined(separator: ", ")), found \(forms.count)")
        }
        for entry in keys.entries where ["times", "bytes", "values"].contains(entry.key) {
            guard (Self.companions[form.key] ?? []).contains(entry.key) else {
                return sink.refuse(entry.keyNode, "\(quoted(entry.key)) does not go with \(quoted(form.key))")
            }
        }
        switch form.key {
        case "text": return keys[\.text].map { .literal(Array($0.utf8)) }
        case "hex": return keys[\.hex].map { .literal($0) }
        case "base64": return keys[\.base64].map { .literal($0) }
        case "file" where keys[\.values] == true: return template(ofFile: form.value)
        case "file": return keys[\.file].map { .file($0) }
        case "repeat": return repeated(keys)
        case "macbinary": return keys[\.macbinary].map { .literal($0) }
        case "binhex": return keys[\.binhex].map { .literal($0) }
        default: return pattern(keys)
        }
    }

    /// The text of a file, in which late values are filled in.
    private func template(ofFile node: Node) -> ByteSource? {
        guard let (path, bytes) = sidecarText(node, byteLimit: 1 << 20) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return sink.refuse(node, "the file is no text in UTF-8, so that no values can be filled in")
        }
        let place = ScalarText(node, text, ofFile: path)
        return TemplateParser(scope: scope, sink: sink).parse(place).map { ByteSource($0) }
    }

    private func repeated(_ keys: Mapping<ByteKeys>) -> ByteSource? {
        guard let unit = keys[\.repeat].map({ Array($0.utf8) }) else { return nil }
        switch (keys.entry(\.times)?.value, keys.has(\.bytes)) {
        case (let times?, false):
            let most = Bounds.bodyByteCount / unit.count
            return sink.integer(times, "times", in: 0...most).map { .repeated(unit: unit, byteCount: $0 * unit.count) }
        case (nil, true):
            return keys[\.bytes].map { .repeated(unit: unit, byteCount: $0) }
        default:
            return sink.refuse(keys.node, "\"repeat\" needs one of \"times\" and \"bytes\" beside it")
        }
    }

    private func pattern(_ keys: Mapping<ByteKeys>) -> ByteSource? {
        let pattern = keys[\.pattern]
        guard keys.has(\.bytes) else { return sink.refuse(keys.node, "\"pattern\" needs \"bytes\" beside it") }
        guard let byteCount = keys[\.bytes], let pattern else { return nil }
        return .pattern(pattern, byteCount: byteCount)
    }

    /// Inspects the file beside the fixture without reading it.
    func sidecar(_ node: Node) -> SidecarFile? {
        guard let name = sink.nonEmptyText(node, "a file name") else { return nil }
        guard let folder = file.folder, let root = file.root else {
            return sink.refuse(node, "a scenario that is not in a file cannot name files")
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !parts.contains(".."), !name.utf8.contains(0) else {
            return sink.refuse(
                node, "the file \(quoted(name)) escapes the folder of the fixture",
                hint: "name a file beside the fixture or below, without ..")
        }
        let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        do {
            let status = try FileBytes.status(path)
            guard status.kind == .regular else {
                return sink.refuse(node, "the file \(quoted(name)) is not a regular file")
            }
            let real = try FileBytes.resolve(path)
            guard root == "/" || real.hasPrefix(root + "/") else {
                return sink.refuse(
                    node, "the file \(quoted(name)) escapes the folder of the fixtures by a symbolic link",
                    hint: "copy it below \(root)")
            }
            guard FileBytes.isReadable(path) else {
                return sink.refuse(node, "the file \(quoted(name)) cannot be read by this user")
            }
            guard status.byteCount <= Bounds.bodyByteCount else {
                return sink.refuse(
                    node,
                    "the file \(quoted(name)) has \(status.byteCount) bytes; "
                        + "at most \(Bounds.bodyByteCount) are permitted")
            }
            // A file that is written again makes another scenario, since only the file that was loaded is sent.
            fingerprint.mix("\(path) \(status.identity)".utf8)
            return SidecarFile(
                path: path, byteCount: status.byteCount, location: node.location,
                loaded: SidecarFile.Loaded(realPath: real, identity: status.identity))
        } catch {
            let reason = "the file \(quoted(name)) cannot be used: \(error.text)"
            return sink.refuseFile(
                node,
                for: Diagnostic(
                    location: node.location, sentence: reason, hint: "looked for \(path)",
                    isTransient: error.isTransient))
        }
    }

    /// Bytes in any form, read at loading; `what` is the noun in messages without an article: `the extra field`.
    package func literal(_ node: Node, _ what: String, limit: Int) -> [UInt8]? {
        var scope = TemplateScope(origins: originNames, captures: nil, allowsNow: false)
        scope.isLiteral = true
        guard let source = with(scope).bytes(node, what) else { return nil }
        if let count = source.byteCount, count > limit {
            return sink.refuse(node, "\(what) has \(count) bytes; at most \(limit) are permitted")
        }
        guard literals.spend(source.byteCount ?? 0) else {
            return sink.refuse(
                node, "all that is made while this file is loaded has more than \(literals.byteCount) bytes",
                hint: "make several scenarios of it")
        }
        switch source {
        case .literal(let bytes): return bytes
        case .template(let template): return template.literalBytes
        case .repeated(let unit, let byteCount): return Self.repeating(unit, byteCount)
        case .pattern(let pattern, let byteCount): return (0..<byteCount).map { pattern.byte(at: $0) }
        case .file(let file):
            do throws(Diagnostic) {
                let bytes = try FileBytes.read(file.path, limit: limit)
                // The bytes are sent from memory, so other content makes another scenario.
                fingerprint.mix(bytes)
                return bytes
            } catch {
                return sink.refuseFile(node, for: error, of: file.path)
            }
        }
    }

    private static func repeating(_ unit: [UInt8], _ byteCount: Int) -> [UInt8] {
        var block = unit
        while block.count < min(byteCount, 1 << 16), !block.isEmpty { block += block }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        while bytes.count < byteCount, !block.isEmpty { bytes += block.prefix(byteCount - bytes.count) }
        return bytes
    }
}

enum JSONHint {
    private static let longest = 120

    /// The hint: `if JSON is meant, quote it: '{"a": 1}'`.
    static func text(_ node: Node) -> String {
        let json = json(node)
        guard json.utf8.count <= longest else {
            return "if JSON is meant, write it between single quotes, or behind | on lines of its own"
        }
        let parts = json.split(separator: "'", omittingEmptySubsequences: false)
        return "if JSON is meant, quote it: '\(parts.joined(separator: "''"))'"
    }

    static func json(_ node: Node) -> String {
        switch node.content {
        case .scalar(let text, _):
            if node.isNull { return "null" }
            if node.plainText != nil, isLiteral(text) { return text }
            return string(text)
        case .sequence(let items):
            return "[" + items.map(json).joined(separator: ", ") + "]"
        case .mapping(let entries):
            let members = entries.map { "\(string($0.key)): \(json($0.value))" }
            return "{" + members.joined(separator: ", ") + "}"
        }
    }

    private static func isLiteral(_ text: String) -> Bool {
        if ["true", "false"].contains(text) { return true }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
        return areDigits && (parts[0] == "0" || !parts[0].hasPrefix("0"))
    }

    private static func string(_ text: String) -> String {
        var json = JSONText()
        json.element(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
