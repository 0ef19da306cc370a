import ProctorBase
import ProctorDocument

/// What to write in place of JSON that YAML has taken apart.
enum JSONHint {
    private static let longest = 120

    /// `if JSON is meant, quote it: '{"a": 1}'`.
    static func text(_ node: Node) -> String {
        let json = json(node)
        guard json.utf8.count <= longest else {
            return "if JSON is meant, write it between single quotes, or behind | on lines of its own"
        }
        let parts = json.split(separator: "'", omittingEmptySubsequences: false)
        return "if JSON is meant, quote it: '\(parts.joined(separator: "''"))'"
    }

    private static func json(_ node: Node) -> String {
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

    /// Whether JSON writes it without quotes, too.
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
