/// JSON Schema as a value; members keep their order.
enum Schema: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number with a fraction, as text.
    case decimal(String)
    case text(String)
    case list([Schema])
    case object([(key: String, value: Schema)])

    /// A reference to the definition of that name.
    static func ref(_ name: String) -> Schema { ["$ref": .text("#/definitions/\(name)")] }

    static func words(_ words: [String]) -> Schema { ["enum": .list(words.map { .text($0) })] }

    static func number(_ range: ClosedRange<Int>) -> Schema {
        ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }

    /// `limits` holds `minItems` and similar.
    static func items(_ items: Schema, _ limits: Schema) -> Schema {
        Schema.object([(key: "type", value: "array"), (key: "items", value: items)]).adding(limits)
    }

    /// One item or a list; `limits` holds `minItems` and similar.
    static func oneOrMore(_ item: Schema, _ limits: Schema) -> Schema {
        ["oneOf": [item, items(item, limits)]]
    }

    static func required(_ keys: String...) -> Schema { ["required": .list(keys.map { .text($0) })] }

    /// Alternatives, each of which requires one of the keys.
    static func requiring(_ keys: String...) -> Schema { .list(keys.map { .required($0) }) }

    /// Any scalar; `limits` holds `pattern`, `maxLength` and similar.
    static func scalar(_ limits: Schema) -> Schema {
        Schema.object([(key: "type", value: ["string", "number", "boolean"])]).adding(limits)
    }

    static let line = scalar(["pattern": "^[^\\r\\n]*$"])

    /// An object with the members of both.
    func adding(_ other: Schema) -> Schema {
        guard case .object(let members) = self, case .object(let others) = other else { return self }
        return .object(members + others)
    }

    /// Adds a description; a `$ref` allows no other members, so it is wrapped.
    func described(_ sentence: String) -> Schema {
        guard !sentence.isEmpty, case .object(let members) = self else { return self }
        let description: Schema = ["description": .text(Self.plain(sentence))]
        return members.first?.key == "$ref" ? description.adding(["allOf": [self]]) : description.adding(self)
    }

    /// Removes backticks and link targets.
    private static func plain(_ markdown: String) -> String {
        var text = ""
        var rest = markdown[...]
        while let character = rest.popFirst() {
            if character == "]", rest.first == "(", let end = rest.firstIndex(of: ")") {
                rest = rest[rest.index(after: end)...]
            } else if character == "[", let close = rest.firstIndex(of: "]"), rest[close...].hasPrefix("](") {
                continue
            } else if character != "`" {
                text.append(character)
            }
        }
        return text
    }
}

extension Schema: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: Schema...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, Schema)...) {
        self = .object(elements.map { (key: $0.0, value: $0.1) })
    }
    init(nilLiteral: ()) { self = .null }
}

extension Schema {
    func text(indent: String = "") -> String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .integer(let value): return String(value)
        case .decimal(let text): return text
        case .text(let text): return Self.quoted(text)
        case .list(let items):
            let line = "[" + items.map { $0.text() }.joined(separator: ", ") + "]"
            if line.utf8.count + indent.utf8.count <= 100, !line.contains("\n") { return line }
            return block("[]", items.map { $0.text(indent: indent + "  ") }, indent: indent)
        case .object(let members):
            guard !members.isEmpty else { return "{}" }
            if members.count == 1, let member = members.first {
                let line = "{ \(Self.quoted(member.key)): \(member.value.text()) }"
                if line.utf8.count + indent.utf8.count <= 100, !line.contains("\n") { return line }
            }
            let lines = members.map { "\(Self.quoted($0.key)): \($0.value.text(indent: indent + "  "))" }
            return block("{}", lines, indent: indent)
        }
    }

    /// `brackets` are the opening and the closing one.
    private func block(_ brackets: String, _ lines: [String], indent: String) -> String {
        "\(brackets.prefix(1))\n" + lines.map { "\(indent)  \($0)" }.joined(separator: ",\n")
            + "\n\(indent)\(brackets.suffix(1))"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            default:
                if scalar.value < 0x20 {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
