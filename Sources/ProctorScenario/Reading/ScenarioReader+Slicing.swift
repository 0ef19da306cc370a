import ProctorDocument

extension ScenarioReader {
    private static let slicings: [(name: String, slicing: Slicing)] = [
        ("every-byte", .everyByte), ("mid-crlf", .midCRLF), ("mid-chunk-size", .midChunkSize), ("mid-utf8", .midUTF8),
    ]

    /// How many slices a random slicing makes when the file does not say.
    private static let usualSliceCount = 12

    /// `slice:` as a word, a list of offsets, a size or a seed.
    func slicing(_ node: Node) -> Slicing? {
        if node.items != nil { return sliceOffsets(node).map { .offsets($0) } }
        if node.entries != nil { return measuredSlicing(node) }
        guard let text = sink.text(node, "a slicing") else { return nil }
        if let known = Self.slicings.first(where: { $0.name == text }) { return known.slicing }
        sink.report(
            node, "unknown slicing \(quoted(text))",
            hint: DiagnosticSink.hint(for: text, among: Self.slicings.map(\.name)))
        return nil
    }

    private func sliceOffsets(_ node: Node) -> [Int]? {
        guard let items = sink.list(node, "slice", limit: Bounds.slices - 1) else { return nil }
        guard !items.isEmpty else {
            sink.report(node, "a list of offsets needs at least one")
            return nil
        }
        var offsets: [Int] = []
        for item in items {
            guard let offset = sink.integer(item, "an offset", in: 1...Bounds.bodyByteCount) else { return nil }
            if let last = offsets.last, offset <= last {
                sink.report(item, "offsets ascend: \(offset) stands after \(last)")
                return nil
            }
            offsets.append(offset)
        }
        return offsets
    }

    private func measuredSlicing(_ node: Node) -> Slicing? {
        guard let reader = MappingReader(node, "a slicing", keys: ["size", "random", "count"], sink: sink) else {
            return nil
        }
        if let size = reader["size"] {
            for entry in reader.entries where entry.key != "size" {
                sink.report(entry.keyNode, "\(quoted(entry.key)) does not go with \"size\"")
            }
            return sink.integer(size, "a size of slices", in: 1...Bounds.bodyByteCount).map { .size($0) }
        }
        guard let random = reader["random"] else {
            sink.report(node, "a slicing needs \"size\" or \"random\"")
            return nil
        }
        let seed = sink.integer(random, "a seed", in: 0...Int.max).flatMap { UInt64(exactly: $0) }
        var count: Int? = Self.usualSliceCount
        if let node = reader["count"] { count = sink.integer(node, "a count of slices", in: 2...Bounds.slices) }
        guard let seed, let count else { return nil }
        return .random(seed: seed, count: count)
    }
}
