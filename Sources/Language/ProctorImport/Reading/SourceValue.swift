import ProctorBase
import ProctorDocument

/// A value of a JSON or YAML file with its place, so that importers read both in one way.
package struct SourceValue: Sendable {
    private let content: Content

    private enum Content: Sendable {
        case json(JSONPlace)
        case yaml(Node)
    }

    /// What a file may have at most: bytes, and values with those inside them.
    package struct Limits: Sendable {
        package var byteCount = 256 << 20
        package var valueCount = 4_000_000
        /// Of YAML, beyond the first 100,000 values: so many bytes for each at least, since one takes 100 bytes of memory.
        package var bytesPerValue = 8

        package init() {}
    }

    /// Reads JSON where the first byte that is no blank opens an object or a list, else YAML.
    package init(parsing bytes: [UInt8], file: String, limits: Limits = Limits()) throws(ImportFailure) {
        guard bytes.count <= limits.byteCount else {
            throw ImportFailure(at: file, "the file has \(bytes.count) bytes; at most \(limits.byteCount) are read")
        }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            self = try Self.yaml(bytes, file: file, limits: limits)
            return
        }
        do throws(LineFault) {
            let document = try JSONDocument(parsing: text, valueLimit: limits.valueCount)
            content = .json(JSONPlace(document, file: file))
        } catch {
            let before = text[..<min(error.offset, text.count)]
            let line = before.count { $0 == 0x0A } + 1
            let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
            throw ImportFailure(at: "\(file):\(line):\(column)", "this is no JSON: \(error.sentence)")
        }
    }

    private static func yaml(_ bytes: [UInt8], file: String, limits: Limits) throws(ImportFailure) -> SourceValue {
        var yaml = Document.Limits()
        yaml.byteCount = limits.byteCount
        yaml.nodeCount = min(limits.valueCount, 100_000 + bytes.count / limits.bytesPerValue)
        yaml.takesTags = true
        let document = Document.parse(bytes, file: file, limits: yaml)
        guard let root = document.root, document.diagnostics.isEmpty else {
            throw ImportFailure(document.diagnostics)
        }
        return SourceValue(content: .yaml(root))
    }

    private init(content: Content) { self.content = content }

    /// `shop.har#/log/entries/3` in JSON, `tape.yaml:12:3` in YAML.
    package var place: String {
        switch content {
        case .json(let place): place.text
        case .yaml(let node): node.location.description
        }
    }
}

/// Where a value of a JSON text stands; a long list has none of them but those that somebody looks at.
private final class JSONPlace: Sendable {
    let document: JSONDocument
    let index: Int
    private let file: String
    /// The list or object around it, and which of its values this one is.
    private let parent: JSONPlace?
    private let number: Int

    /// The whole text.
    init(_ document: JSONDocument, file: String) {
        self.document = document
        self.file = file
        index = 0
        parent = nil
        number = 0
    }

    init(_ index: Int, number: Int, in parent: JSONPlace) {
        document = parent.document
        file = parent.file
        self.index = index
        self.number = number
        self.parent = parent
    }

    var value: JSONDocument.Value { document.values[index] }

    /// The file, and the pointer to the value.
    var text: String {
        var tokens: [String] = []
        var place = self
        while let parent = place.parent {
            tokens.append(place.value.name.map { String(decoding: $0, as: UTF8.self) } ?? String(place.number))
            place = parent
        }
        return "\(file)#\(JSONPointer(tokens: tokens.reversed()).text)"
    }
}

extension SourceValue {
    /// The member of that name; nil where there is none, and where this is no object.
    package subscript(_ name: String) -> SourceValue? {
        switch content {
        case .json(let place):
            guard place.value.type == .object, let child = place.document.child(of: place.index, name) else {
                return nil
            }
            return SourceValue(content: .json(JSONPlace(child, number: 0, in: place)))
        case .yaml(let node):
            return node.entries?.first { $0.key == name }.map { SourceValue(content: .yaml($0.value)) }
        }
    }

    /// The members in order; nil where this is no object.
    package var members: [(name: String, value: SourceValue)]? {
        switch content {
        case .json(let place):
            guard place.value.type == .object else { return nil }
            return place.document.children(of: place.index).map { child in
                let name = String(decoding: place.document.values[child].name ?? [], as: UTF8.self)
                return (name, SourceValue(content: .json(JSONPlace(child, number: 0, in: place))))
            }
        case .yaml(let node): return node.entries?.map { ($0.key, SourceValue(content: .yaml($0.value))) }
        }
    }

    /// The elements of a list; nil where this is none.
    package var items: [SourceValue]? { elements.map(Array.init) }

    /// The elements of a list, each made when it is asked for, as lists of millions want it; nil where this is none.
    package var elements: AnySequence<SourceValue>? {
        switch content {
        case .json(let place):
            guard place.value.type == .list else { return nil }
            return AnySequence(
                place.document.children(of: place.index).enumerated().lazy.map { number, child in
                    SourceValue(content: .json(JSONPlace(child, number: number, in: place)))
                })
        case .yaml(let node):
            return node.items.map { AnySequence($0.lazy.map { SourceValue(content: .yaml($0)) }) }
        }
    }

    package var isNull: Bool {
        switch content {
        case .json(let place): place.value.type == .null
        case .yaml(let node): node.isNull
        }
    }

    /// The text of a scalar, of numbers and booleans too; nil for null, lists and objects.
    package var text: String? {
        switch content {
        case .json(let place):
            switch place.value.type {
            case .text: place.value.text.map { String(decoding: $0, as: UTF8.self) }
            case .number, .boolean: String(decoding: place.document.text(of: place.index), as: UTF8.self)
            case .null, .list, .object: nil
            }
        case .yaml(let node): node.text
        }
    }

    /// The bytes of a scalar: of text its UTF-8, of YAML's `!!binary` what its base64 says.
    package var bytes: [UInt8]? {
        guard let text else { return nil }
        if case .yaml(let node) = content, case .scalar(_, .base64) = node.content {
            return try? Base64Text.decode(Array(text.utf8))
        }
        return Array(text.utf8)
    }

    /// Whether the bytes of a scalar are those of its letters, and not `!!binary`.
    package var isPlainText: Bool {
        guard case .yaml(let node) = content else { return text != nil }
        if case .scalar(_, .base64) = node.content { return false }
        return text != nil
    }

    /// A whole number that fits; nil for anything else.
    package var integer: Int? {
        guard let text else { return nil }
        if let number = Int(text) { return number }
        guard let number = Double(text), number.magnitude < 1e15 else { return nil }
        return Int(number)
    }

    package var boolean: Bool? { text.flatMap { $0 == "true" ? true : $0 == "false" ? false : nil } }

    /// Whether it is text in its file: in YAML a plain `12` is none.
    package var isText: Bool {
        switch content {
        case .json(let place): place.value.type == .text([])
        case .yaml(let node): node.text != nil && !node.isTyped
        }
    }

    /// The value as JSON: that of a JSON file as it stands there, that of YAML without blanks.
    package var json: String {
        switch content {
        case .json(let place): return String(decoding: place.document.text(of: place.index), as: UTF8.self)
        case .yaml(let node):
            var json = JSONText()
            node.append(to: &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }
}

extension Node {
    /// Whether a plain scalar is a number, `true` or `false` to JSON.
    fileprivate var isTyped: Bool {
        guard let text = plainText else { return false }
        return text == "true" || text == "false" || JSONDecimal(text.utf8) != nil
    }

    /// Recursion is bounded by the depth of documents.
    fileprivate func append(to json: inout JSONText) {
        if let entries {
            json.open("{")
            for entry in entries {
                json.element(entry.key)
                json.value(complete: Array(":".utf8))
                entry.value.append(to: &json)
            }
            json.close("}")
        } else if let items {
            json.list(items) { $0.append(to: &$1) }
        } else if isTyped || isNull {
            json.value(complete: Array((text ?? "null").utf8))
        } else {
            json.string(text ?? "")
        }
    }
}
