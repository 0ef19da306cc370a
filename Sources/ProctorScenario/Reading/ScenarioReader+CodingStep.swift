import ProctorBase
import ProctorCoding
import ProctorDocument

extension ScenarioReader {
    private enum Wrong: String, CaseIterable { case wrong }
    private enum DeflateFormat: String, CaseIterable { case zlib, raw }

    /// The options of one coding; each coding has its own.
    func codingStep(_ coding: ContentCoding, _ node: Node) -> CodingStep? {
        let name = coding.rawValue
        if let entries = node.entries {
            for entry in entries where !coding.options.contains(entry.key) {
                let owners = ContentCoding.allCases.filter { $0 != .xGzip && $0.options.contains(entry.key) }
                guard !owners.isEmpty else { continue }
                let others = owners.map(\.rawValue).joined(separator: ", ")
                sink.report(
                    entry.keyNode, "\(quoted(entry.key)) is an option of \(others), not of \(name)",
                    hint: "\(name) has \(coding.options.joined(separator: ", "))")
            }
        }
        let foreign = Set(ContentCoding.allCases.flatMap(\.options))
        guard
            let reader = MappingReader(
                node, "the coding \(name)", keys: coding.options, sink: sink, isKnown: { foreign.contains($0) })
        else { return nil }
        let level = coding.levels.flatMap { levels in
            reader["level"].flatMap { sink.integer($0, "a level of \(name)", in: levels) }
        }
        let format = reader["format"].flatMap { sink.choice($0, "a format of deflate", among: DeflateFormat.self) }
        let checksum = reader["checksum"].flatMap { sink.choice($0, "a checksum", among: Wrong.self) }
        if let node = reader.entry("checksum")?.keyNode, coding == .deflate, format == .raw {
            sink.report(node, "raw deflate has no checksum that could be wrong (RFC 1951)")
        }
        let missing = reader["missing"].flatMap { sink.integer($0, "missing", in: 0...CodingStep.missingByteBound) }
        let trailing = reader["trailing"].flatMap {
            literal($0, "what trails a coding", limit: Bounds.trailingByteCount)
        }
        return CodingStep(
            coding, level: level, gzip: coding.isGzip ? gzipShape(reader) : GzipShape(), isRaw: format == .raw,
            hasWrongChecksum: checksum != nil, missingByteCount: missing ?? 0, trailing: trailing ?? [])
    }

    private func gzipShape(_ reader: MappingReader) -> GzipShape {
        let length = reader["length"].flatMap { sink.choice($0, "a length", among: Wrong.self) }
        let hasHeaderChecksum = reader["header-checksum"].flatMap { sink.boolean($0, "header-checksum") }
        let modified = reader["modified"].flatMap {
            sink.integer($0, "a time in seconds since 1970", in: 0...Int(UInt32.max))
        }
        return GzipShape(
            memberSizes: reader["members"].map(members) ?? [],
            name: reader["name"].flatMap { latinText($0, "the name in a gzip header") },
            comment: reader["comment"].flatMap { latinText($0, "the comment in a gzip header") },
            extra: reader["extra"].flatMap { literal($0, "the extra field", limit: Bounds.gzipTextByteCount) },
            modified: modified.flatMap { UInt32(exactly: $0) } ?? 0,
            hasHeaderChecksum: hasHeaderChecksum ?? false, hasWrongLength: length != nil)
    }

    private func members(_ node: Node) -> [Int] {
        guard let items = sink.list(node, "members", limit: CodingStep.memberBound) else { return [] }
        if items.isEmpty { sink.report(node, "members needs at least one number of bytes") }
        return items.compactMap { sink.integer($0, "a number of bytes", in: 0...Bounds.bodyByteCount) }
    }

    /// Text in ISO 8859-1 without NUL (RFC 1952 §2.3.1).
    private func latinText(_ node: Node, _ what: String) -> [UInt8]? {
        guard let text = sink.text(node, what) else { return nil }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value), byte != 0 else {
                sink.report(
                    node, "\(what) is ISO 8859-1 without NUL (RFC 1952 §2.3.1), found \(quoted(String(scalar)))")
                return nil
            }
            bytes.append(byte)
        }
        guard bytes.count <= Bounds.gzipTextByteCount else {
            sink.report(
                node, "\(what) has \(bytes.count) bytes; at most \(Bounds.gzipTextByteCount) are permitted")
            return nil
        }
        return bytes
    }
}

extension ContentCoding {
    /// The keys that a step of this coding takes.
    fileprivate var options: [String] {
        let every = ["missing", "trailing"]
        switch self {
        case .gzip, .xGzip:
            let shape = ["members", "name", "comment", "extra", "modified", "header-checksum", "checksum", "length"]
            return ["level"] + shape + every
        case .deflate: return ["level", "format", "checksum"] + every
        case .brotli: return ["level"] + every
        case .zstd: return ["level", "checksum"] + every
        case .identity: return every
        }
    }
}
