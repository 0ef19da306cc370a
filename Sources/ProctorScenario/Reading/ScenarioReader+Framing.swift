import ProctorBase
import ProctorDocument

extension ScenarioReader {
    private enum Digits: String, CaseIterable { case upper, lower }
    private enum LastChunk: String, CaseIterable { case missing }

    private static let chunkKeys = ["chunked", "extensions", "digits", "width", "last"]

    /// A word, or chunks with their sizes and spelling.
    func framing(_ node: Node) -> StructuredReply.Framing? {
        if node.entries != nil { return chunkStyle(node).map { .chunked($0) } }
        guard let text = sink.text(node, "framing") else { return nil }
        switch text {
        case "length": return .length
        case "chunked": return .chunked(ChunkStyle())
        case "close": return .close
        case "none": return StructuredReply.Framing.none
        default:
            let names = ["length", "chunked", "close", "none"]
            sink.report(
                node, "unknown framing \(quoted(text))", hint: DiagnosticSink.hint(for: text, among: names))
            return nil
        }
    }

    private func chunkStyle(_ node: Node) -> ChunkStyle? {
        guard let reader = MappingReader(node, "framing", keys: Self.chunkKeys, sink: sink) else { return nil }
        let sizes = reader.required("chunked").flatMap(chunkSizes)
        let extensions = reader["extensions"].map(chunkExtensions) ?? []
        let digits = reader["digits"].flatMap { sink.choice($0, "a kind of digits", among: Digits.self) }
        let width = reader["width"].flatMap { sink.integer($0, "a width", in: Bounds.chunkDigits) }
        let last = reader["last"].flatMap { sink.choice($0, "a last chunk", among: LastChunk.self) }
        return sizes.map {
            ChunkStyle(
                sizes: $0, extensions: extensions, usesCapitals: digits == .upper, digitCount: width ?? 1,
                hasLastChunk: last == nil)
        }
    }

    private func chunkSizes(_ node: Node) -> [Int]? {
        guard let items = sink.list(node, "chunk sizes", limit: Bounds.chunks) else { return nil }
        let sizes = items.compactMap { item -> Int? in
            if item.plainText == "0" {
                sink.report(item, "a chunk of 0 bytes is the last chunk; send one with raw: or an effect send")
                return nil
            }
            return sink.integer(item, "a chunk size", in: 1...Bounds.bodyByteCount)
        }
        return sizes.count == items.count ? sizes : nil
    }

    private func chunkExtensions(_ node: Node) -> [[UInt8]] {
        let nodes = node.items == nil ? [node] : sink.list(node, "extensions", limit: Bounds.chunks) ?? []
        return nodes.compactMap { item in
            guard let text = line(item, "an extension") else { return nil }
            guard text.utf8.count <= Bounds.chunkExtensionByteCount else {
                sink.report(
                    item,
                    "the extension has \(text.utf8.count) bytes; "
                        + "at most \(Bounds.chunkExtensionByteCount) are permitted")
                return nil
            }
            // Without it the next digits would belong to the size.
            guard text.isEmpty || text.drop(while: { $0 == " " || $0 == "\t" }).first == ";" else {
                sink.report(
                    item, "an extension begins with ';', found \(quoted(text))", hint: "use raw: for anything else")
                return nil
            }
            return Array(text.utf8)
        }
    }
}

extension StructuredReply.Framing {
    /// Whether chunks, and so trailers, are sent.
    var isChunked: Bool {
        if case .chunked = self { return true }
        return false
    }
}
