import ProctorBase
package import ProctorDocument
import ProctorHTTP
package import ProctorScenario

/// The keys of a body that is generated from a value, or from the request.
struct MadeBodyKeys: Sendable {
    let json = Key<Node>("json")
    let echo = Key("echo", Shape<Echo>.choice("what is sent back"))
}

enum Echo: String, CaseIterable, Sendable {
    case body, request, json

    var value: LateValue {
        switch self {
        case .body: .body
        case .request: .message
        case .json: .description
        }
    }
}

extension ScenarioReader {
    static let madeBodyTable = Table("a made body", MadeBodyKeys())

    /// `{ json: VALUE }` or `{ echo: … }`; nil where the node is neither.
    package func madeBody(_ node: Node) -> [BodyPiece]? {
        guard let entries = node.entries, entries.contains(where: { $0.key == "json" || $0.key == "echo" }) else {
            return nil
        }
        guard let keys = Self.madeBodyTable.open(node, self), !keys.hasUnknownKeys else { return [] }
        guard entries.count == 1 else {
            sink.report(entries[1].keyNode, "\(quoted(entries[1].key)) does not go with \(quoted(entries[0].key))")
            return []
        }
        if let echo = keys[\.echo] {
            guard scope.answers == .request else {
                sink.report(node, "\"echo\" means nothing here: no request is being answered")
                return []
            }
            return [.bytes(.template(Template(parts: [.value(echo.value, .none)])))]
        }
        guard let value = keys.entry(\.json)?.value else { return [] }
        return json(value).map { [.bytes(ByteSource($0))] } ?? []
    }

    /// The value as JSON; nil after a diagnostic.
    package func json(_ value: Node) -> Template? {
        var writer = JSONWriter(reader: self)
        writer.add(value)
        return writer.isGood ? Template(parts: writer.parts) : nil
    }

    /// Whether a reply's own fields say that its content is JSON (RFC 8259 §11, RFC 6839 §3.1).
    static func saysJSON(_ headers: [ReplyField]) -> Bool {
        let field = headers.first { $0.isNamed("content-type") }
        return field?.value.literalBytes.map { StructuredReply.isJSON($0) } ?? false
    }
}

extension Node {
    /// Whether the node is a body whose values are already escaped, or need no escapes.
    var isMadeBody: Bool { entries?.contains { $0.key == "json" || $0.key == "echo" || $0.key == "multipart" } == true }
}

/// Writes a value of a fixture as JSON, in the order of the file.
private struct JSONWriter {
    let reader: ScenarioReader
    private var finished: [Template.Part] = []
    private var literal: [UInt8] = []
    private(set) var isGood = true

    init(reader: ScenarioReader) {
        self.reader = reader
    }

    var parts: [Template.Part] { finished + (literal.isEmpty ? [] : [.literal(literal)]) }

    mutating func add(_ node: Node) {
        switch node.content {
        case .scalar(let text, _): add(node, text)
        case .sequence(let items):
            literal.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { literal.append(UInt8(ascii: ",")) }
                add(item)
            }
            literal.append(UInt8(ascii: "]"))
        case .mapping(let entries):
            literal.append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                if index > 0 { literal.append(UInt8(ascii: ",")) }
                literal += Self.text(Array(entry.key.utf8))
                literal.append(UInt8(ascii: ":"))
                add(entry.value)
            }
            literal.append(UInt8(ascii: "}"))
        }
    }

    private mutating func add(_ node: Node, _ text: String) {
        if node.isNull { return literal += Array("null".utf8) }
        if node.plainText != nil, Self.isLiteral(text) { return literal += Array(text.utf8) }
        guard let template = TemplateParser(scope: reader.scope, sink: reader.sink).parse(ScalarText(node, text)) else {
            isGood = false
            return
        }
        if template.parts.count == 1, case .value(let value, _) = template.parts[0], case .json = value {
            return append(.value(value, .jsonValue))
        }
        literal.append(UInt8(ascii: "\""))
        for part in template.parts {
            switch part {
            case .literal(let bytes): literal += Self.text(bytes).dropFirst().dropLast()
            case .capture(let name): append(.value(.capture(name), .jsonText))
            case .value(let value, _): append(.value(value, .jsonText))
            case .base, .origin, .authority, .host, .port, .now: append(part)
            }
        }
        literal.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ part: Template.Part) {
        if !literal.isEmpty { finished.append(.literal(literal)) }
        literal = []
        finished.append(part)
    }

    /// A string with its quotes.
    private static func text(_ bytes: [UInt8]) -> [UInt8] {
        var json = JSONText()
        json.element(String(decoding: bytes, as: UTF8.self))
        return json.bytes
    }

    /// Whether the text is a number of JSON (RFC 8259 §6), `true` or `false`.
    private static func isLiteral(_ text: String) -> Bool {
        if text == "true" || text == "false" { return true }
        let bytes = Array(text.utf8)
        var cursor = JSONCursor()
        return (try? cursor.number(bytes.span, "a number")) != nil && cursor.offset == bytes.count
    }
}
