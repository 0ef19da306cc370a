import ProctorBase
import ProctorDocument
import ProctorScenario

struct ChunkKeys: Sendable {
    let chunked = Key<[Int]>("chunked", isRequired: true) { $1.chunkSizes($0) }
    let extensions = Key<[[UInt8]]>("extensions") { $1.chunkExtensions($0) }
    let digits = Key("digits", Shape<ScenarioReader.Digits>.choice("a kind of digits"))
    let width = UsualKey("width", Shape<Int>.integer("a width", in: 1...64), usual: 1)
    let last = Key("last", Shape<ScenarioReader.LastChunk>.choice("a last chunk"))
}

/// Slices of one size, or at places drawn by a seed.
struct SliceKeys: Sendable {
    let size = Key("size", Shape<Int>.byteCount("a size of slices", from: 1))
    let random = Key("random", Shape<Int>.integer("a seed", in: 0...Int.max))
    let count = Key("count", Shape<Int>.integer("a count of slices", in: 2...Bounds.slices))
}

extension ScenarioReader {
    enum Digits: String, CaseIterable { case upper, lower }
    enum LastChunk: String, CaseIterable { case missing }

    static let extensionByteCount = 16_384

    static let chunkTable = Table("framing", ChunkKeys())
    static let sliceTable = Table("a slicing", SliceKeys())

    /// A framing: a word, or chunks with sizes and their style.
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
            return sink.refuse(
                node, "unknown framing \(quoted(text))", hint: DiagnosticSink.hint(for: text, among: names))
        }
    }

    private func chunkStyle(_ node: Node) -> ChunkStyle? {
        guard let keys = Self.chunkTable.open(node, self) else { return nil }
        let sizes = keys[\.chunked]
        let extensions = keys[\.extensions] ?? []
        let digits = keys[\.digits]
        let width = keys[\.width]
        let last = keys[\.last]
        return sizes.map {
            ChunkStyle(
                sizes: $0, extensions: extensions, usesCapitals: digits == .upper, digitCount: width,
                hasLastChunk: last == nil)
        }
    }

    fileprivate func chunkSizes(_ node: Node) -> [Int]? {
        guard let items = sink.list(node, "chunk sizes", limit: Bounds.chunks) else { return nil }
        return items.mapAll { item in
            if item.plainText == "0" {
                return sink.refuse(item, "a chunk of 0 bytes is the last chunk; send one with raw: or an effect send")
            }
            return sink.integer(item, "a chunk size", in: 1...Bounds.bodyByteCount)
        }
    }

    fileprivate func chunkExtensions(_ node: Node) -> [[UInt8]] {
        let nodes = node.items == nil ? [node] : sink.list(node, "extensions", limit: Bounds.chunks) ?? []
        return nodes.compactMap { item in
            guard let text = line(item, "an extension") else { return nil }
            guard text.utf8.count <= Self.extensionByteCount else {
                return sink.refuse(
                    item,
                    "the extension has \(text.utf8.count) bytes; "
                        + "at most \(Self.extensionByteCount) are permitted")
            }
            // Without a semicolon the digits would belong to the size.
            guard text.isEmpty || text.drop(while: { $0 == " " || $0 == "\t" }).first == ";" else {
                return sink.refuse(
                    item, "an extension begins with ';', found \(quoted(text))", hint: "use raw: for anything else")
            }
            return Array(text.utf8)
        }
    }

    // MARK: Slices

    private static let slicings: [(word: String, value: Slicing)] = [
        ("every-byte", .everyByte), ("mid-crlf", .midCRLF), ("mid-chunk-size", .midChunkSize), ("mid-utf8", .midUTF8),
    ]

    /// The default number of random slices.
    private static let usualSliceCount = 12

    /// `slice:` as a word, a list of offsets, a size or a seed.
    func slicing(_ node: Node) -> Slicing? {
        if node.items != nil { return sliceOffsets(node).map { .offsets($0) } }
        if node.entries != nil { return measuredSlicing(node) }
        return sink.word(node, "a slicing", among: Self.slicings)
    }

    private func sliceOffsets(_ node: Node) -> [Int]? {
        guard let items = sink.list(node, "slice", limit: Bounds.slices - 1) else { return nil }
        guard !items.isEmpty else { return sink.refuse(node, "a list of offsets needs at least one") }
        var offsets: [Int] = []
        for item in items {
            guard let offset = sink.integer(item, "an offset", in: 1...Bounds.bodyByteCount) else { return nil }
            if let last = offsets.last, offset <= last {
                return sink.refuse(item, "offsets ascend: \(offset) stands after \(last)")
            }
            offsets.append(offset)
        }
        return offsets
    }

    private func measuredSlicing(_ node: Node) -> Slicing? {
        guard let keys = Self.sliceTable.open(node, self) else { return nil }
        if keys.has(\.size) {
            for entry in keys.entries where entry.key != "size" {
                sink.report(entry.keyNode, "\(quoted(entry.key)) does not go with \"size\"")
            }
            return keys[\.size].map { .size($0) }
        }
        guard keys.has(\.random) else { return sink.refuse(node, "a slicing needs \"size\" or \"random\"") }
        let seed = keys[\.random].flatMap { UInt64(exactly: $0) }
        let count = keys.has(\.count) ? keys[\.count] : Self.usualSliceCount
        guard let seed, let count else { return nil }
        return .random(seed: seed, count: count)
    }
}
