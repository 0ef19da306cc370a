package import ProctorDocument
package import ProctorScenario

extension ScenarioReader {
    /// `headers:` or `trailers:` as a mapping, or as a list of mappings with one field each.
    package func fields(_ node: Node, _ what: String) -> [ReplyField] {
        var fields: [ReplyField] = []
        if let entries = node.entries {
            for entry in entries { fields += self.fields(entry) }
        } else if let items = node.items {
            for item in items {
                guard let entries = item.entries, entries.count == 1, let entry = entries.first else {
                    sink.report(item, "expected one field as \"Name: value\", found \(item.found)")
                    continue
                }
                fields += self.fields(entry)
            }
        } else {
            sink.report(node, "expected \(what) as a mapping or a list of fields, found \(node.found)")
        }
        if fields.count > Bounds.fields {
            sink.report(node, "there are \(fields.count) fields; at most \(Bounds.fields) are permitted")
        }
        return fields
    }

    private func fields(_ entry: Node.Entry) -> [ReplyField] {
        let name = Array(entry.key.utf8)
        guard !name.isEmpty, !name.contains(0x0A), !name.contains(0x0D) else {
            sink.report(
                entry.keyNode, "a field name cannot be \(quoted(entry.key))", hint: "use raw: for a head like that")
            return []
        }
        let values = entry.value.items ?? [entry.value]
        if values.isEmpty {
            sink.report(entry.value, "the field \(quoted(entry.key)) has no value", hint: "take it away, or write \"\"")
        }
        return values.compactMap { node in
            if node.entries != nil { return madeField(name, node, key: entry.key) }
            guard let text = sink.text(node, "the value of \(quoted(entry.key))") else { return nil }
            checkLineBreaks(node, text)
            let template = TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text))
            return template.map { ReplyField(name: name, value: $0.inField, location: node.location) }
        }
    }

    /// A value in another form than text, generated at loading: `{ repeat: a, bytes: 40960 }`.
    private func madeField(_ name: [UInt8], _ node: Node, key: String) -> ReplyField? {
        let what = "the value of \(quoted(key))"
        guard let bytes = literal(node, what, limit: Bounds.fieldByteCount) else { return nil }
        if bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            return sink.refuse(node, "a line break ends a field line", hint: "use raw: to send one")
        }
        return ReplyField(name: name, value: Template(parts: [.literal(bytes)]), location: node.location)
    }

    /// Reports a line break without white space after it: it would end the field, and is no obs-fold (RFC 9112 §5.2).
    private func checkLineBreaks(_ node: Node, _ text: String) {
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() where byte == 0x0A || byte == 0x0D {
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if next == 0x20 || next == 0x09 || byte == 0x0D && next == 0x0A { continue }
            sink.report(
                node.location(ofTextOffset: index), "a line break ends a field line",
                hint: "use raw: to send one, or |- and >- instead of | and >")
            return
        }
    }
}
