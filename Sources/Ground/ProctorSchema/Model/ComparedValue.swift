package import ProctorBase
package import ProctorDocument

/// A JSON value in a form that is equal for equal values: members in the order of their names (core §4.2.2).
package struct ComparedValue: Sendable, Hashable {
    private var parts: [Part] = []

    private enum Part: Sendable, Hashable {
        case value(JSONDocument.Kind)
        case name([UInt8])
        case end
    }

    package init(_ document: JSONDocument, _ index: Int) { add(document, index) }

    private mutating func add(_ document: JSONDocument, _ index: Int) {
        let kind = document.values[index].kind
        parts.append(.value(kind))
        switch kind {
        case .list:
            for child in document.children(of: index) { add(document, child) }
        case .object:
            let members = document.children(of: index).map { (name: document.values[$0].name ?? [], value: $0) }
            for member in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
                parts.append(.name(member.name))
                add(document, member.value)
            }
        case .null, .boolean, .number, .text: return
        }
        parts.append(.end)
    }

    /// A value of a schema's `const` or `enum`, whose depth and size the document bounds.
    package init(_ node: Node) { add(node) }

    /// Its kind; nil for none, which no value is.
    package var kind: JSONDocument.Kind? {
        if case .value(let kind)? = parts.first { kind } else { nil }
    }

    private mutating func add(_ node: Node) {
        switch node.content {
        case .scalar: parts.append(.value(node.jsonKind))
        case .sequence(let items):
            parts.append(.value(.list))
            for item in items { add(item) }
            parts.append(.end)
        case .mapping(let entries):
            parts.append(.value(.object))
            for entry in entries.sorted(by: { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }) {
                parts.append(.name(Array(entry.key.utf8)))
                add(entry.value)
            }
            parts.append(.end)
        }
    }
}

extension Node {
    /// What a scalar is in JSON: unquoted numbers, `true`, `false` and null are those, everything else is text.
    package var jsonKind: JSONDocument.Kind {
        switch content {
        case .sequence: return .list
        case .mapping: return .object
        case .scalar(let text, let style):
            if isNull { return .null }
            guard style == .plain else { return .text(Array(text.utf8)) }
            if text == "true" || text == "false" { return .boolean(text == "true") }
            return JSONDecimal(text.utf8).map { .number($0) } ?? .text(Array(text.utf8))
        }
    }

    /// The value as JSON on one line, for messages and for validating what a file says.
    package var jsonText: String {
        switch content {
        case .sequence(let items): return "[" + items.map(\.jsonText).joined(separator: ",") + "]"
        case .mapping(let entries):
            return "{" + entries.map { "\(Self.quote($0.key)):\($0.value.jsonText)" }.joined(separator: ",") + "}"
        case .scalar(let text, _):
            switch jsonKind {
            case .null: return "null"
            case .text: return Self.quote(text)
            default: return text
            }
        }
    }

    private static func quote(_ text: String) -> String {
        var json = JSONText()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
