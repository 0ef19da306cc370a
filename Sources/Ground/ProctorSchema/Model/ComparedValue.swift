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

    /// `count` is told how many values were looked at, and answers whether more may be.
    package init?(_ document: JSONDocument, _ index: Int, count: (Int) -> Bool) {
        guard add(document, index, count) else { return nil }
    }

    private mutating func add(_ document: JSONDocument, _ index: Int, _ count: (Int) -> Bool) -> Bool {
        guard count(1) else { return false }
        let kind = document.values[index].kind
        parts.append(.value(kind))
        switch kind {
        case .list:
            for child in document.children(of: index) where !add(document, child, count) { return false }
        case .object:
            let children = document.children(of: index).sorted {
                (document.values[$0].name ?? []).lexicographicallyPrecedes(document.values[$1].name ?? [])
            }
            for child in children {
                parts.append(.name(document.values[child].name ?? []))
                guard add(document, child, count) else { return false }
            }
        case .null, .boolean, .number, .text: return true
        }
        parts.append(.end)
        return true
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
