import ProctorBase
import ProctorCoding
import ProctorDocument
import ProctorScenario

struct CodingKeys: Sendable {
    let apply = Key<[CodingStep]>("apply") { $1.codingSteps($0) }
    let negotiate = Key<[CodingStep]>("negotiate") { $1.codingSteps($0) }
    let says = Key<BodyCoding.Label>("says") { $1.label($0) }
    let `in` = UsualKey("in", Shape<BodyCoding.Place>.choice("a place"), usual: .content)
}

/// Keys for faults that every coding can have.
private enum CodingRow {
    enum Wrong: String, CaseIterable { case wrong }
    enum DeflateFormat: String, CaseIterable { case zlib, raw }

    static let missing = UsualKey(
        "missing", Shape<Int>.integer("missing", in: 0...CodingStep.missingByteBound), usual: 0)
    static let trailing = Key("trailing", Shape<[UInt8]>.literal("what trails a coding", limit: 65_536))

    static func level(_ coding: ContentCoding) -> Key<Int> {
        let levels = coding.levels ?? 0...0
        return Key("level", Shape<Int>.integer("a level of \(coding.rawValue)", in: levels), in: "CodingRow")
    }

    static func checksum(in keys: StaticString = #function) -> Key<Wrong> {
        Key("checksum", Shape<Wrong>.choice("a checksum"), in: keys)
    }
}

struct GzipKeys: Sendable {
    let level = CodingRow.level(.gzip)
    let members = Key<[Int]>("members") { $1.members($0) }
    let name = Key<[UInt8]>("name") { $1.latinText($0, "the name in a gzip header") }
    let comment = Key<[UInt8]>("comment") { $1.latinText($0, "the comment in a gzip header") }
    let extra = Key("extra", Shape<[UInt8]>.literal("the extra field", limit: ScenarioReader.gzipTextByteCount))
    let modified = Key("modified", Shape<Int>.integer("a time in seconds since 1970", in: 0...Int(UInt32.max)))
    let headerChecksum = UsualKey("header-checksum", Shape<Bool>.boolean("header-checksum"), usual: false)
    fileprivate let checksum = CodingRow.checksum()
    fileprivate let length = Key("length", Shape<CodingRow.Wrong>.choice("a length"))
    let missing = borrowed(CodingRow.missing)
    let trailing = borrowed(CodingRow.trailing)
}

struct DeflateKeys: Sendable {
    let level = CodingRow.level(.deflate)
    fileprivate let format = Key("format", Shape<CodingRow.DeflateFormat>.choice("a format of deflate"))
    fileprivate let checksum = CodingRow.checksum()
    let missing = borrowed(CodingRow.missing)
    let trailing = borrowed(CodingRow.trailing)
}

struct BrotliKeys: Sendable {
    let level = CodingRow.level(.brotli)
    let missing = borrowed(CodingRow.missing)
    let trailing = borrowed(CodingRow.trailing)
}

struct ZstdKeys: Sendable {
    let level = CodingRow.level(.zstd)
    fileprivate let checksum = CodingRow.checksum()
    let missing = borrowed(CodingRow.missing)
    let trailing = borrowed(CodingRow.trailing)
}

struct IdentityKeys: Sendable {
    let missing = borrowed(CodingRow.missing)
    let trailing = borrowed(CodingRow.trailing)
}

extension ScenarioReader {
    static let codingTable = Table("a coding", CodingKeys())
    static let gzipTable = Table("the coding gzip", GzipKeys())
    static let otherGzipTable = Table("the coding x-gzip", GzipKeys())
    static let deflateTable = Table("the coding deflate", DeflateKeys())
    static let brotliTable = Table("the coding br", BrotliKeys())
    static let zstdTable = Table("the coding zstd", ZstdKeys())
    static let identityTable = Table("the coding identity", IdentityKeys())

    static let gzipTextByteCount = 65_535

    /// A step, a list of steps, or a mapping with steps, label and place.
    func coding(_ node: Node) -> BodyCoding? {
        let known = Self.codingTable.rows.map(\.name)
        let isFull = node.entries?.contains { known.contains($0.key) } == true
        if isFull { return fullCoding(node) }
        return codingSteps(node).map { BodyCoding(plan: .apply($0)) }
    }

    private func fullCoding(_ node: Node) -> BodyCoding? {
        guard let keys = Self.codingTable.open(node, self) else { return nil }
        let place = keys[\.in]
        var label = BodyCoding.Label.names
        if keys.has(\.says) {
            guard let read = keys[\.says] else { return nil }
            label = read
        }
        if let negotiate = keys.entry(\.negotiate) {
            if let apply = keys.entry(\.apply) {
                sink.report(apply.keyNode, "\"apply\" does not go with \"negotiate\": one of them says what is done")
            }
            if let says = keys.entry(\.says) {
                sink.report(
                    says.keyNode,
                    "\"says\" does not go with \"negotiate\", whose field names the coding that was chosen")
            }
            if let place = keys.entry(\.in), place.value.text == BodyCoding.Place.transfer.rawValue {
                sink.report(
                    place.value, "a transfer coding is not negotiated: Accept-Encoding is about content codings",
                    hint: "use apply:")
            }
            guard let steps = keys[\.negotiate] else { return nil }
            checkChoices(steps, at: negotiate.value)
            return BodyCoding(plan: .negotiate(steps))
        }
        guard keys.has(\.apply) else { return sink.refuse(node, "a coding needs \"apply\" or \"negotiate\"") }
        return keys[\.apply].map { BodyCoding(plan: .apply($0), place: place, label: label) }
    }

    /// `says:` as text, or null for no field.
    fileprivate func label(_ node: Node) -> BodyCoding.Label? {
        if node.isNull { return .absent }
        return line(node, "what the field says").map { .text(Array($0.utf8)) }
    }

    private func checkChoices(_ steps: [CodingStep], at node: Node) {
        var seen: Set<ContentCoding> = []
        for (index, step) in steps.enumerated() {
            let item = node.items.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? node
            if !seen.insert(step.coding).inserted {
                sink.report(item, "\(quoted(step.coding.rawValue)) stands twice: only the first can be chosen")
            } else if step.coding == .identity {
                sink.report(
                    item, "identity is not negotiated: it is what is sent when nothing else is acceptable",
                    hint: "leave it out")
            }
        }
    }

    fileprivate func codingSteps(_ node: Node) -> [CodingStep]? {
        guard node.items != nil else { return codingStep(node).map { [$0] } }
        guard let items = sink.list(node, "coding", limit: Bounds.codings) else { return nil }
        guard !items.isEmpty else { return sink.refuse(node, "a list of codings needs at least one") }
        return items.mapAll(codingStep)
    }

    private func codingStep(_ node: Node) -> CodingStep? {
        guard let entries = node.entries else {
            return codingName(node).map { CodingStep($0) }
        }
        guard entries.count == 1, let entry = entries.first else {
            return sink.refuse(
                node, "a coding with options is a mapping with one key, its name; found \(entries.count) keys")
        }
        guard let coding = codingName(entry.keyNode) else { return nil }
        // `gzip:` with no value has no options.
        return entry.value.isNull ? CodingStep(coding) : codingStep(coding, entry.value)
    }

    /// Other usual names of codings.
    private static let otherNames = ["brotli": "br", "zstandard": "zstd", "zlib": "deflate", "gz": "gzip"]

    private func codingName(_ node: Node) -> ContentCoding? {
        if let text = node.text, let name = Self.otherNames[text] {
            return sink.refuse(node, "unknown coding \(quoted(text))", hint: "HTTP calls it \(quoted(name))")
        }
        return sink.choice(node, "a coding")
    }

    // MARK: Steps

    /// A step with the options of its coding.
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
        // An option of another coding has been reported above.
        let foreign = Set(ContentCoding.allCases.flatMap(\.options))
        switch coding {
        case .gzip, .xGzip:
            let table = coding == .gzip ? Self.gzipTable : Self.otherGzipTable
            return table.open(node, self, isKnown: { foreign.contains($0) }).map { keys in
                let level = keys[\.level]
                let checksum = keys[\.checksum]
                let missing = keys[\.missing]
                let trailing = keys[\.trailing]
                return CodingStep(
                    coding, level: level, gzip: gzipShape(keys), hasWrongChecksum: checksum != nil,
                    missingByteCount: missing, trailing: trailing ?? [])
            }
        case .deflate:
            return Self.deflateTable.open(node, self, isKnown: { foreign.contains($0) }).map { keys in
                let level = keys[\.level]
                let format = keys[\.format]
                let checksum = keys[\.checksum]
                if let node = keys.entry(\.checksum)?.keyNode, format == .raw {
                    sink.report(node, "raw deflate has no checksum that could be wrong (RFC 1951)")
                }
                return CodingStep(
                    coding, level: level, isRaw: format == .raw, hasWrongChecksum: checksum != nil,
                    missingByteCount: keys[\.missing], trailing: keys[\.trailing] ?? [])
            }
        case .brotli:
            return Self.brotliTable.open(node, self, isKnown: { foreign.contains($0) }).map { keys in
                CodingStep(
                    coding, level: keys[\.level], missingByteCount: keys[\.missing], trailing: keys[\.trailing] ?? [])
            }
        case .zstd:
            return Self.zstdTable.open(node, self, isKnown: { foreign.contains($0) }).map { keys in
                CodingStep(
                    coding, level: keys[\.level], hasWrongChecksum: keys[\.checksum] != nil,
                    missingByteCount: keys[\.missing], trailing: keys[\.trailing] ?? [])
            }
        case .identity:
            return Self.identityTable.open(node, self, isKnown: { foreign.contains($0) }).map { keys in
                CodingStep(coding, missingByteCount: keys[\.missing], trailing: keys[\.trailing] ?? [])
            }
        }
    }

    private func gzipShape(_ keys: Mapping<GzipKeys>) -> GzipShape {
        let length = keys[\.length]
        let hasHeaderChecksum = keys[\.headerChecksum]
        let modified = keys[\.modified]
        return GzipShape(
            memberSizes: keys[\.members] ?? [], name: keys[\.name], comment: keys[\.comment], extra: keys[\.extra],
            modified: modified.flatMap { UInt32(exactly: $0) } ?? 0, hasHeaderChecksum: hasHeaderChecksum,
            hasWrongLength: length != nil)
    }

    fileprivate func members(_ node: Node) -> [Int] {
        guard let items = sink.list(node, "members", limit: CodingStep.memberBound) else { return [] }
        if items.isEmpty { sink.report(node, "members needs at least one number of bytes") }
        return items.compactMap { sink.integer($0, "a number of bytes", in: 0...Bounds.bodyByteCount) }
    }

    /// ISO 8859-1 without NUL (RFC 1952 §2.3.1).
    fileprivate func latinText(_ node: Node, _ what: String) -> [UInt8]? {
        guard let text = sink.text(node, what) else { return nil }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value), byte != 0 else {
                return sink.refuse(
                    node, "\(what) is ISO 8859-1 without NUL (RFC 1952 §2.3.1), found \(quoted(String(scalar)))")
            }
            bytes.append(byte)
        }
        guard bytes.count <= Self.gzipTextByteCount else {
            return sink.refuse(
                node, "\(what) has \(bytes.count) bytes; at most \(Self.gzipTextByteCount) are permitted")
        }
        return bytes
    }
}

extension ContentCoding {
    private var optionRows: [Row] {
        switch self {
        case .gzip, .xGzip: ScenarioReader.gzipTable.rows
        case .deflate: ScenarioReader.deflateTable.rows
        case .brotli: ScenarioReader.brotliTable.rows
        case .zstd: ScenarioReader.zstdTable.rows
        case .identity: ScenarioReader.identityTable.rows
        }
    }

    fileprivate var options: [String] { optionRows.map(\.name) }
}
