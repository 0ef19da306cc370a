import ProctorBase
import ProctorDocument

/// A value of a JSON or YAML file with its place, so that importers read both in one way.
package struct SourceValue: Sendable {
    private let content: Content
    /// `shop.har#/log/entries/3` in JSON, `tape.yaml:12:3` in YAML.
    package let place: String

    private enum Content: Sendable {
        case json(JSONDocument, Int)
        case yaml(Node)
    }

    /// What a file may have at most: bytes, and values with those inside them.
    package struct Limits: Sendable {
        package var byteCount = 256 << 20
        package var valueCount = 4_000_000
        /// Beyond the first 100,000 values, at least so many bytes for each, since a value takes some 100 bytes of memory.
        package var bytesPerValue = 8

        package init() {}
    }

    /// Reads JSON where the first byte that is no blank opens an object or a list, else YAML.
    package init(parsing bytes: [UInt8], file: String, limits: Limits = Limits()) throws(ImportFailure) {
        guard bytes.count <= limits.byteCount else {
            throw ImportFailure(at: file, "the file has \(bytes.count) bytes; at most \(limits.byteCount) are read")
        }
        var limits = limits
        limits.valueCount = min(limits.valueCount, 100_000 + bytes.count / limits.bytesPerValue)
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            self = try Self.yaml(bytes, file: file, limits: limits)
            return
        }
        do throws(LineFault) {
            // Before anything is built of them.
            try JSONCount.check(text, limit: limits.valueCount)
            let document = try JSONDocument(parsing: text, valueLimit: limits.valueCount)
            content = .json(document, 0)
            place = "\(file)#"
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
        yaml.nodeCount = limits.valueCount
        yaml.takesBinary = true
        let document = Document.parse(bytes, file: file, limits: yaml)
        guard let root = document.root, document.diagnostics.isEmpty else {
            throw ImportFailure(document.diagnostics)
        }
        return SourceValue(content: .yaml(root), place: root.location.description)
    }

    private init(content: Content, place: String) {
        self.content = content
        self.place = place
    }

    private static func child(_ document: JSONDocument, _ index: Int, _ token: String, of place: String) -> SourceValue
    {
        SourceValue(content: .json(document, index), place: place + JSONPointer(tokens: [token]).text)
    }
}

extension SourceValue {
    /// The member of that name; nil where there is none, and where this is no object.
    package subscript(_ name: String) -> SourceValue? {
        switch content {
        case .json(let document, let index):
            guard case .object = document.values[index].kind, let child = document.child(of: index, name) else {
                return nil
            }
            return Self.child(document, child, name, of: place)
        case .yaml(let node):
            guard let entry = node.entries?.first(where: { $0.key == name }) else { return nil }
            return SourceValue(content: .yaml(entry.value), place: entry.value.location.description)
        }
    }

    /// The members in order; nil where this is no object.
    package var members: [(name: String, value: SourceValue)]? {
        switch content {
        case .json(let document, let index):
            guard case .object = document.values[index].kind else { return nil }
            return document.children(of: index).map { child in
                let name = String(decoding: document.values[child].name ?? [], as: UTF8.self)
                return (name, Self.child(document, child, name, of: place))
            }
        case .yaml(let node):
            return node.entries?.map {
                ($0.key, SourceValue(content: .yaml($0.value), place: $0.value.location.description))
            }
        }
    }

    /// The elements of a list; nil where this is none.
    package var items: [SourceValue]? {
        switch content {
        case .json(let document, let index):
            guard case .list = document.values[index].kind else { return nil }
            return document.children(of: index).enumerated().map { number, child in
                Self.child(document, child, String(number), of: place)
            }
        case .yaml(let node):
            return node.items?.map { SourceValue(content: .yaml($0), place: $0.location.description) }
        }
    }

    package var isNull: Bool {
        switch content {
        case .json(let document, let index): document.values[index].kind == .null
        case .yaml(let node): node.isNull
        }
    }

    /// The text of a scalar, of numbers and booleans too; nil for null, lists and objects.
    package var text: String? {
        switch content {
        case .json(let document, let index):
            switch document.values[index].kind {
            case .text(let bytes): String(decoding: bytes, as: UTF8.self)
            case .number, .boolean: String(decoding: document.text(of: index), as: UTF8.self)
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
        case .json(let document, let index):
            if case .text = document.values[index].kind { true } else { false }
        case .yaml(let node): node.text != nil && !node.isTyped
        }
    }

    /// The value as JSON: that of a JSON file as it stands there, that of YAML without blanks.
    package var json: String {
        switch content {
        case .json(let document, let index): return String(decoding: document.text(of: index), as: UTF8.self)
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
