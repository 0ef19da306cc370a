import ProctorBase
import ProctorDocument
import ProctorImport

extension ReaderRunner {
    static let document: [String: DataReader] = [
        // YAML. Words: `tree` (its values), `bytes N`, `nodes N` (bounds).
        "document": .whole { input, block in
            var limits = Document.Limits()
            limits.byteCount = try block.number(of: "bytes") ?? limits.byteCount
            limits.nodeCount = try block.number(of: "nodes") ?? limits.nodeCount
            let document = Document.parse(input, file: "a.yaml", limits: limits)
            var lines = document.diagnostics.map(\.description)
            if lines.count > 8 { lines = ["\(lines.count) messages"] + lines.suffix(2) }
            if document.root == nil, lines.isEmpty { lines.append("neither a root nor a message") }
            if document.root != nil, !lines.isEmpty { lines.append("and a root") }
            if block.has("tree"), let root = document.root { lines += DocumentLines.tree(root, depth: 0) }
            return lines.isEmpty ? ["fine"] : lines
        },
        // YAML of programs as JSON. Words: `places` (of each value, `b` behind a binary one), `nodes N` (a bound).
        "yaml-values": .whole { input, block in
            var limits = Document.Limits()
            limits.nodeCount = try block.number(of: "nodes") ?? limits.nodeCount
            do throws(YAMLRefusal) {
                let values = try YAMLValues(parsing: input, file: "a.yaml", limits: limits)
                let json = ByteText.inLine(values.json.text(of: 0))
                guard block.has("places") else { return [json] }
                let places = values.json.values.indices.map { index in
                    let place = values.location(of: index)
                    return "\(place.line):\(place.column)\(values.isBinary(index) ? "b" : "")"
                }
                return [json, places.joined(separator: " ")]
            } catch {
                return [error.diagnostic.description]
            }
        },
    ]
}

/// Values of a document as lines.
enum DocumentLines {
    static func tree(_ node: Node, depth: Int, before: String = "") -> [String] {
        let indent = String(repeating: "  ", count: depth) + before
        let place = "\(node.location.line):\(node.location.column)"
        if let entries = node.entries {
            return ["\(indent)\(place) mapping"]
                + entries.flatMap { entry in
                    tree(
                        entry.value, depth: depth + 1,
                        before:
                            "\(entry.keyNode.location.line):\(entry.keyNode.location.column) \(ByteText.inLine(entry.key.utf8)): "
                    )
                }
        }
        if let items = node.items {
            return ["\(indent)\(place) list"] + items.flatMap { tree($0, depth: depth + 1) }
        }
        var line = "\(indent)\(place)"
        if case .scalar(let text, let style) = node.content { line += " \(style) '\(ByteText.inLine(text.utf8))'" }
        if node.plainText != nil { line += " plain" }
        if node.isNull { line += " null" }
        if node.text == nil { line += " no text" }
        // Where each character of a short text stands, by the lines and columns at which words begin.
        if let text = node.text, text.contains(" ") || text.contains("\n") {
            var starts: [String] = []
            var isStart = true
            for (offset, byte) in text.utf8.enumerated() {
                if isStart, byte != 0x20, byte != 0x0A {
                    let found = node.location(ofTextOffset: offset)
                    starts.append("\(found.line):\(found.column)")
                }
                isStart = byte == 0x20 || byte == 0x0A || byte == 0x09
            }
            let end = node.location(ofTextOffset: text.utf8.count)
            let (start, beyond) = (node.location(ofTextOffset: -1), node.location(ofTextOffset: text.utf8.count + 96))
            if beyond.line != end.line || start.line != node.location(ofTextOffset: 0).line { line += " out of bounds" }
            line += " words at \(starts.joined(separator: " ")), end at \(end.line):\(end.column)"
        }
        return [line]
    }
}
