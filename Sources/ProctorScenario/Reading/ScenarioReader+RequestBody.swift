import ProctorBase
import ProctorDocument

/// What the content of a request must be, in one of its forms.
extension ScenarioReader {
    /// `body:`, `form:` or `parts:` of a request; nil when it has none of them.
    func bodyPattern(_ reader: MappingReader) -> BodyPattern? {
        let given = reader.entries.filter { ["body", "form", "parts"].contains($0.key) }
        for entry in given.dropFirst() {
            sink.report(
                entry.keyNode,
                "\(quoted(entry.key)) does not go with \(quoted(given[0].key)): at most one of body, form and parts")
        }
        guard let entry = given.first else { return nil }
        switch entry.key {
        case "form": return .form(form(entry.value))
        case "parts": return parts(entry.value).map { .parts($0) }
        default: return requestBytes(entry.value, "a body").map { .exact($0) }
        }
    }

    private func requestBytes(_ node: Node, _ what: String) -> ByteSource? {
        bytes(node, what, scope: TemplateScope(origins: origins, captures: nil, allowsNow: false))
    }

    private func form(_ node: Node) -> [RequestPattern.QueryItem] {
        guard let entries = node.entries else {
            sink.report(node, "expected a form as a mapping from name to value, found \(node.found)")
            return []
        }
        return entries.flatMap { entry in
            (entry.value.items ?? [entry.value]).compactMap { value in
                bodyText(value, "the value of \(quoted(entry.key))").map {
                    RequestPattern.QueryItem(name: Array(entry.key.utf8), value: $0)
                }
            }
        }
    }

    private func parts(_ node: Node) -> [PartPattern]? {
        guard let items = sink.list(node, "parts", limit: Bounds.parts) else { return nil }
        if items.isEmpty { sink.report(node, "a multipart body has one part at least (RFC 2046 §5.1.1)") }
        return items.compactMap { item in
            guard let reader = MappingReader(item, "a part", keys: ["name", "filename", "type", "body"], sink: sink)
            else { return nil }
            let name = reader.required("name").flatMap { sink.text($0, "the name of a part") }
            let fileName = reader["filename"].flatMap { bodyText($0, "a file name") }
            let type = reader["type"].flatMap { bodyText($0, "a content type") }
            let body = reader["body"].flatMap { requestBytes($0, "the body of a part") }
            return name.map { PartPattern(name: Array($0.utf8), fileName: fileName, contentType: type, body: body) }
        }
    }

    /// A pattern within a body, whose `*` takes anything; nothing is captured there.
    private func bodyText(_ node: Node, _ what: String) -> BytePattern? {
        guard let text = sink.text(node, what) else { return nil }
        var captures: [String] = []
        let pattern = PatternParser(sink: sink).parse(ScalarText(node, text), captures: &captures)
        guard let name = captures.first else { return pattern }
        sink.report(
            node, "{\(name)} captures nothing here: only the target and the fields of a request are captured from",
            hint: "write * for anything, \\{ for the character itself")
        return nil
    }
}
