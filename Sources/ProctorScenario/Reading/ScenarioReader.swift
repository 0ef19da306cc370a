import ProctorBase
import ProctorDocument

/// The first pass: turns the nodes of one file into a model; every function reports what is wrong and goes on.
///
/// Reading knows the names that the file declares. Whatever depends on what a name stands for is left to `Resolver`.
struct ScenarioReader {
    let file: FixtureFile
    let sink: DiagnosticSink
    let fingerprint: Fingerprint
    let literals = LiteralBudget()
    /// The names of origins by index, `main` first.
    let originNames: [String]
    let guards = GuardList()
    let identities = MentionList()
    let secondPass = SecondPass()

    /// What late-bound text may name at this place of the file.
    var scope: TemplateScope
    /// Whose connections the effects at this place are played on.
    var place = OriginPlace.any
    /// Whether only CONNECT comes to the exchange at this place.
    var isOfConnect = false
    /// Whether the client program at this place sends its requests to a proxy.
    var goesThroughProxy = false

    init(root: Node, file: FixtureFile, sink: DiagnosticSink, fingerprint: Fingerprint) {
        self.file = file
        self.sink = sink
        self.fingerprint = fingerprint
        let origins = root.entries?.first { $0.key == "origins" }?.value.entries ?? []
        originNames = ["main"] + origins.map(\.key).filter { $0 != "main" }
        scope = TemplateScope(origins: originNames, captures: nil, allowsNow: true)
    }

    /// The same reader at a place where late-bound text may name something else.
    func with(_ scope: TemplateScope) -> ScenarioReader {
        var reader = self
        reader.scope = scope
        return reader
    }

    /// The top of the file.
    struct Keys: Sendable {
        let summary = Key(
            "summary", Shape<String>.nonEmptyText("a summary"), leftOut: "required",
            says: "One sentence on what the scenario shows.", example: "A reply of two chunks")
        let spec = Key(
            "spec", ScenarioReader.specs, says: "The document and section it comes from, or a list of them.",
            example: "RFC 9110 §15.4.3")
        let sequence = UsualKey(
            "sequence", Shape<Scenario.Sequence>.choice("a sequence"), usual: .free,
            says: "`free`: the first exchange of the file that matches and is not used up. `strict`: only the next one."
        )
        let origins = Key(
            "origins",
            Shape<Node>.node(
                [
                    "type": "object", "maxProperties": .integer(Bounds.origins),
                    "propertyNames": .ref("identifier"), "additionalProperties": .ref("origin"),
                ], takes: "[origins](#origins) by name"),
            says: "More schemes, hosts and ports than the implicit origin `main`; or what is special about `main`.")
        let guards = Key(
            "guards",
            Shape<Node>.node(
                [
                    "type": "object", "maxProperties": .integer(Bounds.guards),
                    "propertyNames": ["allOf": [.ref("identifier"), ["not": ["const": "none"]]]],
                    "additionalProperties": .ref("guard"),
                ], takes: "[guards](#guards) by name"),
            says: "What stands before exchanges, asks for credentials and judges them.")
        let auth = Key(
            "auth", Shape<Node>.node(.ref("auth"), takes: "a [guard](#guards), its name, or a list"),
            says: "The guards of every exchange that says nothing itself, asked in this order.", example: "lab")
        let exchanges = Key(
            "exchanges",
            Shape<Node>.node(
                .items(.ref("exchange"), ["maxItems": .integer(Bounds.exchanges)]), takes: "a list of exchanges"),
            leftOut: "required", says: "Requests to wait for and what to answer, tried in this order.")
        let cases = Key(
            "cases",
            Shape<Node>.node(
                [
                    "type": "object", "maxProperties": .integer(Bounds.cases),
                    "propertyNames": ["pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"],
                    "additionalProperties": .ref("case"),
                ], takes: "[cases](#cases) by name"),
            says: "The questions of the exam.")
    }

    static let table = Table("a scenario", Keys())

    /// `spec:` as one text or a list.
    static let specs = Shape<[String]>(
        .oneOrMore(.ref("text"), ["maxItems": .integer(Bounds.specs)]), takes: "text, or a list"
    ) { node, reader in
        reader.sink.texts(node, "a document and its section", limit: Bounds.specs).map(\.text)
    }

    /// nil, or not to be used, after a diagnostic.
    func scenario(from root: Node) -> Scenario? {
        guard let top = Self.table.open(root, self) else { return nil }
        let summary = top[\.summary]
        let spec = top[\.spec] ?? []
        let sequence = top[\.sequence]
        let origins = self.origins(top[\.origins], scenario: root)
        if let node = top[\.guards] { namedGuards(node) }
        let usualGuards = top[\.auth].map { auth($0, place: "all exchanges") }
        let exchanges = self.exchanges(top[\.exchanges], origins: origins)
        secondPass.beginCases(sink)
        let cases = self.cases(top[\.cases])

        let resolver = Resolver(origins: origins, guards: guards, sink: sink)
        let resolved = resolver.exchanges(exchanges, of: top, usualGuards: usualGuards, sequence: sequence, secondPass)
        let judged = resolver.cases(cases, exchanges: resolved, spec: spec, secondPass)
        guard sink.diagnostics.isEmpty, let summary else { return nil }
        let found = Reachability(sequence: sequence, exchanges: resolved).diagnostics()
        for diagnostic in found { sink.report(diagnostic) }
        return Scenario(
            id: file.id, location: root.location, summary: summary, spec: spec, sequence: sequence,
            origins: resolver.origins, guards: guards.all, exchanges: resolved, cases: judged,
            rootReason: RootFinder(origins: resolver.origins, guards: guards.all, exchanges: resolved).reason(),
            identityNames: identities.all, fingerprint: fingerprint.value)
    }

    private func exchanges(_ node: Node?, origins: [ReadOrigin]) -> [ReadExchange] {
        guard let node, let items = sink.list(node, "exchanges", limit: Bounds.exchanges) else { return [] }
        if items.isEmpty, origins.contains(where: \.origin.expectsRequests) {
            sink.report(
                node, "a scenario needs at least one exchange",
                hint: "only origins with another role than server, with connections: effects or with TLS can do without"
            )
        }
        return items.enumerated().compactMap { exchange($0.element, index: $0.offset) }
    }

    private func cases(_ node: Node?) -> [Case] {
        guard let node else { return [] }
        guard let entries = node.entries else {
            sink.report(node, "expected cases as a mapping from name to case, found \(node.found)")
            return []
        }
        guard entries.count <= Bounds.cases else {
            sink.report(node, "there are \(entries.count) cases; at most \(Bounds.cases) are permitted")
            return []
        }
        return entries.compactMap(self.case)
    }

    /// Text that can name a thing which stands in a file of its own.
    func name(_ node: Node, _ what: String, of thing: String) -> String? {
        guard let text = sink.text(node, what) else { return nil }
        if text.isIdentifier { return text }
        sink.report(
            node, "\(quoted(text)) cannot name \(thing)",
            hint: "names have a letter, then letters, digits, '-' and '_'")
        return nil
    }

    /// Text within one line.
    func line(_ node: Node, _ what: String, hint: String? = "use raw: to send one") -> String? {
        guard let text = sink.text(node, what) else { return nil }
        if let offset = text.utf8.enumerated().first(where: { $0.element == 0x0A || $0.element == 0x0D })?.offset {
            sink.report(node.location(ofTextOffset: offset), "\(what) holds no line break", hint: hint)
            return nil
        }
        return text
    }

    /// More than nothing, up to the longest wait.
    func duration(_ node: Node, _ what: String) -> Duration? {
        guard let text = sink.text(node, what) else { return nil }
        guard let nanoseconds = DurationText.nanoseconds(text), nanoseconds > 0,
            nanoseconds <= Bounds.waitNanoseconds
        else {
            sink.report(node, "expected \(DurationText.expected), more than 0 and at most 10m, found \(quoted(text))")
            return nil
        }
        return .nanoseconds(nanoseconds)
    }

    /// The index of the origin that is named.
    func originIndex(_ node: Node) -> Int? {
        guard let name = sink.text(node, "the name of an origin") else { return nil }
        if let index = originNames.firstIndex(of: name) { return index }
        sink.report(node, "unknown origin \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: originNames))
        return nil
    }
}

extension Origin {
    /// Whether requests are sure to come: no handshake can fail before them, and nothing is done to connections.
    ///
    /// Effects of TLS do not count where none is spoken: they are mistakes, which the second pass reports.
    fileprivate var expectsRequests: Bool {
        role.refusal == nil && tls == nil && connectionEffects.allSatisfy(\.needsTLS)
    }
}
