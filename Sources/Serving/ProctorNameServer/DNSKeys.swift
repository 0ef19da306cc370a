internal import ProctorBase
internal import ProctorDNS
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// One reply of `dns:`.
struct DNSKeys: Sendable {
    let name = Key("name", Shape<DNSName>.hostName("a name"), isRequired: true)
    let type = Key("type", Shape<DNSType>.word("a type of records", DNSType.words.map { ($0.word, $0.type) }))
    let over = Key("over", Shape<DNSTransport>.choice("a transport"))
    let on = Key("on", Shape<ClosedRange<Int>>.indexes(of: "question"))
    let to = Key("to", Shape<[Int]>.originNames("addresses"))
    let alias = Key("alias", Shape<DNSName>.hostName("an alias"))
    let https = Key<[DNSServiceProgram]>("https") { $1.services($0) }
    let code = Key("code", Shape<DNSCode>.word("a code", DNSCode.words.map { ($0.word, $0.code) }))
    let fault = Key("fault", Shape<DNSFault>.choice("a fault"))
    let after = Key("after", Shape<Duration>.duration("a time"))

    fileprivate static let mostServices = 8
}

/// One HTTPS record.
struct DNSServiceKeys: Sendable {
    let priority = Key("priority", Shape<Int>.integer("a priority", in: 0...65_535))
    let target = Key("target", Shape<DNSName>.hostName("a target"))
    let alpn = Key<[String]>("alpn") {
        node, reader in
        node.items?.isEmpty == true
            ? reader.sink.refuse(node, "a list of protocols needs at least one (RFC 9460 §7.1.1)")
            : reader.sink.texts(node, "a protocol", limit: 8).map(\.text)
    }
    let noDefaultALPN = Key("no-default-alpn", Shape<Bool>.boolean("no-default-alpn"))
    let port = Key("port", Shape<[Int]>.originNames("a port"))
    let mandatory = Key<[Int]>("mandatory") {
        node, reader in
        reader.sink.filledList(node, "mandatory keys", limit: 8)?.compactMap {
            reader.sink.integer($0, "a key", in: 1...65_534)
        }
    }
}

extension Shape {
    fileprivate static func word(_ what: String, _ words: [(word: String, value: Value)]) -> Shape
    where Value: Sendable {
        Shape(.words { words.map(\.word) }) { node, reader in
            reader.sink.word(node, what, among: words)
        }
    }
}

extension Shape where Value == DNSName {
    fileprivate static func hostName(_ what: String) -> Shape {
        Shape(.named("hostName")) { node, reader in
            // A mistake in it is told already.
            guard let host = reader.host(node) else { return nil }
            guard case .name(let text) = host else {
                return reader.sink.refuse(node, "expected \(what), found \(node.found)", hint: "write home.example.org")
            }
            return DNSName(text)
        }
    }
}

extension ScenarioReader {
    static let dnsTable = Table("a reply of DNS", DNSKeys())
    static let httpsTable = Table("an HTTPS record", DNSServiceKeys())

    static let dnsReplies = Shape<any NameServerProgram> { node, reader in
        reader.sink.list(node, "replies of DNS", limit: DNSProgram.mostRules).map {
            DNSProgram(rules: $0.compactMap(reader.dnsRule))
        }
    }

    private func dnsRule(_ node: Node) -> DNSRule? {
        guard let keys = Self.dnsTable.open(node, self), let name = keys[\.name] else { return nil }
        var rule = DNSRule(name: name)
        rule.type = keys[\.type]
        rule.questions = keys[\.on]
        rule.origins = keys[\.to]
        rule.alias = keys[\.alias]
        rule.services = keys[\.https] ?? []
        rule.code = keys[\.code]
        rule.fault = keys[\.fault]
        rule.transport = keys[\.over] ?? (rule.fault == .truncated ? .udp : nil)
        rule.delay = keys[\.after]
        if rule.code != nil, let entry = keys.entry(\.to) ?? keys.entry(\.alias) ?? keys.entry(\.https) {
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) means nothing beside \"code\", which is sent without records",
                hint: "leave one of them out")
        }
        if !rule.services.isEmpty, rule.type != .https, let entry = keys.entry(\.https) {
            sink.report(entry.keyNode, "\"https\" is about HTTPS records", hint: "write type: HTTPS beside it")
        }
        return rule
    }

    fileprivate func services(_ node: Node) -> [DNSServiceProgram]? {
        sink.filledList(node, "HTTPS records", limit: DNSKeys.mostServices)?.compactMap { node in
            guard let keys = Self.httpsTable.open(node, self) else { return nil }
            var service = DNSServiceProgram()
            service.priority = keys[\.priority] ?? 1
            service.target = keys[\.target] ?? .root
            service.protocols = keys[\.alpn] ?? []
            service.hasDefaultProtocol = keys[\.noDefaultALPN] != true
            service.port = keys[\.port]?.first
            service.mandatory = keys[\.mandatory] ?? []
            return service
        }
    }
}
