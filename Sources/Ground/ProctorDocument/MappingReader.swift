import ProctorBase

/// A mapping with known keys; unknown ones are reported by the initialiser.
package struct MappingReader {
    /// Messages about missing keys have the place of this node.
    package let node: Node
    /// The entries with known keys.
    package let entries: [Node.Entry]
    private let what: String
    private let sink: DiagnosticSink
    /// The keys that unknown ones are probably meant to be, so that nothing is said of their absence.
    private let meant: Set<String>

    /// Reports a node that is no mapping, and returns nil; reports unknown keys and continues.
    ///
    /// `what` is the noun in messages, such as `a reply`. `reserved` has messages for keys of later versions, `hints`
    /// for keys that belong elsewhere, `shape` for a node that is no mapping.
    package init?(
        _ node: Node, _ what: String, keys: [String], reserved: [String: String] = [:],
        hints: [String: String] = [:], shape: String? = nil, sink: DiagnosticSink,
        isKnown: (String) -> Bool = { _ in false }
    ) {
        guard !sink.isFull else { return nil }
        guard let entries = node.entries else {
            sink.report(node, "expected \(what) as a mapping, found \(node.found)", hint: shape)
            return nil
        }
        (self.node, self.what, self.sink) = (node, what, sink)
        var meant: Set<String> = []
        self.entries = entries.filter { entry in
            guard !sink.isFull else { return false }
            if keys.contains(entry.key) || isKnown(entry.key) { return true }
            if let sentence = reserved[entry.key] {
                sink.report(entry.keyNode, "\(quoted(entry.key)) is reserved for \(sentence)")
            } else {
                let nearest = NearestName.find(entry.key, in: keys)
                if let nearest, hints[entry.key] == nil { meant.insert(nearest) }
                let hint =
                    hints[entry.key] ?? nearest.map { "did you mean \(quoted($0))?" }
                    ?? "known keys: \(keys.joined(separator: ", "))"
                sink.report(entry.keyNode, "unknown key \(quoted(entry.key)) in \(what)", hint: hint)
            }
            return false
        }
        self.meant = meant
    }

    package subscript(key: String) -> Node? { entries.first { $0.key == key }?.value }

    package func entry(_ key: String) -> Node.Entry? { entries.first { $0.key == key } }

    /// The value of a key; reports a missing key, with a hint of what to write.
    package func required(_ key: String, hint: String? = nil) -> Node? {
        if let value = self[key] { return value }
        if !meant.contains(key) { sink.report(node, "\(what) needs the key \(quoted(key))", hint: hint) }
        return nil
    }
}
