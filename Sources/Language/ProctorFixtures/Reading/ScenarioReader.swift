import ProctorBase
internal import ProctorCoding
package import ProctorDocument
package import ProctorScenario

/// The first pass: makes a model from the nodes of one file; reports errors and continues.
///
/// It knows which names the file declares; `Resolver` checks the things that have these names.
package struct ScenarioReader {
    let file: FixtureFile
    package let sink: DiagnosticSink
    let fingerprint: Fingerprint
    let literals: LiteralBudget
    /// The names of the origins by index, `main` first.
    let originNames: [String]
    /// The names of the origins with `host: ipv6`.
    var ipv6Origins: Set<String> = []
    let guards = GuardList()
    let identities = MentionList()
    let secondPass = SecondPass()
    let states = StateMentions()
    package let scripts = ScriptList()
    /// What messages of calls are described by.
    package let description = CallDescription()

    /// The late-bound names that are permitted at this place of the file.
    var scope: TemplateScope
    /// The origin on whose connections effects at this place are played.
    var place = OriginPlace.any
    /// Whether the request of the exchange at this place is always CONNECT.
    var isOfConnect = false
    /// Whether CONNECT is one of the methods of the exchange's request.
    var takesConnect = false
    /// Whether the reply at this place is one of a `choose`.
    var isInChoose = false
    /// Whether the program at this place uses a proxy.
    var goesThroughProxy = false
    /// The path of the exchange's request at this place; nil where it is not one text.
    package var target: [UInt8]?
    /// Whether the scenario must have a summary; one for a single run need not have it.
    var needsSummary = true

    init(root: Node, file: FixtureFile, sink: DiagnosticSink, fingerprint: Fingerprint, literals: LiteralBudget) {
        let origins = root.entries?.first { $0.key == "origins" }?.value.entries ?? []
        self.init(
            file: file, sink: sink, fingerprint: fingerprint, literals: literals,
            originNames: ["main"] + origins.map(\.key).filter { $0 != "main" })
        ipv6Origins = Set(
            origins.filter { $0.value.entries?.contains { $0.key == "host" && $0.value.text == "ipv6" } ?? false }
                .map(\.key))
    }

    /// A reader for a part of a scenario whose origins are known.
    init(
        file: FixtureFile, sink: DiagnosticSink, fingerprint: Fingerprint, literals: LiteralBudget,
        originNames: [String]
    ) {
        (self.file, self.literals, self.sink, self.fingerprint) = (file, literals, sink, fingerprint)
        self.originNames = originNames
        scope = TemplateScope(origins: originNames, captures: nil, allowsNow: true)
    }

    /// Text with late-bound parts, as this place has them; nil after a diagnostic.
    package func template(_ node: Node, _ text: String) -> Template? {
        TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text))
    }

    /// Whether `{{repetition}}` has a value at this place.
    package var isRepeating: Bool { scope.repetition != nil }

    /// The reader for items that are repeated; `number` counts from 1.
    package func repeating(_ number: Int) -> ScenarioReader {
        var scope = scope
        scope.repetition = number
        return with(scope)
    }

    /// The reader for a place with other late-bound names.
    func with(_ scope: TemplateScope) -> ScenarioReader {
        var reader = self
        reader.scope = scope
        return reader
    }

    struct Keys: Sendable {
        let summary = Key("summary", Shape<String>.nonEmptyText("a summary"), isRequired: true)
        let spec = Key("spec", ScenarioReader.specs)
        let sequence = UsualKey("sequence", Shape<Scenario.Sequence>.choice("a sequence"), usual: .free)
        let origins = Key<Node>("origins")
        let dns = Key("dns", ScenarioReader.nameServer.shape)
        let guards = Key<Node>("guards")
        let auth = Key<Node>("auth")
        let tolerates = Key("tolerates", ScenarioReader.tolerances)
        let control = Key<Scenario.Mention>("control") { $1.control($0) }
        let expect = Key("expect", ScenarioReader.service.shape)
        let grpc = Key("grpc", ScenarioReader.described.shape)
        let state = Key<Node>("state")
        let clock = Key("clock", ScenarioReader.clockChanges)
        let library = Key("library", ScenarioReader.libraries.shape)
        let exchanges = Key<Node>("exchanges", isRequired: true)
        let cases = Key<Node>("cases")
    }

    /// An OpenAPI description.
    package static let service = LanguageSlot<any DescribedService>("OpenAPI")

    static let table = Table("a scenario", Keys())

    /// One text or a list.
    static let specs = Shape<[String]> { node, reader in
        reader.sink.texts(node, "a document and its section", limit: Bounds.specs).map(\.text)
    }

    /// The scenario; nil or incomplete after a diagnostic.
    func scenario(from root: Node) -> Scenario? {
        defer { secondPass.removeChecks() }
        guard let top = Self.table.open(root, self) else { return nil }
        let summary = needsSummary || top.has(\.summary) ? top[\.summary] : "A scenario that was given to the server"
        let spec = top[\.spec] ?? []
        let sequence = top[\.sequence]
        let origins = self.origins(top[\.origins], scenario: root)
        if let node = top[\.guards] { namedGuards(node) }
        let usualGuards = top[\.auth].map { auth($0, place: "all exchanges") }
        if let node = top[\.state] { state(node) }
        scripts.libraries = top[\.library] ?? []
        let service = top[\.expect]
        description.isWritten = top.has(\.grpc)
        description.value = top[\.grpc]
        let clock = top[\.clock] ?? []
        let dns = top[\.dns]
        if dns != nil, let node = top.entry(\.dns)?.keyNode, !origins.contains(where: { $0.origin.hostName != nil }) {
            sink.report(node, "\"dns\" is about names, and no origin has one", hint: "write host: NAME at an origin")
        }
        let (exchanges, areWhole) = self.exchanges(top[\.exchanges], origins: origins)
        if areWhole { states.check(sink, scripts) }
        secondPass.beginCases(sink)
        let cases = self.cases(top[\.cases])

        let resolver = Resolver(origins: origins, asksDNS: dns != nil, guards: guards, sink: sink)
        let resolved = resolver.exchanges(exchanges, of: top, usualGuards: usualGuards, sequence: sequence, secondPass)
        let judged = resolver.cases(
            cases, exchanges: resolved, spec: spec, untolerated: top[\.tolerates] ?? [], control: top[\.control],
            secondPass)
        if let entry = top.entry(\.library), scripts.answers.isEmpty, sink.diagnostics.isEmpty {
            sink.report(entry.keyNode, "no script of the file could use the library")
        }
        guard sink.diagnostics.isEmpty, let summary else { return nil }
        for diagnostic in Reachability(sequence: sequence, exchanges: resolved).diagnostics() { sink.add(diagnostic) }
        service?.check(resolved, sink)
        return Scenario(
            id: file.id, location: root.location, summary: summary, spec: spec, sequence: sequence,
            origins: resolver.origins, guards: guards.all, state: states.declared,
            libraries: scripts.libraries, exchanges: resolved, untolerated: top[\.tolerates] ?? [], cases: judged,
            rootReason: RootFinder(origins: resolver.origins, guards: guards.all, exchanges: resolved).reason(),
            identityNames: identities.all, service: service, dns: dns, clock: clock, fingerprint: fingerprint.value)
    }

    /// A case of the library by its whole name; whether there is one is not known here.
    private func control(_ node: Node) -> Scenario.Mention? {
        guard let text = sink.text(node, "the name of a case") else { return nil }
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), parts[0].contains("/") else {
            return sink.refuse(
                node, "expected a case as family/scenario#case, found \(quoted(text))",
                hint: "name a case that a client passes by a success: grpc/request#call")
        }
        return Scenario.Mention(name: text, location: node.location)
    }

    /// The exchanges, and whether all of them could be read.
    private func exchanges(_ node: Node?, origins: [ReadOrigin]) -> ([ReadExchange], areWhole: Bool) {
        guard let node, let items = sink.list(node, "exchanges", limit: Bounds.exchanges) else { return ([], false) }
        if items.isEmpty, origins.contains(where: \.origin.expectsRequests) {
            sink.report(
                node, "a scenario needs at least one exchange",
                hint: "only origins with another role than server, with connections: effects or with TLS can do without"
            )
        }
        // Few files have tables, and all others need no second list.
        guard items.contains(where: RowTables.isRepeated) else {
            let read = items.enumerated().compactMap { exchange($0.element, index: $0.offset) }
            return (read, read.count == items.count)
        }
        let repeated = items.map {
            RowTables.repetitions(of: $0, limit: Bounds.exchanges, "exchanges", self).map(\.node)
        }
        let nodes = repeated.flatMap(\.self)
        guard nodes.count <= Bounds.exchanges else {
            sink.report(node, "there are \(nodes.count) exchanges; at most \(Bounds.exchanges) are permitted")
            return ([], false)
        }
        let read = nodes.enumerated().compactMap { exchange($0.element, index: $0.offset) }
        return (read, read.count == nodes.count && repeated.allSatisfy { !$0.isEmpty })
    }

    private func cases(_ node: Node?) -> [Case] {
        guard let node else { return [] }
        guard let entries = entries(node, "cases", from: "name to case", limit: Bounds.cases) else { return [] }
        guard entries.contains(where: { RowTables.isRepeated($0.value) }) else { return entries.compactMap(self.case) }
        let cases = entries.flatMap { entry in
            RowTables.repetitions(of: entry.value, limit: Bounds.cases, "cases", self).map { one in
                entry.with(key: ([entry.key] + one.words).joined(separator: "-"), one.node)
            }
        }
        guard cases.count <= Bounds.cases else {
            sink.report(node, "there are \(cases.count) cases; at most \(Bounds.cases) are permitted")
            return []
        }
        var names: Set<String> = []
        for entry in cases where !names.insert(entry.key).inserted {
            sink.report(entry.keyNode, "two cases have the name \(quoted(entry.key))")
        }
        return cases.compactMap(self.case)
    }

    /// The entries of a mapping such as from names to origins; nil after a diagnostic.
    package func entries(
        _ node: Node, _ what: String, from form: String, limit: Int, counted: String? = nil, hint: String? = nil
    ) -> [Node.Entry]? {
        guard !sink.isFull else { return nil }
        guard let entries = node.entries else {
            return sink.refuse(node, "expected \(what) as a mapping from \(form), found \(node.found)", hint: hint)
        }
        guard entries.count <= limit else {
            return sink.refuse(
                node, "there are \(entries.count) \(counted ?? what); at most \(limit) are permitted")
        }
        return entries
    }

    /// One item or a list; reports an empty list.
    package func oneOrMore(
        _ node: Node, _ what: String, limit: Int, atLeast: String = "one", hint: String? = nil
    ) -> [Node] {
        guard let items = node.items else { return [node] }
        if items.isEmpty { sink.report(node, "a list of \(what) needs at least \(atLeast)", hint: hint) }
        return sink.list(node, what, limit: limit) ?? []
    }

    /// A token (RFC 9110 §5.6.2), which is what the section asks for.
    func token(_ node: Node, _ what: String, in section: String, hint: String? = nil) -> String? {
        guard let text = sink.text(node, what) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(\.isTokenByte) { return text }
        return sink.refuse(node, "expected \(what) as a token (\(section)), found \(quoted(text))", hint: hint)
    }

    /// A name that refers to something outside the file.
    func name(_ node: Node, _ what: String, of thing: String) -> String? {
        guard let text = sink.text(node, what) else { return nil }
        if text.isIdentifier { return text }
        return sink.refuse(
            node, "\(quoted(text)) cannot name \(thing)",
            hint: "names have a letter, then letters, digits, '-' and '_'")
    }

    /// Text without line breaks.
    package func line(_ node: Node, _ what: String, hint: String? = "use raw: to send one") -> String? {
        guard let text = sink.text(node, what) else { return nil }
        if let offset = text.utf8.enumerated().first(where: { $0.element == 0x0A || $0.element == 0x0D })?.offset {
            return sink.refuse(node.location(ofTextOffset: offset), "\(what) holds no line break", hint: hint)
        }
        return text
    }

    /// A duration greater than zero, up to the longest wait or to another limit.
    package func duration(
        _ node: Node, _ what: String, atMost limit: (nanoseconds: Int, text: String) = (Bounds.waitNanoseconds, "10m")
    ) -> Duration? {
        guard let text = sink.text(node, what) else { return nil }
        guard let nanoseconds = DurationText.nanoseconds(text), nanoseconds > 0,
            nanoseconds <= limit.nanoseconds
        else {
            return sink.refuse(
                node,
                "expected \(DurationText.expected), more than 0 and at most \(limit.text), found \(quoted(text))")
        }
        return .nanoseconds(nanoseconds)
    }

    /// The index of the named origin.
    package func originIndex(_ node: Node) -> Int? {
        guard let name = sink.text(node, "the name of an origin") else { return nil }
        if let index = originNames.firstIndex(of: name) { return index }
        return sink.refuse(
            node, "unknown origin \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: originNames))
    }
}

extension Origin {
    /// Whether requests certainly arrive: no handshake can fail, and no effect acts on connections.
    ///
    /// Effects of TLS at an origin without TLS are errors of the second pass and are ignored here.
    fileprivate var expectsRequests: Bool {
        role.refusal == nil && tls == nil && connectionEffects.allSatisfy(\.needsTLS)
    }
}

/// The names that refer to things outside the file, in order.
///
/// A class, so that all readers of one file share it; used by one thread.
final class MentionList {
    private(set) var all: [Scenario.Mention] = []

    func add(_ mention: Scenario.Mention) {
        all.append(mention)
    }
}
