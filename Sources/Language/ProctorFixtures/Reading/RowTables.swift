import ProctorBase
import ProctorDocument
import ProctorScenario

/// The tables of `each`, by which one exchange or case of a file stands for many.
///
/// They are filled in before the exchange or case is read, so that every key of it takes `{{each.NAME}}`, and messages
/// have the place in the file.
struct RowTables {
    /// The most tables of one `each`.
    static let limit = 4
    /// The most bytes of the texts that one `each` makes.
    private static let byteLimit = 4 << 20

    private let tables: [RowTable]
    private let sink: DiagnosticSink
    private var used: Set<String> = []
    private var byteCount = 0

    private struct RowTable {
        let name: String
        let keyNode: Node
        let rows: [Row]
    }

    private struct Row {
        /// What the row adds to the name of its cases, and the value of `{{each.NAME}}`.
        let word: Node
        let columns: [String: Node]
    }

    /// Whether the mapping has `each`.
    static func isRepeated(_ node: Node) -> Bool { node.entries?.contains { $0.key == "each" } ?? false }

    /// What a mapping with `each` stands for: one mapping for each combination of the rows, with their words.
    ///
    /// A mapping without the key stands for itself, without words; after a diagnostic there is none.
    static func repetitions(
        of node: Node, limit: Int, _ what: String, _ reader: ScenarioReader
    ) -> [(words: [String], node: Node)] {
        guard let entries = node.entries, let each = entries.first(where: { $0.key == "each" }) else {
            return [([], node)]
        }
        guard var tables = RowTables(each.value, reader) else { return [] }
        let template = node.with(.mapping(entries.filter { $0.key != "each" }))
        return tables.repetitions(of: template, limit: limit, what, each.keyNode) ?? []
    }

    private mutating func repetitions(
        of template: Node, limit: Int, _ what: String, _ place: Node
    ) -> [(words: [String], node: Node)]? {
        let count = tables.reduce(1) { $0 * $1.rows.count }
        guard count <= limit else {
            return sink.refuse(place, "the tables make \(count) \(what); at most \(limit) are permitted in a scenario")
        }
        var result: [(words: [String], node: Node)] = []
        for number in 0..<count {
            var rest = number
            var chosen: [String: Row] = [:]
            for table in tables.reversed() {
                let (quotient, index) = rest.quotientAndRemainder(dividingBy: table.rows.count)
                chosen[table.name] = table.rows[index]
                rest = quotient
            }
            guard let node = fill(template, chosen) else { return nil }
            result.append((tables.compactMap { chosen[$0.name]?.word.text }, node))
        }
        for table in tables where !used.contains(table.name) {
            sink.report(table.keyNode, "{{each.\(table.name)}} stands nowhere, so the rows make equal \(what)")
        }
        return result
    }
}

// MARK: Reading

extension RowTables {
    /// Reads `each`; nil after a diagnostic.
    private init?(_ node: Node, _ reader: ScenarioReader) {
        let sink = reader.sink
        guard let entries = reader.entries(node, "each", from: "name to rows", limit: Self.limit, counted: "tables")
        else { return nil }
        self.sink = sink
        tables = entries.compactMap { entry in
            guard entry.key.isIdentifier else {
                return sink.refuse(
                    entry.keyNode, "\(quoted(entry.key)) cannot name a table",
                    hint: "names have a letter, then letters, digits, '-' and '_'")
            }
            return Self.rows(entry.value, sink).map { RowTable(name: entry.key, keyNode: entry.keyNode, rows: $0) }
        }
        guard tables.count == entries.count else { return nil }
        guard !entries.isEmpty else {
            sink.report(node, "each names no table", hint: "write each: { code: [301, 302] }")
            return nil
        }
    }

    private static func rows(_ node: Node, _ sink: DiagnosticSink) -> [Row]? {
        let rows: [Row?]
        if let items = node.items {
            rows = items.map { item in
                sink.text(item, "the word of a row").map { _ in Row(word: item, columns: [:]) }
            }
        } else if let entries = node.entries {
            rows = entries.map { row($0, sink) }
        } else {
            return sink.refuse(
                node, "expected rows, as a list of words or as a mapping from word to columns, found \(node.found)")
        }
        guard (1...Bounds.exchanges).contains(rows.count) else {
            return sink.refuse(node, "a table has 1 ... \(Bounds.exchanges) rows, found \(rows.count)")
        }
        let read = rows.compactMap(\.self)
        return read.count == rows.count ? read : nil
    }

    private static func row(_ entry: Node.Entry, _ sink: DiagnosticSink) -> Row? {
        guard let columns = entry.value.entries else {
            return sink.refuse(
                entry.value, "expected the columns of the row \(quoted(entry.key)), found \(entry.value.found)",
                hint: "write \(entry.key): { url: /a }, or a list of words where no row has columns")
        }
        return Row(word: entry.keyNode, columns: Dictionary(columns.map { ($0.key, $0.value) }) { _, last in last })
    }

}

extension Key<Node> {
    /// The key `each` of an exchange or a case.
    static func each(in keys: StaticString = #function) -> Key { Key("each", in: keys) }
}

// MARK: Filling in

extension RowTables {
    /// The tree with the values of the chosen rows; nil after a diagnostic.
    ///
    /// A text that is `{{each.NAME}}` alone becomes the value in the row, with its place and whatever its form is.
    private mutating func fill(_ node: Node, _ chosen: [String: Row]) -> Node? {
        switch node.content {
        case .scalar(let text, let style):
            if let name = Self.onlyName(in: text) {
                guard let value = value(name, at: node, chosen) else { return nil }
                return counted(value)
            }
            return fill(text, at: node, chosen).map { node.with(.scalar($0, style)) }
        case .sequence(let items):
            var filled: [Node] = []
            for item in items {
                guard let item = fill(item, chosen) else { return nil }
                filled.append(item)
            }
            return node.with(.sequence(filled))
        case .mapping(let entries):
            var filled: [Node.Entry] = []
            var keys: Set<String> = []
            for entry in entries {
                guard let key = fill(entry.key, at: entry.keyNode, chosen), let value = fill(entry.value, chosen)
                else { return nil }
                guard keys.insert(key).inserted else {
                    return sink.refuse(entry.keyNode, "the key \(quoted(key)) stands here twice, as a row fills it in")
                }
                filled.append(entry.with(key: key, value))
            }
            return node.with(.mapping(filled))
        }
    }

    /// The text with the texts of the chosen rows in the place of `{{each.NAME}}` and `{{each.NAME.COLUMN}}`.
    private mutating func fill(_ text: String, at node: Node, _ chosen: [String: Row]) -> String? {
        guard count(text.utf8.count, at: node) else { return nil }
        guard text.contains(text: "each.") else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstRange(ofText: "{{") {
            result += rest[..<open.lowerBound]
            rest = rest[open.lowerBound...]
            if rest.hasPrefix("{{{{") {
                result += "{{{{"
                rest = rest.dropFirst(4)
            } else if let close = rest.firstRange(ofText: "}}"),
                let name = Self.name(rest[open.upperBound..<close.lowerBound])
            {
                guard let value = value(name, at: node, chosen),
                    let text = sink.text(value, "{{each.\(name)}} in a text"),
                    count(text.utf8.count, at: node)
                else { return nil }
                result += text
                rest = rest[close.upperBound...]
            } else {
                result += rest[open]
                rest = rest[open.upperBound...]
            }
        }
        return result + rest
    }

    /// `NAME` or `NAME.COLUMN` of what stands between the braces; nil for other late-bound names.
    private static func name(_ inside: Substring) -> String? { String(inside).trimmingSpaces.dropping(prefix: "each.") }

    private static func onlyName(in text: String) -> String? {
        guard text.hasPrefix("{{"), !text.hasPrefix("{{{{"), let close = text.firstRange(ofText: "}}"),
            close.upperBound == text.endIndex
        else { return nil }
        return name(text.dropFirst(2)[..<close.lowerBound])
    }

    private mutating func value(_ name: String, at node: Node, _ chosen: [String: Row]) -> Node? {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let row = chosen[parts[0]] else {
            return sink.refuse(
                node, "there is no table \(quoted(parts[0])) under each:",
                hint: DiagnosticSink.hint(for: parts[0], among: tables.map(\.name)))
        }
        used.insert(parts[0])
        guard parts.count > 1 else { return row.word }
        if let value = row.columns[parts[1]] { return value }
        let columns = row.columns.keys.sorted()
        return sink.refuse(
            node, "the row \(quoted(row.word.text ?? "")) of \(quoted(parts[0])) has no column \(quoted(parts[1]))",
            hint: columns.isEmpty
                ? "it is a word alone: {{each.\(parts[0])}}" : DiagnosticSink.hint(for: parts[1], among: columns))
    }

    /// The value, whose texts are counted.
    private mutating func counted(_ value: Node) -> Node? {
        var nodes = [value]
        while let node = nodes.popLast() {
            guard count(node.text?.utf8.count ?? 0, at: value) else { return nil }
            nodes += node.items ?? []
            for entry in node.entries ?? [] {
                guard count(entry.key.utf8.count, at: value) else { return nil }
                nodes.append(entry.value)
            }
        }
        return value
    }

    /// Counts bytes of texts, and some for each text itself; false after a diagnostic.
    private mutating func count(_ bytes: Int, at node: Node) -> Bool {
        byteCount += bytes + 16
        if byteCount <= Self.byteLimit { return true }
        sink.report(
            node, "the texts that each: makes have more than \(Self.byteLimit) bytes",
            hint: "shorten the texts, or leave rows out")
        return false
    }
}
