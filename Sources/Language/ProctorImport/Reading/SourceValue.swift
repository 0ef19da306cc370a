import ProctorBase
import ProctorDocument

/// A value of a JSON or YAML file with its place, so that importers read both in one way; a list of millions holds none
/// of them but those that somebody looks at.
package struct SourceValue: Sendable {
    private let position: Position

    /// What a file may have at most: bytes, and values with those inside them.
    package struct Limits: Sendable {
        package var byteCount = 256 << 20
        package var valueCount = 4_000_000

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
            position = Position(document, file: file)
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
        do throws(YAMLRefusal) {
            return SourceValue(position: Position(try YAMLValues(parsing: bytes, file: file, limits: yaml), file: file))
        } catch {
            throw ImportFailure([error.diagnostic])
        }
    }

    fileprivate init(position: Position) { self.position = position }

    /// `shop.har#/log/entries/3` in JSON, `tape.yaml:12:3` in YAML.
    package var place: String { position.text }
}

/// Where a value stands in the list of all values of its file.
private final class Position: Sendable {
    let document: JSONDocument
    let index: Int
    private let file: String
    /// The list or object around it, and which of its values this one is; nil at the top.
    private let parent: Position?
    private let number: Int
    /// The values of a YAML file, which says places by lines; nil for JSON.
    private let yaml: YAMLValues?

    init(_ document: JSONDocument, file: String) {
        (self.document, self.file) = (document, file)
        (index, parent, number, yaml) = (0, nil, 0, nil)
    }

    init(_ values: YAMLValues, file: String) {
        (document, self.file, yaml) = (values.json, file, values)
        (index, parent, number) = (0, nil, 0)
    }

    init(_ index: Int, number: Int = 0, in parent: Position) {
        (document, file, yaml) = (parent.document, parent.file, parent.yaml)
        (self.index, self.number, self.parent) = (index, number, parent)
    }

    var value: JSONDocument.Value { document.values[index] }

    /// Whether the text is base64, by YAML's `!!binary`.
    var isBinary: Bool { yaml?.isBinary(index) ?? false }

    /// The file, and the line or the pointer to the value.
    var text: String {
        if let yaml { return yaml.location(of: index).description }
        var tokens: [String] = []
        var position = self
        while let parent = position.parent {
            tokens.append(position.value.name.map { String(decoding: $0, as: UTF8.self) } ?? String(position.number))
            position = parent
        }
        return "\(file)#\(JSONPointer(tokens: tokens.reversed()).text)"
    }
}

extension SourceValue {
    /// The member of that name; nil where there is none, and where this is no object.
    package subscript(_ name: String) -> SourceValue? {
        guard position.value.type == .object, let child = position.document.child(of: position.index, name) else {
            return nil
        }
        return SourceValue(position: Position(child, in: position))
    }

    /// The members in order; nil where this is no object.
    package var members: [(name: String, value: SourceValue)]? {
        guard position.value.type == .object else { return nil }
        return position.document.children(of: position.index).map { child in
            let name = String(decoding: position.document.values[child].name ?? [], as: UTF8.self)
            return (name, SourceValue(position: Position(child, in: position)))
        }
    }

    /// The elements of a list; nil where this is none.
    package var items: SourceList? {
        position.value.type == .list ? SourceList(childrenOf: position) : nil
    }

    /// Whether it is null, or a text, a list or an object without anything in it.
    package var isEmpty: Bool {
        switch position.value.type {
        case .null: true
        case .text: position.value.isText([])
        case .list, .object: position.value.end == position.index + 1
        case .boolean, .number: false
        }
    }

    package var isNull: Bool { position.value.type == .null }

    /// The text of a scalar, of numbers and booleans too; nil for null, lists and objects.
    package var text: String? {
        switch position.value.type {
        case .text: position.value.text.map { String(decoding: $0, as: UTF8.self) }
        case .number, .boolean: String(decoding: position.document.text(of: position.index), as: UTF8.self)
        case .null, .list, .object: nil
        }
    }

    /// The bytes of a scalar: of text its UTF-8, of YAML's `!!binary` what its base64 says.
    package var bytes: [UInt8]? {
        guard let text else { return nil }
        return position.isBinary ? try? Base64Text.decode(Array(text.utf8)) : Array(text.utf8)
    }

    /// Whether the bytes of a scalar are those of its letters, and not `!!binary`.
    package var isPlainText: Bool { !position.isBinary && text != nil }

    /// A whole number that fits; nil for anything else.
    package var integer: Int? {
        guard let text else { return nil }
        if let number = Int(text) { return number }
        guard let number = Double(text), number.magnitude < 1e15 else { return nil }
        return Int(number)
    }

    package var boolean: Bool? { text.flatMap { $0 == "true" ? true : $0 == "false" ? false : nil } }

    /// Whether it is text in its file: in YAML a plain `12` is none.
    package var isText: Bool { position.value.type == .text([]) }

    /// The value as JSON: that of a JSON file as it stands there, that of YAML without blanks.
    package var json: String { String(decoding: position.document.text(of: position.index), as: UTF8.self) }
}

/// Elements of a list, each made when it is asked for: a list of millions of elements takes no memory for them.
///
/// `count` looks at each element.
package struct SourceList: Collection, ExpressibleByArrayLiteral, Sendable {
    private let content: Content

    private enum Content: Sendable {
        case children(Position)
        case given([SourceValue])
    }

    fileprivate init(childrenOf position: Position) { content = .children(position) }

    /// A list that stands in no file.
    package init(arrayLiteral elements: SourceValue...) { content = .given(elements) }

    /// Where an element stands among all values of the file, and its number in the list.
    package struct Index: Comparable, Sendable {
        fileprivate let place: Int
        fileprivate let number: Int

        package static func < (left: Index, right: Index) -> Bool { left.number < right.number }
    }

    package var startIndex: Index {
        switch content {
        case .children(let list): index(list.index + 1, 0, in: list)
        case .given(let values): Index(place: values.isEmpty ? Self.end : 0, number: values.isEmpty ? Self.end : 0)
        }
    }

    package var endIndex: Index { Index(place: Self.end, number: Self.end) }

    private static let end = Int.max

    private func index(_ place: Int, _ number: Int, in list: Position) -> Index {
        place < list.value.end ? Index(place: place, number: number) : endIndex
    }

    package func index(after index: Index) -> Index {
        let number = index.number + 1
        switch content {
        case .children(let list): return self.index(list.document.values[index.place].end, number, in: list)
        case .given(let values): return number < values.count ? Index(place: number, number: number) : endIndex
        }
    }

    package subscript(_ index: Index) -> SourceValue {
        switch content {
        case .children(let list): SourceValue(position: Position(index.place, number: index.number, in: list))
        case .given(let values): values[index.place]
        }
    }
}
