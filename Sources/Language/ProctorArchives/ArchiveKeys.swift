internal import ProctorBase
internal import ProctorCoding
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorForkedFiles
internal import ProctorScenario

/// MacBinary and BinHex as bytes of fixtures: the keys `macbinary` and `binhex`.
package enum Archives {
    /// Hands the keys over to the language, for every scenario that this process reads from then on.
    ///
    /// Safe from any thread, and again. Without it a fixture with such a key is refused.
    package static func register() {
        ScenarioReader.macBinary.register(ScenarioReader.macBinaryTable) { $0.reader.macBinary($0) }
        ScenarioReader.binHex.register(ScenarioReader.binHexTable) { $0.reader.binHex($0) }
    }
}

struct BinHexKeys: Sendable {
    let name = Key<[UInt8]>("name", isRequired: true) {
        $1.macText($0, "the name of a Macintosh file", counts: 1...63)
    }
    let type = Key<[UInt8]>("type") { $1.macText($0, "a type", counts: 4...4) }
    let creator = Key<[UInt8]>("creator") { $1.macText($0, "a creator", counts: 4...4) }
    let flags = Key("flags", Shape<Int>.integer("flags", in: 0...Int(UInt16.max)))
    let data = Key("data", Shape<[UInt8]>.literal("a data fork", limit: ForkedFile.forkBound))
    let resource = Key("resource", Shape<[UInt8]>.literal("a resource fork", limit: ForkedFile.forkBound))
}

struct MacBinaryKeys: Sendable {
    let file = BinHexKeys()
    let created = Key("created", Shape<Int>.macTime)
    let modified = Key("modified", Shape<Int>.macTime)
    let version = Key("version", Shape<Int>.integer("a version of MacBinary", in: 1...3))
}

extension Shape where Value == Int {
    /// Seconds since 1904 in 32 bits; 0: no time.
    fileprivate static var macTime: Shape {
        .integer("a time in seconds since 1970", in: -2_082_844_799...2_212_122_495)
    }
}

extension ScenarioReader {
    static let macBinaryTable = Table("a MacBinary file", MacBinaryKeys())
    static let binHexTable = Table("a BinHex file", BinHexKeys())

    func macBinary(_ keys: Mapping<MacBinaryKeys>) -> [UInt8]? {
        let version = keys[\.version].flatMap(MacBinary.Version.init)
        return packed(keys, \.file, created: keys[\.created], modified: keys[\.modified]) {
            file throws(CodingFailure) in
            try MacBinary(file, version: version ?? .two).bytes
        }
    }

    func binHex(_ keys: Mapping<BinHexKeys>) -> [UInt8]? {
        packed(keys, \.self) { file throws(CodingFailure) in BinHex(file).bytes }
    }

    /// `file` are the keys of both formats.
    private func packed<Keys>(
        _ keys: Mapping<Keys>, _ file: (Keys) -> BinHexKeys, created: Int? = nil, modified: Int? = nil,
        as pack: (ForkedFile) throws(CodingFailure) -> [UInt8]
    ) -> [UInt8]? {
        let name = keys[{ file($0).name }]
        let type = keys.has { file($0).type } ? keys[{ file($0).type }] : Self.unknownCode
        let creator = keys.has { file($0).creator } ? keys[{ file($0).creator }] : Self.unknownCode
        let flags = keys[{ file($0).flags }]
        let data = keys.has { file($0).data } ? keys[{ file($0).data }] : []
        let resource = keys.has { file($0).resource } ? keys[{ file($0).resource }] : []
        guard let name, let type, let creator, let data, let resource else { return nil }
        do throws(CodingFailure) {
            return try pack(
                try ForkedFile(
                    name: name, type: type, creator: creator, flags: flags.flatMap { UInt16(exactly: $0) } ?? 0,
                    created: created, modified: modified, data: data, resource: resource))
        } catch {
            return sink.refuse(keys.node, error.sentence)
        }
    }

    /// The code of an unknown type or creator.
    private static let unknownCode: [UInt8]? = Array("????".utf8)

    /// Mac OS Roman, of which only ASCII is permitted.
    fileprivate func macText(_ node: Node, _ what: String, counts: ClosedRange<Int>) -> [UInt8]? {
        guard let text = sink.text(node, what) else { return nil }
        let bytes = Array(text.utf8)
        let isPrintable = bytes.allSatisfy { 0x20...0x7E ~= $0 }
        guard isPrintable, counts.contains(bytes.count) else {
            let wanted = counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
            return sink.refuse(node, "expected \(what) as \(wanted) characters of ASCII, found \(quoted(text))")
        }
        return bytes
    }
}
