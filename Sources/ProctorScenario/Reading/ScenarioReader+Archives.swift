import ProctorBase
import ProctorCoding
import ProctorDocument

/// Files of the classic Mac OS, packed at load.
extension ScenarioReader {
    private static let fileKeys = ["name", "type", "creator", "flags", "data", "resource"]

    /// `{ macbinary: { … } }` as the bytes of the archive.
    func macBinary(_ node: Node) -> [UInt8]? {
        let keys = Self.fileKeys + ["created", "modified", "version"]
        guard let reader = MappingReader(node, "a MacBinary file", keys: keys, sink: sink) else { return nil }
        let version = reader["version"].flatMap { node in
            sink.integer(node, "a version of MacBinary", in: 1...3).flatMap(MacBinary.Version.init)
        }
        return packed(reader) { file throws(CodingFailure) in
            try MacBinary(file, version: version ?? .two).bytes
        }
    }

    /// `{ binhex: { … } }` as the bytes of the archive.
    func binHex(_ node: Node) -> [UInt8]? {
        MappingReader(node, "a BinHex file", keys: Self.fileKeys, sink: sink).flatMap { reader in
            packed(reader) { file throws(CodingFailure) in BinHex(file).bytes }
        }
    }

    private func packed(
        _ reader: MappingReader, _ pack: (ForkedFile) throws(CodingFailure) -> [UInt8]
    ) -> [UInt8]? {
        let name = reader.required("name").flatMap { macText($0, "the name of a Macintosh file", 1...63) }
        let type = reader["type"].map { macText($0, "a type", 4...4) } ?? Self.unknownCode
        let creator = reader["creator"].map { macText($0, "a creator", 4...4) } ?? Self.unknownCode
        let flags = reader["flags"].flatMap { sink.integer($0, "flags", in: 0...Int(UInt16.max)) }
        let created = reader["created"].flatMap(time)
        let modified = reader["modified"].flatMap(time)
        let data = reader["data"].map { literal($0, "a data fork", limit: ForkedFile.forkBound) } ?? []
        let resource = reader["resource"].map { literal($0, "a resource fork", limit: ForkedFile.forkBound) } ?? []
        guard let name, let type, let creator, let data, let resource else { return nil }
        do throws(CodingFailure) {
            return try pack(
                try ForkedFile(
                    name: name, type: type, creator: creator, flags: flags.flatMap { UInt16(exactly: $0) } ?? 0,
                    created: created, modified: modified, data: data, resource: resource))
        } catch {
            sink.report(reader.node, error.sentence)
            return nil
        }
    }

    /// What stands for a type or creator that nobody knows.
    private static let unknownCode: [UInt8]? = Array("????".utf8)

    /// The system's own encoding is Mac OS Roman; what all encodings agree on is enough here.
    private func macText(_ node: Node, _ what: String, _ counts: ClosedRange<Int>) -> [UInt8]? {
        guard let text = sink.text(node, what) else { return nil }
        let bytes = Array(text.utf8)
        let isPrintable = bytes.allSatisfy { 0x20...0x7E ~= $0 }
        guard isPrintable, counts.contains(bytes.count) else {
            let wanted = counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
            sink.report(node, "expected \(what) as \(wanted) characters of ASCII, found \(quoted(text))")
            return nil
        }
        return bytes
    }

    private func time(_ node: Node) -> Int? {
        sink.integer(node, "a time in seconds since 1970", in: Self.macTimes)
    }

    /// The Macintosh counts 32 bits of seconds from 1904; 0 means no time.
    private static let macTimes = -2_082_844_799...2_212_122_495
}
