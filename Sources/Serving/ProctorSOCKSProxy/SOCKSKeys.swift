internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorSOCKS
internal import ProctorScenario

/// `socks: { … }` of a proxy.
struct SOCKSKeys: Sendable {
    let versions = Key<Set<Int>>("versions") { $1.socksVersions($0) }
    let users = Key<[String: String]>("users") { $1.socksUsers($0) }
    let method = Key(
        "method",
        Shape<UInt8>.code("a method", SOCKSMethod.words))
    let selection = Key<[BodyPiece]>("selection") { $1.pieces($0, "a message of SOCKS") }
    let login = Key<[BodyPiece]>("login") { $1.pieces($0, "a message of SOCKS") }

    fileprivate static let mostUsers = 16
}

/// `socks: { … }` of a reply.
struct SOCKSReplyKeys: Sendable {
    let code = Key(
        "code", Shape<UInt8>.code("a code", SOCKSCode.words), isRequired: true)
    let version = Key("version", Shape<Int>.integer("a version", in: 0...255))
    let reserved = Key("reserved", Shape<Int>.integer("a reserved byte", in: 0...255))
    let addressType = Key("address-type", Shape<Int>.integer("an address type", in: 0...255))
    let address = Key("address", Shape<String>.line("an address"))
    let port = Key("port", Shape<Int>.integer("a port", in: 0...65_535))
}

extension Shape where Value == UInt8 {
    /// A number of one byte, or the word for it.
    fileprivate static func code(_ what: String, _ words: [(word: String, UInt8)]) -> Shape {
        Shape { node, reader in
            guard let text = reader.sink.nonEmptyText(node, what) else { return nil }
            if let word = words.first(where: { $0.word == text }) { return word.1 }
            if let number = UInt8(text) { return number }
            return reader.sink.refuse(
                node, "unknown \(what.dropFirst(2)) \(quoted(text))",
                hint: DiagnosticSink.hint(for: text, among: words.map(\.word)))
        }
    }
}

extension ScenarioReader {
    static let socksTable = Table("socks", SOCKSKeys())
    static let socksReplyTable = Table("a reply of SOCKS", SOCKSReplyKeys())

    static func socks(_ keys: Mapping<SOCKSKeys>) -> SOCKSProgram {
        var program = SOCKSProgram()
        if let versions = keys[\.versions] { program.versions = versions }
        if let users = keys[\.users] { program.users = users }
        program.method = keys[\.method]
        program.selection = keys[\.selection]
        program.login = keys[\.login]
        return program
    }

    fileprivate func socksVersions(_ node: Node) -> Set<Int>? {
        guard let items = sink.filledList(node, "versions of SOCKS", limit: 2) else { return nil }
        let versions = items.compactMap { sink.integer($0, "a version of SOCKS", in: 4...5) }
        return versions.isEmpty ? nil : Set(versions)
    }

    fileprivate func socksUsers(_ node: Node) -> [String: String]? {
        guard let entries = entries(node, "users", from: "user to password", limit: SOCKSKeys.mostUsers) else {
            return nil
        }
        guard !entries.isEmpty else {
            return sink.refuse(node, "users names no user", hint: "leave users out for a proxy that asks for none")
        }
        return Dictionary(
            entries.compactMap { entry in line(entry.value, "a password").map { (entry.key, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The bytes of `socks:` of a reply, which is a code or a mapping.
    func socksReply(_ node: Node) -> [BodyPiece] {
        let shape = node.entries == nil ? node.text.map { "write { code: \($0) }" } : nil
        let node =
            node.text == nil
            ? node : Node(.mapping([Node.Entry("code", node)]), madeAt: SourceFile(madeAt: node.location))
        guard let keys = Self.socksReplyTable.open(node, self, shape: shape), let code = keys[\.code] else { return [] }
        let reply = SOCKSReply(
            code, bound: keys[\.address].map(SOCKSAddress.init(written:)) ?? .ipv4([0, 0, 0, 0]),
            port: UInt16(keys[\.port] ?? 0), isOfVersion5: !(90...93 ~= code))
        let bytes = SOCKSWriter.reply(
            reply, version: keys[\.version].map { UInt8($0) }, reserved: UInt8(keys[\.reserved] ?? 0),
            addressType: keys[\.addressType].map { UInt8($0) })
        return [.bytes(.literal(bytes))]
    }
}
