import ProctorBase

extension Document {
    /// Parses a file of JSON (RFC 8259) into the same tree as YAML; a text has the style of double quotes.
    ///
    /// Its bounds are those of ``JSONDocument`` and `limits`. Of members with the same name the second one is refused,
    /// as in YAML.
    package static func parseJSON(_ bytes: [UInt8], file: String, limits: Limits = Limits()) -> Document {
        func refusal(_ diagnostic: Diagnostic) -> Document { Document(root: nil, diagnostics: [diagnostic]) }
        guard bytes.count <= limits.byteCount else {
            let sentence = "the file has \(bytes.count) bytes; at most \(limits.byteCount) are read"
            return refusal(Diagnostic(path: file, sentence: sentence))
        }
        let source = SourceFile(path: file, bytes: bytes)
        do throws(LineFault) {
            let json = try JSONDocument(parsing: source.bytes)
            let sink = DiagnosticSink()
            let root = JSONTreeMaker(json: json, source: source, sink: sink).node(0)
            return Document(root: sink.diagnostics.isEmpty ? root : nil, diagnostics: sink.sorted())
        } catch {
            return refusal(
                Diagnostic(
                    location: source.location(at: error.offset), sentence: "this is no JSON: \(error.sentence)"))
        }
    }
}

/// Makes nodes of the values of a JSON text, whose depth is bounded.
private struct JSONTreeMaker {
    let json: JSONDocument
    let source: SourceFile
    let sink: DiagnosticSink

    func node(_ index: Int) -> Node {
        Node(content: content(index), source: source, offset: json.offset(of: index))
    }

    private func content(_ index: Int) -> Node.Content {
        let value = json.values[index]
        switch value.kind {
        case .null, .boolean, .number:
            return .scalar(String(decoding: json.text(of: index), as: UTF8.self), .plain)
        case .text(let bytes): return .scalar(String(decoding: bytes, as: UTF8.self), .doubleQuoted)
        case .list: return .sequence(json.children(of: index).map(node))
        case .object:
            var entries: [Node.Entry] = []
            var seen: Set<[UInt8]> = []
            var child = index + 1
            while child < value.end {
                let name = json.values[child].name ?? []
                let key = Node(
                    content: .scalar(String(decoding: name, as: UTF8.self), .doubleQuoted), source: source,
                    offset: json.nameOffset(of: child) ?? json.offset(of: child))
                if seen.insert(name).inserted {
                    entries.append(
                        Node.Entry(key: String(decoding: name, as: UTF8.self), keyNode: key, value: node(child)))
                } else {
                    sink.report(key, "the key \(quoted(String(decoding: name, as: UTF8.self))) stands here twice")
                }
                child = json.values[child].end
            }
            return .mapping(entries)
        }
    }
}
