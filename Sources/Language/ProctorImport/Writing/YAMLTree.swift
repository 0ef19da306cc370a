import ProctorBase
import ProctorDocument

/// A value to be written as YAML.
package indirect enum YAMLTree: Sendable, Hashable {
    /// Text whatever it looks like.
    case text(String)
    /// Written as it is: a number, `true`, `null`, `any string`.
    case plain(String)
    case list([YAMLTree])
    case map([Member])

    package struct Member: Sendable, Hashable {
        package let key: String
        package let value: YAMLTree

        package init(_ key: String, _ value: YAMLTree) {
            (self.key, self.value) = (key, value)
        }
    }

    package static let null = YAMLTree.plain("null")

    /// Bytes that are no text.
    package static func base64(_ bytes: [UInt8]) -> YAMLTree { ["base64": .text(Base64Text.encode(bytes))] }

    /// Bytes that mean themselves: text, in which `{{` has no meaning, or else base64.
    static func bytes(_ bytes: [UInt8]) -> YAMLTree {
        guard let text = String(validUTF8: bytes) else { return .base64(bytes) }
        return text.contains(text: "{{") ? ["text": .text(text)] : .text(text)
    }

    /// An element of `interim`.
    static func interim(_ status: Int, _ headers: [Member]) -> YAMLTree {
        let status = YAMLTree.plain(String(status))
        return headers.isEmpty ? status : ["status": status, "headers": .list(headers.map { .map([$0]) })]
    }
}

extension YAMLTree: ExpressibleByDictionaryLiteral {
    /// A mapping with its members in this order.
    package init(dictionaryLiteral members: (String, YAMLTree)...) {
        self = .map(members.map { Member($0, $1) })
    }
}

/// Writes values as a person does: in one line where it is short, else in a block.
struct YAMLWriter {
    private static let lineWidth = 112

    private(set) var text = ""

    /// Members of the outermost mapping, each in a block of its own.
    mutating func write(_ members: [YAMLTree.Member]) {
        for member in members { writeMember(member, indentation: 0) }
    }

    mutating func writeComment(_ comment: String) {
        for line in comment.split(separator: "\n") { text += "# \(PrintableText.sanitize(String(line)))\n" }
    }

    private mutating func writeMember(_ member: YAMLTree.Member, indentation: Int) {
        text += String(repeating: " ", count: indentation) + Self.scalar(member.key, inFlow: false) + ":"
        writeValue(member.value, indentation: indentation, column: indentation + member.key.utf8.count + 1)
    }

    /// What stands behind `key:` or `-`, with its line end.
    private mutating func writeValue(_ value: YAMLTree, indentation: Int, column: Int) {
        if let block = Self.block(value, indentation: indentation + 2) {
            text += " " + block
            return
        }
        let line = Self.line(value, width: Self.lineWidth - column - 1)
        switch value {
        case .map(let members) where line == nil && !members.isEmpty:
            text += "\n"
            for member in members { writeMember(member, indentation: indentation + 2) }
        case .list(let items) where line == nil && !items.isEmpty:
            text += "\n"
            for item in items { writeItem(item, indentation: indentation + 2) }
        default: text += " \(line ?? Self.flow(value, isInFlow: false))\n"
        }
    }

    private mutating func writeItem(_ item: YAMLTree, indentation: Int) {
        text += String(repeating: " ", count: indentation) + "-"
        guard case .map(let members) = item, let first = members.first,
            Self.line(item, width: Self.lineWidth - indentation - 2) == nil
        else {
            return writeValue(item, indentation: indentation, column: indentation + 1)
        }
        text += " " + Self.scalar(first.key, inFlow: false) + ":"
        writeValue(first.value, indentation: indentation + 2, column: indentation + first.key.utf8.count + 3)
        for member in members.dropFirst() { writeMember(member, indentation: indentation + 2) }
    }

    /// The value in one line of so many bytes; nil where it does not fit, or reads better as a block.
    private static func line(_ value: YAMLTree, width: Int) -> String? {
        // Else a long text would be quoted once for each mapping around it.
        guard leastLength(of: value, limit: width) <= width, !prefersBlock(value) else { return nil }
        let line = flow(value, isInFlow: false)
        return line.utf8.count <= width ? line : nil
    }

    /// Bytes that a line of the value has at least, without quotes and escapes; counted no further than just beyond the limit.
    private static func leastLength(of value: YAMLTree, limit: Int) -> Int {
        var length = 0
        switch value {
        case .text(let text), .plain(let text): length = text.utf8.count
        case .list(let items):
            for item in items where length <= limit { length += 2 + leastLength(of: item, limit: limit - length) }
        case .map(let members):
            for member in members where length <= limit {
                length += member.key.utf8.count + 4 + leastLength(of: member.value, limit: limit - length)
            }
        }
        return length
    }

    /// Whether it holds a text of several lines, which a block shows.
    private static func prefersBlock(_ value: YAMLTree) -> Bool {
        switch value {
        case .text(let text): isBlock(text)
        case .plain: false
        case .list(let items): items.contains(where: prefersBlock)
        case .map(let members):
            members.contains { prefersBlock($0.value) } || members.contains { $0.key == "request" } && members.count > 1
        }
    }

    /// A text of several lines that a literal scalar holds unchanged.
    private static func isBlock(_ text: String) -> Bool {
        let body = text.utf8
        guard body.dropLast().contains(0x0A), let first = body.first, first != 0x20, first != 0x0A, first != 0x09,
            !text.hasSuffix("\n\n")
        else { return false }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) where line.hasSuffix(" ") {
            return false
        }
        return text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0 == "\t"
                || $0.value >= 0x20 && $0.value != 0x7F && !(0x80..<0xA0).contains($0.value) && $0.value != 0xFEFF
                    && $0.value != 0x2028 && $0.value != 0x2029
        }
    }

    private static func block(_ value: YAMLTree, indentation: Int) -> String? {
        guard case .text(let text) = value, isBlock(text) else { return nil }
        let isEnded = text.hasSuffix("\n")
        var block = isEnded ? "|\n" : "|-\n"
        for line in (isEnded ? text.dropLast() : text[...]).split(separator: "\n", omittingEmptySubsequences: false) {
            block += line.isEmpty ? "\n" : String(repeating: " ", count: indentation) + line + "\n"
        }
        return block
    }

    static func flow(_ value: YAMLTree, isInFlow: Bool) -> String {
        switch value {
        case .plain(let text): text
        case .text(let text): scalar(text, inFlow: isInFlow)
        case .list(let items): "[" + items.map { flow($0, isInFlow: true) }.joined(separator: ", ") + "]"
        case .map(let members):
            members.isEmpty
                ? "{}"
                : "{ "
                    + members.map { "\(scalar($0.key, inFlow: true)): \(flow($0.value, isInFlow: true))" }
                    .joined(separator: ", ") + " }"
        }
    }

    private static func scalar(_ text: String, inFlow: Bool) -> String {
        let isAny = text.hasPrefix("any ")
        let isBroken = inFlow && text.utf8.contains { ",[]{}".utf8.contains($0) }
        if text.hasPrefix("/"), !isBroken, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !":#".utf8.contains($0) }) {
            return text
        }
        let isSingle =
            text.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
            && text.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "'") }
        if isSingle { return "'\(text)'" }
        return isAny || isBroken ? YAMLText.quoted(text) : YAMLText.scalar(text)
    }
}
