internal import ProctorBase
internal import ProctorDNS
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// One reply of `dns:`.
struct DNSKeys: Sendable {
    let name = Key(
        "name", Shape<DNSName>.hostName("a name"), leftOut: "required", says: "The name in the question.",
        example: "home.example.org")
    let type = Key(
        "type", Shape<DNSType>.word("a type of records", DNSType.words.map { ($0.word, $0.type) }), leftOut: "all",
        says: "The type of records in the question.")
    let over = Key(
        "over", Shape<DNSTransport>.choice("a transport"), leftOut: "both, and `udp` with `fault: truncated`",
        says: "How it is asked.")
    let on = Key(
        "on", Shape<ClosedRange<Int>>.indexes(of: "question"), leftOut: "all",
        says: "Which questions of this name and type by that transport, counted from 0.", example: "1-99")
    let to = Key(
        "to", Shape<[Int]>.originNames("addresses"), leftOut: "those of the name",
        says: "The origins whose addresses the records have.", example: "[second]")
    let alias = Key(
        "alias", Shape<DNSName>.hostName("an alias"),
        says: "A CNAME record to this name, with the name's own records behind it.", example: "home.example.org")
    let https = Key(
        "https",
        Shape<[DNSServiceProgram]>(
            .items(ScenarioReader.httpsTable.schema, ["minItems": 1, "maxItems": .integer(DNSKeys.mostServices)]),
            takes: "a list of records"
        ) { $1.services($0) }, says: "HTTPS records (RFC 9460), for questions of that type.",
        example: "[{ priority: 1, port: main }]")
    let code = Key(
        "code", Shape<DNSCode>.word("a code", DNSCode.words.map { ($0.word, $0.code) }),
        leftOut: "NOERROR, or NXDOMAIN for a name that no origin has", says: "A code without records.")
    let fault = Key(
        "fault", Shape<DNSFault>.choice("a fault"),
        says:
            "The fault. `silent`: nothing is sent. `truncated`: the bit TC is set, with records. `wrong-id`, `wrong-name`: "
            + "the id, or the name in the question, is another one. `wrong-port`: it comes from another port. `cut`: the "
            + "last byte is missing. `pointer-loop`: a name points to itself.")
    let after = Key(
        "after", Shape<Duration>.duration("a time"), leftOut: "at once", says: "How long after the question.")

    fileprivate static let mostServices = 8
}

/// One HTTPS record.
struct DNSServiceKeys: Sendable {
    let priority = Key(
        "priority", Shape<Int>.integer("a priority", in: 0...65_535), leftOut: "1",
        says: "Less is preferred; 0 is an alias (RFC 9460 §2.4.1).")
    let target = Key(
        "target", Shape<DNSName>.hostName("a target"), leftOut: "the name itself",
        says: "The name whose addresses are meant.")
    let alpn = Key(
        "alpn",
        Shape<[String]>(.items(.ref("nonEmptyText"), ["minItems": 1, "maxItems": 8]), takes: "a list of names") {
            node, reader in reader.sink.texts(node, "a protocol", limit: 8).map(\.text)
        }, says: "Protocols beside http/1.1.", example: "[h2]")
    let noDefaultALPN = Key(
        "no-default-alpn", Shape<Bool>.boolean("no-default-alpn"), leftOut: "`false`", says: "http/1.1 is not spoken.")
    let port = Key(
        "port", Shape<[Int]>.originNames("a port"), says: "The origin whose port it says.", example: "second")
    let mandatory = Key(
        "mandatory",
        Shape<[Int]>(.items(.number(1...65_534), ["minItems": 1, "maxItems": 8]), takes: "a list of 1 … 65,534") {
            node, reader in
            reader.sink.list(node, "mandatory keys", limit: 8)?.compactMap {
                reader.sink.integer($0, "a key", in: 1...65_534)
            }
        },
        says: "Keys that a client must know to use the record (§8); one above 7 is in the record, without a value.",
        example: "[65280]")
}

extension Shape {
    fileprivate static func word(_ what: String, _ words: [(word: String, value: Value)]) -> Shape
    where Value: Sendable {
        let names = words.map(\.word)
        return Shape(.words(names), takes: names.alternatives) { node, reader in
            guard let text = reader.sink.text(node, what) else { return nil }
            if let found = words.first(where: { $0.word == text }) { return found.value }
            return reader.sink.refuse(
                node, "unknown \(what.dropFirst(2)) \(quoted(text))", hint: DiagnosticSink.hint(for: text, among: names)
            )
        }
    }
}

extension Shape where Value == DNSName {
    fileprivate static func hostName(_ what: String) -> Shape {
        Shape(.ref("hostName"), takes: "a [name](origins.md#names)") { node, reader in
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
    static let dnsTable = Table("a reply of DNS", DNSKeys(), rules: ["required": ["name"]])
    static let httpsTable = Table("an HTTPS record", DNSServiceKeys())

    static let dnsReplies = Shape<any NameServerProgram>(
        .items(dnsTable.schema, ["maxItems": .integer(DNSProgram.mostRules)]), takes: "a list of replies"
    ) { node, reader in
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
        sink.list(node, "HTTPS records", limit: DNSKeys.mostServices)?.compactMap { node in
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
